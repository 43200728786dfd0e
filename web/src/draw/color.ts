// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Colors as numbers, and the colors of comparisons.

export interface Rgb {
  readonly r: number; // 0 … 255
  readonly g: number;
  readonly b: number;
}

// "#rgb", "#rrggbb", "rgb(r, g, b)"; other text gives mid grey.
export function parseColor(text: string): Rgb {
  const trimmed = text.trim();
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(trimmed);
  if (short) return { r: hex(short[1]! + short[1]!), g: hex(short[2]! + short[2]!), b: hex(short[3]! + short[3]!) };
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(trimmed);
  if (long) return { r: hex(long[1]!), g: hex(long[2]!), b: hex(long[3]!) };
  const rgb = /^rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(trimmed);
  if (rgb) return { r: Number(rgb[1]), g: Number(rgb[2]), b: Number(rgb[3]) };
  return { r: 128, g: 128, b: 128 };
}

function hex(digits: string): number {
  return parseInt(digits, 16);
}

export function formatColor(color: Rgb): string {
  const part = (x: number) => Math.round(Math.min(255, Math.max(0, x))).toString(16).padStart(2, "0");
  return `#${part(color.r)}${part(color.g)}${part(color.b)}`;
}

// `a` for t = 0, `b` for t = 1.
export function mix(a: Rgb, b: Rgb, t: number): Rgb {
  return { r: a.r + (b.r - a.r) * t, g: a.g + (b.g - a.g) * t, b: a.b + (b.b - a.b) * t };
}

// Relative luminance, as WCAG 2 defines it.
export function luminance(color: Rgb): number {
  const linear = (x: number) => (x <= 10.31475 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
}

export function contrast(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

export const kDarkInk: Rgb = { r: 0x1b, g: 0x1a, b: 0x18 };
export const kLightInk: Rgb = { r: 0xff, g: 0xff, b: 0xff };

// The ink for a fill. That of the theme if it can be read well, so that labels look alike; else the one with more contrast.
export function inkOn(fill: Rgb, dark: boolean): Rgb {
  const [usual, other] = dark ? [kLightInk, kDarkInk] : [kDarkInk, kLightInk];
  return contrast(fill, usual) >= 4 || contrast(fill, usual) >= contrast(fill, other) ? usual : other;
}

// How a box of a comparison looks: towards less (-1) or more (1) with a strength of 1 … kStrengths, or 0 for noise.
export const kStrengths = 6;
export interface ChangeLook {
  readonly direction: -1 | 0 | 1;
  readonly strength: number;
  readonly vanished: boolean; // nothing is left of it
}

// The strength grows with the change relative to the larger of both costs: half or double is 0.5, new or vanished 1.
export function changeLook(before: number, after: number, verdict: number): ChangeLook {
  const vanished = after === 0 && before !== 0;
  const larger = Math.max(Math.abs(before), Math.abs(after));
  const direction = verdict < 0 ? -1 : verdict > 0 ? 1 : 0;
  if (direction === 0 || !(larger > 0)) return { direction: 0, strength: 0, vanished };
  const relative = Math.min(1, Math.abs(after - before) / larger);
  return { direction, strength: Math.max(1, Math.ceil(relative * kStrengths - 1e-9)), vanished };
}

export interface ChangeColors {
  readonly noise: Rgb;
  readonly more: Rgb;
  readonly less: Rgb;
}

export function changeColor(look: ChangeLook, colors: ChangeColors): Rgb {
  if (look.direction === 0) return colors.noise;
  const t = 0.25 + (0.6 * look.strength) / kStrengths; // never the full color: large areas of it would glare
  return mix(colors.noise, look.direction > 0 ? colors.more : colors.less, t);
}

// The color of a new or vanished box, for legends.
export function strongest(direction: -1 | 1, colors: ChangeColors): Rgb {
  return changeColor({ direction, strength: kStrengths, vanished: false }, colors);
}

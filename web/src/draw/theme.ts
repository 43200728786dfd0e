// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The design tokens of app/style.css for canvases, read once per theme.

import { formatColor, luminance, mix, parseColor, type Rgb } from "./color";

export interface Theme {
  readonly dark: boolean;
  readonly bg: string;
  readonly surface: string;
  readonly line: string;
  readonly text: string;
  readonly text2: string;
  readonly text3: string;
  readonly accent: string;
  readonly focus: string;
  readonly select: string;
  readonly match: Rgb;
  readonly more: Rgb;
  readonly less: Rgb;
  readonly noise: Rgb; // of a comparison: boxes that did not change
  readonly back: Rgb; // bg as numbers, for mixing
  readonly font: string; // families
  readonly mono: string;
}

const kLight: Record<string, string> = {
  "--bg": "#ffffff", "--surface": "#f6f7f9", "--line": "#dfe2e8", "--text": "#1c2027", "--text-2": "#565d6b", "--text-3": "#8a91a0",
  "--accent": "#2f62d9", "--focus": "#2f62d9", "--select": "#1c2027", "--match": "#c86bd8", "--more": "#e07b16", "--less": "#3b7dd8",
};
const kDark: Record<string, string> = {
  "--bg": "#16181d", "--surface": "#1d2026", "--line": "#30343d", "--text": "#e7e9ee", "--text-2": "#a4abb9", "--text-3": "#737b8b",
  "--accent": "#7aa2ff", "--focus": "#7aa2ff", "--select": "#ffffff", "--match": "#b45cc6", "--more": "#e8892b", "--less": "#5b95e8",
};

let last: Theme | null = null;
let lastKey = "";

// Reads the tokens again only if the theme changed. `refresh`: the style sheet may have changed.
export function theme(dark: boolean, refresh = false): Theme {
  const key = `${dark}/${document.documentElement.dataset["theme"] ?? ""}`;
  if (last !== null && key === lastKey && !refresh) return last;
  const style = getComputedStyle(document.documentElement);
  const normalizer = document.createElement("canvas").getContext("2d");
  const token = (name: string) => {
    const value = style.getPropertyValue(name).trim() || (dark ? kDark : kLight)[name] || "#808080";
    if (normalizer === null) return value;
    normalizer.fillStyle = "#808080";
    normalizer.fillStyle = value; // any CSS color becomes "#rrggbb" or "rgba(…)"
    return String(normalizer.fillStyle);
  };
  const back = parseColor(token("--bg"));
  const isDark = luminance(back) < 0.2;
  last = {
    dark,
    bg: token("--bg"),
    surface: token("--surface"),
    line: token("--line"),
    text: token("--text"),
    text2: token("--text-2"),
    text3: token("--text-3"),
    accent: token("--accent"),
    focus: token("--focus"),
    select: token("--select"),
    match: parseColor(token("--match")),
    more: parseColor(token("--more")),
    less: parseColor(token("--less")),
    noise: mix(back, parseColor(token("--text")), isDark ? 0.24 : 0.13),
    back,
    font: style.getPropertyValue("--font").trim() || "system-ui, sans-serif",
    mono: style.getPropertyValue("--mono").trim() || "ui-monospace, monospace",
  };
  lastKey = key;
  return last;
}

export function css(color: Rgb): string {
  return formatColor(color);
}

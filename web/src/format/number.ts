// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Counts and shares. Every function here and in the other files of this folder shows kUnknown for NaN and infinity.

export const kUnknown = "–";
export const kMinus = "−"; // as wide as "+" and a digit

// "1234567.5" -> "1,234,567.5"
export function groupThousands(digits: string): string {
  const point = digits.indexOf(".");
  const end = point < 0 ? digits.length : point;
  if (end <= 3) return digits;
  let out = digits.slice(end);
  let at = end;
  for (; at > 3; at -= 3) out = `,${digits.slice(at - 3, at)}${out}`;
  return digits.slice(0, at) + out;
}

// A number with so many decimals, never in scientific notation. `size` is not negative.
export function fixed(size: number, decimals: number): string {
  return groupThousands(size < 1e21 ? size.toFixed(decimals) : BigInt(Math.round(size)).toString());
}

// "1,234"
export function count(n: number): string {
  if (!Number.isFinite(n)) return kUnknown;
  const size = Math.round(Math.abs(n));
  return (n < 0 && size > 0 ? kMinus : "") + fixed(size, 0);
}

// "1 sample", "1,204 samples"
export function countOf(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

// "12.3%", "<0.1%", "0.0%" for exactly nothing. If the whole is 0, so is every share of it.
export function share(part: number, whole: number): string {
  return percent(whole === 0 ? 0 : part / whole);
}

export function percent(fraction: number): string {
  const value = 100 * fraction;
  if (!Number.isFinite(value)) return kUnknown;
  const size = Math.abs(value);
  const sign = value < 0 ? kMinus : "";
  if (value > 0 && value < 0.05) return "<0.1%";
  return `${sign}${fixed(size, 1)}%`;
}

// Relative change: "+12.3%", "−4.5%", "new", "gone"; "0.0%" without sign if equal.
export function change(before: number, after: number): string {
  if (!Number.isFinite(before) || !Number.isFinite(after)) return kUnknown;
  if (before === after) return "0.0%";
  if (before === 0) return "new";
  if (after === 0) return "gone";
  const value = (100 * (after - before)) / Math.abs(before);
  const size = Math.abs(value);
  if (!Number.isFinite(size)) return kUnknown;
  const sign = value < 0 ? kMinus : "+";
  if (size >= 999_999.5) return ">+999,999%";
  return `${sign}${fixed(size, size < 999.95 ? 1 : 0)}%`;
}

// Difference of two shares in percentage points: "+18.2 pp".
export function points(fraction: number): string {
  const value = 100 * fraction;
  if (!Number.isFinite(value)) return kUnknown;
  const size = Math.abs(value);
  return `${value < 0 ? kMinus : value > 0 ? "+" : ""}${fixed(size, 1)} pp`;
}

// Hexadecimal. The kernel's addresses come without their upper 12 bits, which are all set: numbers are not exact from 2^53 on.
export function shownAddress(address: number): string {
  const hex = address.toString(16);
  return address >= 2 ** 51 ? `fff${hex.padStart(13, "0")}` : hex;
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Costs in the unit of their event. The same numbers as in wick's terminal (src/analyze/format.cc), with the unit.

import { duration } from "./duration";
import { fixed, groupThousands, kMinus, kUnknown } from "./number";

export { change, count, countOf, percent, points, share } from "./number";

// Fits EventInfo.
export interface Unit {
  readonly unit: string;
  readonly divisor: number;
  readonly name?: string; // of the event
}

// What is counted: events that have a plain name are called by it ("cycles", "cache-misses").
export function unitWord(of: Unit): string {
  const name = of.unit === "events" ? /^([a-z]+(?:-[a-z]+)*s)(?::[a-z]*)?$/.exec(of.name ?? "")?.[1] : undefined;
  return name ?? of.unit;
}

const kPrefixes = ["k", "M", "G", "T", "P", "E"];

// "1.23 s", "345 ms", "12.3 MB", "1,234 samples", "4.50 G cycles"
export function cost(weight: number, of: Unit): string {
  const value = weight / (of.divisor || 1);
  if (!Number.isFinite(value)) return kUnknown;
  if (of.unit === "ns") return duration(value);
  const size = Math.abs(value);
  const sign = value < 0 ? kMinus : "";
  const many = unitWord(of);
  const unit = many === "bytes" ? "B" : size === 1 ? many.replace(/(?<=ss)es$|s$/, "") : many;
  // Counts of samples are small enough to be exact.
  const exact = of.unit === "samples" ? 1e6 : 10e3;
  if (size < exact) return join(sign + (size >= 10e3 ? fixed(size, 0) : significant(size)), "", unit);
  let scaled = size / 1e3;
  let i = 0;
  for (; scaled >= 999.5 && i + 1 < kPrefixes.length; scaled /= 1e3) ++i;
  return join(sign + fixed(scaled, scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0), kPrefixes[i]!, unit);
}

// "+130 ms", "−30.0 ms"
export function costChange(before: number, after: number, of: Unit): string {
  const text = cost(after - before, of);
  return after > before ? `+${text}` : text;
}

// "B" is a symbol, other units are words: "12.3 MB", "4.50 G cycles".
function join(number: string, prefix: string, unit: string): string {
  if (unit === "B") return `${number} ${prefix}B`;
  return [number, prefix, unit].filter((x) => x !== "").join(" ");
}

// Four digits, more only for whole numbers: "12.35", "1,234".
function significant(size: number): string {
  if (size !== 0 && size < 0.001) return "<0.001";
  return groupThousands(String(Number(size.toPrecision(size < 100 ? 4 : size < 1000 ? 5 : 6))));
}

// For a column of a table: one unit and one number of decimals for all rows, so that they line up and compare at a glance. It is
// chosen for the largest value of the column.
export interface Scale {
  readonly unit: string; // "ms", "M cycles"; for the heading
  readonly per: number; // weight of one unit
  readonly decimals: number;
}

export function scaleFor(largest: number, of: Unit): Scale {
  const divisor = of.divisor || 1;
  const size = Number.isFinite(largest) ? Math.abs(largest) / divisor : 0;
  const scale = (unit: string, per: number, decimals: number): Scale => ({ unit, per: per * divisor, decimals });
  if (of.unit === "ns") {
    if (size >= 1000e9) return scale("s", 1e9, 1);
    if (size >= 100e9) return scale("s", 1e9, 2);
    if (size >= 1e9 || size === 0) return scale("s", 1e9, 3);
    if (size >= 1e6) return scale("ms", 1e6, size >= 100e6 ? 1 : 2);
    return size >= 1e3 ? scale("µs", 1e3, 1) : scale("ns", 1, 0);
  }
  const word = unitWord(of);
  const isBytes = word === "bytes";
  if (size < (isBytes ? 10e3 : 1e6)) return scale(isBytes ? "B" : word, 1, divisor === 1 ? 0 : 2);
  let i = 0;
  let per = 1e3;
  for (; size / per >= 9999.5 && i + 1 < kPrefixes.length; per *= 1e3) ++i;
  const decimals = size / per >= 999.5 ? 1 : size / per >= 99.5 ? 2 : 3;
  return scale(isBytes ? `${kPrefixes[i]!}B` : `${kPrefixes[i]!} ${word}`.trim(), per, decimals);
}

// A cell of such a column: "1,234.5"; "0" for exactly nothing; "<0.01" for less than the last decimal.
export function scaled(weight: number, scale: Scale): string {
  const value = weight / scale.per;
  if (!Number.isFinite(value)) return kUnknown;
  if (value === 0) return "0";
  const size = Math.abs(value);
  const sign = value < 0 ? kMinus : "";
  const least = 10 ** -scale.decimals;
  return size < least / 2 ? `<${sign}${least.toFixed(scale.decimals)}` : sign + fixed(size, scale.decimals);
}

// "+0.500", "−0.000" for less than the last decimal, "0" if equal.
export function scaledChange(before: number, after: number, scale: Scale): string {
  const value = (after - before) / scale.per;
  if (!Number.isFinite(value)) return kUnknown;
  return value === 0 ? "0" : (value < 0 ? kMinus : "+") + fixed(Math.abs(value), scale.decimals);
}

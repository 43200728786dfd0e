// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Durations, rounded as wick's terminal does (src/analyze/format.cc), and moments of a recording.

import { fixed, kMinus, kUnknown } from "./number";

// "12.04 s", "3.2 ms", "2 min 05 s"
export function duration(ns: number): string {
  if (!Number.isFinite(ns)) return kUnknown;
  const t = Math.abs(ns);
  const sign = ns < 0 ? kMinus : "";
  if (t === 0) return "0 s";
  if (t < 0.5) return `<${sign}1 ns`;
  if (t < 999.5) return `${sign}${fixed(t, 0)} ns`;
  if (t < 999.5e3) return `${sign}${fixed(t / 1e3, t < 99.95e3 ? 1 : 0)} µs`;
  if (t < 999.5e6) return `${sign}${fixed(t / 1e6, t < 99.95e6 ? 1 : 0)} ms`;
  if (t < 119.995e9) return `${sign}${fixed(t / 1e9, 2)} s`;
  const seconds = Math.round(t / 1e9);
  if (seconds < 7200) return `${sign}${Math.floor(seconds / 60)} min ${pad(seconds % 60)} s`;
  const minutes = Math.floor((seconds + 30) / 60);
  return `${sign}${fixed(Math.floor(minutes / 60), 0)} h ${pad(minutes % 60)} min`;
}

// A moment of the recording: "1.234 s", "2 min 05.250 s", "1 h 02 min 05.2 s". `stepNs` says how exact: of labels on an axis, their
// distance; of a moment under the mouse, about a pixel.
export function moment(ns: number, stepNs = 1e6): string {
  if (!Number.isFinite(ns)) return kUnknown;
  const decimals = stepDecimals(stepNs);
  const t = Math.abs(ns) / 1e9;
  const scale = 10 ** decimals;
  const whole = Math.round(t * scale) / scale; // rounds before it is split, so that no "60 s" comes out
  const sign = ns < 0 && whole > 0 ? kMinus : "";
  if (whole < 120) return `${sign}${fixed(whole, decimals)} s`;
  const minutes = Math.floor(whole / 60);
  const rest = fixed(Math.max(0, whole - 60 * minutes), decimals).padStart(decimals === 0 ? 2 : 3 + decimals, "0");
  if (minutes < 120) return `${sign}${minutes} min ${rest} s`;
  return `${sign}${fixed(Math.floor(minutes / 60), 0)} h ${pad(minutes % 60)} min ${rest} s`;
}

// A range of the recording: "1.200 s to 1.450 s (250 ms)".
export function range(beginNs: number, endNs: number): string {
  const step = Math.abs(endNs - beginNs) / 100;
  return `${moment(beginNs, step)} to ${moment(endNs, step)} (${duration(endNs - beginNs)})`;
}

// Decimals of seconds that tell apart moments with this distance.
function stepDecimals(stepNs: number): number {
  if (!(stepNs > 0)) return 9;
  for (let decimals = 0, step = 1e9; decimals < 9; ++decimals, step /= 10) {
    if (stepNs >= step * 0.999) return decimals;
  }
  return 9;
}

function pad(n: number): string {
  return String(n).padStart(2, "0");
}

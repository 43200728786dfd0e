// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { duration, moment, range } from "../../../web/src/format/duration";

test("durations round as in wick's terminal", () => {
  const cases: [number, string][] = [
    [0, "0 s"], [1, "1 ns"], [0.3, "<1 ns"], [999, "999 ns"], [999.7, "1.0 µs"], [1000, "1.0 µs"], [99_940, "99.9 µs"], [99_960, "100 µs"],
    [999_499, "999 µs"], [999_500, "1.0 ms"], [3_200_000, "3.2 ms"], [345e6, "345 ms"], [999.4e6, "999 ms"], [999.5e6, "1.00 s"],
    [1.234e9, "1.23 s"], [12.04e9, "12.04 s"], [119.99e9, "119.99 s"], [119.995e9, "2 min 00 s"], [125e9, "2 min 05 s"],
    [7199.4e9, "119 min 59 s"], [7200e9, "2 h 00 min"], [-30e6, "−30.0 ms"], [-125e9, "−2 min 05 s"], [2 ** 53, "2,502 h 00 min"],
    [NaN, "–"], [-Infinity, "–"],
  ];
  for (const [ns, want] of cases) assert.equal(duration(ns), want, String(ns));
});

test("moments are as exact as asked", () => {
  const cases: [number, number, string][] = [
    [0, 1e6, "0.000 s"], [1.2344e9, 1e6, "1.234 s"], [1.5e9, 1e9, "2 s"], [1.5e9, 0.5e9, "1.5 s"], [1.25e9, 0.25e9, "1.3 s"],
    [125.25e9, 1e6, "2 min 05.250 s"], [179.9999e9, 1e6, "3 min 00.000 s"], [125e9, 10e9, "2 min 05 s"], [3600e9 * 2 + 5e9, 1e9, "2 h 00 min 05 s"],
    [-0.1e6, 1e6, "0.000 s"], [-2e9, 1e9, "−2 s"], [1, 1, "0.000000001 s"], [5, 0, "0.000000005 s"], [NaN, 1, "–"],
  ];
  for (const [ns, step, want] of cases) assert.equal(moment(ns, step), want, `${ns} by ${step}`);
  assert.equal(range(1.2e9, 1.45e9), "1.200 s to 1.450 s (250 ms)");
});

test("extremes", () => {
  for (const ns of [0, 2 ** 53, -(2 ** 53), 1e300, 5e-324, NaN, Infinity]) {
    for (const step of [0, 1, 1e9, 1e300, NaN]) assert.doesNotMatch(`${duration(ns)} ${moment(ns, step)}`, /NaN|Infinity|\de[+-]?\d/);
  }
});

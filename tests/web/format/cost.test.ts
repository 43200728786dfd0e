// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { cost, costChange, scaled, scaledChange, scaleFor, type Unit } from "../../../web/src/format/cost";

const ns: Unit = { unit: "ns", divisor: 1 };
const samples: Unit = { unit: "samples", divisor: 1 };
const bytes: Unit = { unit: "bytes", divisor: 1 };
const cycles: Unit = { unit: "events", divisor: 1, name: "cycles:u" };
const thousandths: Unit = { unit: "samples", divisor: 1000 };

test("costs with their unit", () => {
  const cases: [number, Unit, string][] = [
    [1.234e9, ns, "1.23 s"], [345e6, ns, "345 ms"], [0, ns, "0 s"], [12.3e6, bytes, "12.3 MB"], [1234, bytes, "1,234 B"], [1, bytes, "1 B"],
    [1234, samples, "1,234 samples"], [1, samples, "1 sample"], [0, samples, "0 samples"], [123_456, samples, "123,456 samples"],
    [1_234_567, samples, "1.23 M samples"], [4.5e9, cycles, "4.50 G cycles"], [9999, cycles, "9,999 cycles"], [10_000, cycles, "10.0 k cycles"],
    [999_600, cycles, "1.00 M cycles"], [1, { unit: "events", divisor: 1, name: "cache-misses" }, "1 cache-miss"],
    [5, { unit: "events", divisor: 1, name: "sched:sched_switch" }, "5 events"], [2500, thousandths, "2.5 samples"], [1000, thousandths, "1 sample"],
    [1, { unit: "samples", divisor: 1e9 }, "<0.001 samples"], [12_345, { unit: "", divisor: 1 }, "12.3 k"], [7, { unit: "", divisor: 1 }, "7"],
    [2 ** 53, bytes, "9.01 PB"], [2 ** 53, cycles, "9.01 P cycles"], [1e300, cycles, ""], [-2500, cycles, "−2,500 cycles"],
    [2.5e9, { unit: "ns", divisor: 1000 }, "2.5 ms"], [5, { unit: "samples", divisor: 0 }, "5 samples"], [NaN, ns, "–"], [NaN, cycles, "–"],
    [Infinity, samples, "–"],
  ];
  for (const [weight, unit, want] of cases) {
    if (want !== "") assert.equal(cost(weight, unit), want);
    assert.doesNotMatch(cost(weight, unit), /NaN|Infinity|\de[+-]?\d/);
  }
  assert.equal(costChange(130e6, 260e6, ns), "+130 ms");
  assert.equal(costChange(30e6, 0, ns), "−30.0 ms");
  assert.equal(costChange(5, 5, ns), "0 s");
});

test("a column has one unit and one number of decimals", () => {
  const column = (weights: number[], unit: Unit) => {
    const scale = scaleFor(Math.max(...weights), unit);
    return [scale.unit, ...weights.map((w) => scaled(w, scale))];
  };
  assert.deepEqual(column([12.3456e9, 1e6, 0, 1e3], ns), ["s", "12.346", "0.001", "0", "<0.001"]);
  assert.deepEqual(column([345e6, 1e6, 40e3], ns), ["ms", "345.0", "1.0", "<0.1"]);
  assert.deepEqual(column([12e6, 5e3], ns), ["ms", "12.00", "0.01"]);
  assert.deepEqual(column([1500, 3], ns), ["µs", "1.5", "<0.1"]);
  assert.deepEqual(column([12_345e9], ns), ["s", "12,345.0"]);
  assert.deepEqual(column([123_456, 1], samples), ["samples", "123,456", "1"]);
  assert.deepEqual(column([4_500_000_000, 1_234], cycles), ["M cycles", "4,500.0", "<0.1"]);
  assert.deepEqual(column([12_300_000, 100], bytes), ["MB", "12.300", "<0.001"]);
  assert.deepEqual(column([0], ns), ["s", "0"]);
  assert.equal(scaled(NaN, scaleFor(NaN, ns)), "–");
  const scale = scaleFor(1e9, ns);
  assert.equal(scaledChange(1e9, 1.5e9, scale), "+0.500");
  assert.equal(scaledChange(1e9, 0, scale), "−1.000");
  assert.equal(scaledChange(1, 2, scale), "+0.000");
  assert.equal(scaledChange(2, 1, scale), "−0.000");
  assert.equal(scaledChange(2, 2, scale), "0");
});

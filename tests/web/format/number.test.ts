// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { change, count, countOf, percent, points, share, shownAddress } from "../../../web/src/format/number";

const kExtremes = [0, -0, 1, -1, 0.4, -0.4, 1e-12, 2 ** 53, -(2 ** 53), 1e21, 1e300, -1e300, 5e-324, Infinity, -Infinity, NaN];

test("counts have thousands separators", () => {
  const cases: [number, string][] = [
    [0, "0"], [-0, "0"], [999, "999"], [1000, "1,000"], [1234567, "1,234,567"], [-1234, "−1,234"], [0.4, "0"], [-0.4, "0"],
    [2 ** 53, "9,007,199,254,740,992"], [1e21, "1,000,000,000,000,000,000,000"], [NaN, "–"], [Infinity, "–"],
  ];
  for (const [n, want] of cases) assert.equal(count(n), want, String(n));
});

test("counts with their word", () => {
  assert.equal(countOf(1, "sample"), "1 sample");
  assert.equal(countOf(0, "sample"), "0 samples");
  assert.equal(countOf(1204, "sample"), "1,204 samples");
  assert.equal(countOf(2, "process", "processes"), "2 processes");
});

test("shares have one decimal", () => {
  const cases: [number, number, string][] = [
    [0, 0, "0.0%"], [5, 0, "0.0%"], [0, 7, "0.0%"], [1, 1, "100.0%"], [1, 3, "33.3%"], [123, 1000, "12.3%"], [1, 1000, "0.1%"],
    [49, 100_000, "<0.1%"], [50, 100_000, "0.1%"], [1, 2 ** 53, "<0.1%"], [-123, 1000, "−12.3%"], [-1, 100_000, "−0.0%"],
    [20, 10, "200.0%"], [NaN, 10, "–"], [10, NaN, "–"],
  ];
  for (const [part, whole, want] of cases) assert.equal(share(part, whole), want, `${part} of ${whole}`);
});

test("changes", () => {
  const cases: [number, number, string][] = [
    [100, 112.3, "+12.3%"], [100, 95.5, "−4.5%"], [0, 5, "new"], [5, 0, "gone"], [0, 0, "0.0%"], [5, 5, "0.0%"],
    [1e6, 1e6 + 1, "+0.0%"], [1e6, 1e6 - 1, "−0.0%"], [1, 11, "+1,000%"], [1, 2 ** 53, ">+999,999%"], [100, 50, "−50.0%"],
    [NaN, 1, "–"], [1, NaN, "–"], [1, Infinity, "–"], [10, 109.99, "+999.9%"], [10, 109.999, "+1,000%"],
  ];
  for (const [before, after, want] of cases) assert.equal(change(before, after), want, `${before} to ${after}`);
});

test("percentage points", () => {
  const cases: [number, string][] = [[0.182, "+18.2 pp"], [-0.086, "−8.6 pp"], [0, "0.0 pp"], [1e-6, "+0.0 pp"], [-1e-6, "−0.0 pp"], [NaN, "–"]];
  for (const [x, want] of cases) assert.equal(points(x), want);
});

test("extremes never show NaN, infinity or an exponent", () => {
  for (const a of kExtremes) {
    for (const text of [count(a), percent(a), points(a), countOf(a, "x"), ...kExtremes.flatMap((b) => [share(a, b), change(a, b)])]) {
      assert.doesNotMatch(text, /NaN|Infinity|\de[+-]?\d|undefined/, text);
    }
  }
});

test("addresses of programs, generated code and the kernel", () => {
  const cases: [bigint, string][] = [
    [0n, "0"], [0x401136n, "401136"], [0x7f1234567890n, "7f1234567890"], [0xffffffff81000014n, "ffffffff81000014"],
    [0xffff800008010fffn, "ffff800008010fff"], [0xfff8000000000001n, "fff8000000000001"],
  ];
  for (const [address, want] of cases) assert.equal(shownAddress(Number(address & 0xf_ffff_ffff_ffffn)), want);
});

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { columnsOf } from "../../../web/src/draw/zoom";

const whole = { from: 0, to: 1_000_000 };

test("columns are whole units, cover the target, and stay in place while it moves", () => {
  for (const width of [1, 300, 1280, 5000]) {
    for (const length of [3, 700, 99_999, 1_000_000]) {
      const seen = new Set<number>();
      for (let i = 0; i < 20; ++i) {
        const begin = Math.min(whole.to - length, i * 37.5);
        const { from, to, pixels } = columnsOf({ from: begin, to: begin + length }, 0, whole, width);
        const step = (to - from) / pixels;
        assert.ok(Number.isInteger(step) && step >= 1 && from % step === 0);
        assert.ok(from <= begin && to >= begin + length - 1e-9);
        assert.ok(pixels <= 2 * Math.max(width, 1) + 2 || step === 1);
        seen.add(step);
      }
      assert.equal(seen.size, 1);
    }
  }
});

test("columns do not begin before the recording", () => {
  assert.equal(columnsOf({ from: 10, to: 110 }, 50, whole, 100).from, 0);
  assert.ok(columnsOf({ from: 999_900, to: 1_000_000 }, 50, whole, 100).to <= 1_000_000 + 1);
});

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import {
  boxSet, contentHeight, firstEndingAfter, flameBoxSet, hit, kRow, levelAt, levelTop, scrollToLevel, visibleLevels, type Rows,
} from "../../../web/src/draw/layout";
import { ancestorLevels } from "../../../web/src/draw/boxes";
import { chain, flame, kSmall } from "./boxes";

test("boxes are found by level and place", () => {
  const boxes = flame(kSmall);
  const set = flameBoxSet(boxes);
  const keyAt = (level: number, x: number, slack = 0) => {
    const row = hit(set, level, x, slack);
    return row < 0 ? -1 : set.key[row];
  };
  assert.equal(set.levels, 4);
  assert.equal(keyAt(1, 0.5), 1);
  assert.equal(keyAt(1, 0.9), 6);
  assert.equal(keyAt(2, 0.1), 2);
  assert.equal(keyAt(2, 0.6), 5);
  assert.equal(keyAt(2, 0.95), -1, "nothing above e");
  assert.equal(keyAt(3, 0.29), 3);
  assert.equal(keyAt(3, 0.31), 4);
  assert.equal(keyAt(4, 0.1), -1);
  assert.equal(keyAt(-1, 0.1), -1);
});

test("a box next to the mouse is found within the slack, the nearest first", () => {
  const set = boxSet(3, Uint32Array.of(7, 8, 9), Uint32Array.of(0, 0, 0), Float64Array.of(1, 5, 5.5), Float64Array.of(2, 5.1, 6));
  const at = (x: number, slack: number) => hit(set, 0, x, slack);
  assert.equal(at(2.5, 0), -1);
  assert.equal(at(2.5, 1), 0);
  assert.equal(at(4.8, 1), 1);
  assert.equal(at(5.2, 1), 1);
  assert.equal(at(5.45, 1), 2);
  assert.equal(at(5.05, 0), 1);
  assert.equal(at(9, 2), -1);
});

test("hits agree with a search through all boxes", () => {
  let seed = 7;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  for (let round = 0; round < 50; ++round) {
    const begin: number[] = [], end: number[] = [], depth: number[] = [];
    for (let level = 0; level < 5; ++level) {
      for (let x = random(); x < 10; x += random() * 0.7) {
        const next = x + random();
        begin.push(x); end.push(next); depth.push(level);
        x = next;
      }
    }
    // Shuffled: the rows of a level need not come from left to right.
    const order = begin.map((_, i) => i).sort(() => random() - 0.5);
    const set = boxSet(order.length, new Uint32Array(order.length), Uint32Array.from(order.map((i) => depth[i]!)),
      Float64Array.from(order.map((i) => begin[i]!)), Float64Array.from(order.map((i) => end[i]!)));
    for (let i = 0; i < 100; ++i) {
      const [level, x] = [Math.floor(random() * 6), random() * 11];
      let want = -1;
      for (let row = 0; row < set.count; ++row) if (set.depth[row] === level && set.begin[row]! <= x && x < set.end[row]!) want = row;
      assert.equal(hit(set, level, x, 0), want);
    }
  }
});

test("only visible levels are visited", () => {
  const set = flameBoxSet(flame(chain(10_000)));
  assert.equal(set.levels, 10_001);
  for (const rootAtBottom of [false, true]) {
    for (const scroll of [0, 5, 90_000, contentHeight(10_001, 700) - 700]) {
      const rows: Rows = { levels: 10_001, height: 700, scroll, rootAtBottom };
      const { begin, end } = visibleLevels(rows);
      assert.ok(end - begin <= 700 / kRow + 2, `${end - begin}`);
      for (let level = Math.max(0, begin - 3); level < Math.min(10_001, end + 3); ++level) {
        const top = levelTop(rows, level);
        const seen = top + kRow > 1e-3 && top < 700 - 1e-3;
        assert.equal(level >= begin && level < end, seen, `level ${level} at ${top}`);
      }
    }
  }
});

test("the root is at the bottom of a flame graph and at the top of an icicle", () => {
  const flameRows: Rows = { levels: 3, height: 180, scroll: 0, rootAtBottom: true };
  assert.equal(levelTop(flameRows, 0), 180 - kRow);
  assert.equal(levelTop(flameRows, 2), 180 - 3 * kRow);
  assert.equal(levelAt(flameRows, 179), 0);
  assert.equal(levelAt(flameRows, 180 - kRow - 1), 1);
  const icicle: Rows = { ...flameRows, rootAtBottom: false };
  assert.equal(levelTop(icicle, 0), 0);
  assert.equal(levelAt(icicle, 0), 0);
  assert.equal(levelAt(icicle, kRow), 1);
  for (const rows of [flameRows, icicle]) {
    for (let level = 0; level < 3; ++level) {
      for (const y of [0, 1, kRow - 1]) assert.equal(levelAt(rows, levelTop(rows, level) + y), level);
    }
  }
});

test("scrolling to a level moves as little as needed", () => {
  const rows: Rows = { levels: 1000, height: 180, scroll: 900, rootAtBottom: false };
  assert.equal(scrollToLevel(rows, 52), 900, "visible already");
  assert.equal(scrollToLevel(rows, 10, 0), 180);
  assert.equal(scrollToLevel(rows, 100, 0), 101 * kRow - 180);
  assert.equal(scrollToLevel(rows, 0), 0);
  assert.equal(scrollToLevel(rows, 999), 1000 * kRow - 180);
  for (const rootAtBottom of [false, true]) {
    for (const level of [0, 1, 17, 500, 998, 999]) {
      const scroll = scrollToLevel({ ...rows, rootAtBottom }, level);
      const top = levelTop({ ...rows, rootAtBottom, scroll }, level);
      assert.ok(top >= 0 && top + kRow <= 180, `${level}: ${top}`);
    }
  }
  assert.equal(scrollToLevel({ levels: 2, height: 180, scroll: 0, rootAtBottom: true }, 0), 0, "all fits");
});

test("levels above the zoomed box are its ancestors", () => {
  const set = flameBoxSet(flame(kSmall));
  assert.equal(ancestorLevels(set, { from: 0, to: 1 }), 0);
  assert.equal(ancestorLevels(set, { from: 0, to: 0.8 }), 1, "main fills the span, the root is wider");
  assert.equal(ancestorLevels(set, { from: 0, to: 0.3 }), 3);
  assert.equal(ancestorLevels(set, { from: 0.1, to: 0.7 }), 2, "a free span: root and main cover it, a and d do not");
});

test("the first box that ends after a place", () => {
  const set = flameBoxSet(flame(kSmall));
  assert.equal(set.key[set.order[firstEndingAfter(set, 1, 0.8)]!], 6);
  assert.equal(firstEndingAfter(set, 1, 1), set.first[2]);
});

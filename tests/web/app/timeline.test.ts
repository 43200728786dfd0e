// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { panAxis, tickLabel, ticks, tickStep, toTime, toX, zoomAxis, type Axis } from "../../../web/src/app/axis";
import { dragTo, gripAt, moved, ordered, resized, type Range } from "../../../web/src/app/brush";
import { cellAt, cellsOfRange, rangeOfCells, stripe } from "../../../web/src/views/heat_cells";

test("labels of the axis are round and far enough apart", () => {
  const cases: [lengthNs: number, width: number, step: number][] = [
    [10e9, 1000, 1e9], [1e9, 1000, 100e6], [3e9, 1000, 500e6], [60e9, 1000, 10e9], [600e9, 1000, 60e9], [3600e9, 1000, 600e9], [1000, 1000, 100], [5, 1000, 1],
    [365 * 86400e9, 1000, 33 * 86400e9],
  ];
  for (const [length, width, step] of cases) assert.equal(tickStep(length, width), step, `${length} ns in ${width} pixels`);
  for (let length = 7; length < 1e17; length *= 1.7) {
    for (const width of [1, 80, 333, 1000, 4000]) {
      const { step, at } = ticks(0, length, width);
      assert.equal(at[0], 0);
      assert.ok(step >= 1 && Number.isFinite(step));
      assert.ok((step / length) * width >= 89 || step === 1, `${length} ns in ${width} pixels: ${step}`);
      assert.ok(at.length <= width / 89 + 2 || step === 1);
      const labels = at.map((ns) => tickLabel(ns, step));
      assert.equal(new Set(labels).size, labels.length, `${length} ns: ${labels.join(" ")}`);
    }
  }
});

test("labels of a part of the axis", () => {
  assert.deepEqual(ticks(2.3e9, 4.1e9, 400), { step: 500e6, at: [2.5e9, 3e9, 3.5e9, 4e9] });
  assert.deepEqual(ticks(5, 5, 100).at, [5]);
});

test("whole minutes have no seconds", () => {
  assert.equal(tickLabel(240e9, 120e9), "4 min");
  assert.equal(tickLabel(250e9, 10e9), "4 min 10 s");
  assert.equal(tickLabel(0, 120e9), "0 s");
  assert.equal(tickLabel(2.5e9, 500e6), "2.5 s");
});

test("moments and pixels", () => {
  const axis: Axis = { begin: 100, end: 300, width: 400 };
  assert.equal(toX(axis, 150), 100);
  assert.equal(toTime(axis, 100), 150);
  assert.equal(toTime({ begin: 0, end: 10, width: 0 }, 0), 0);
});

test("zooming keeps the moment under the pointer, and stays within the recording", () => {
  let axis: Axis = { begin: 0, end: 1000, width: 500 };
  for (const [factor, x] of [[0.5, 100], [0.5, 400], [0.9, 0], [3, 250], [1.1, 499], [0.001, 250], [1e6, 0]] as const) {
    const at = toTime(axis, x);
    const next = zoomAxis(axis, factor, at, 1000, 20);
    assert.ok(next.begin >= 0 && next.end <= 1000 && next.end - next.begin >= 20 - 1e-9);
    if (factor < 1) assert.ok(Math.abs(toX(next, at) - x) < 1e-6 || next.begin === 0 || next.end === 1000);
    axis = next;
  }
  assert.deepEqual([axis.begin, axis.end], [0, 1000]);
  const part = { begin: 100, end: 200, width: 100 };
  assert.deepEqual(panAxis(part, 50, 1000), { begin: 150, end: 250, width: 100 });
  assert.deepEqual(panAxis(part, -500, 1000), { begin: 0, end: 100, width: 100 });
  assert.deepEqual(panAxis(part, 5000, 1000), { begin: 900, end: 1000, width: 100 });
});

test("what a press takes hold of", () => {
  assert.equal(gripAt(50, 100, 200, true), "new");
  assert.equal(gripAt(97, 100, 200, false), "begin");
  assert.equal(gripAt(203, 100, 200, false), "end");
  assert.equal(gripAt(150, 100, 200, true), "move");
  assert.equal(gripAt(150, 100, 200, false), "new");
  assert.equal(gripAt(99, 100, 102, true), "begin");
  assert.equal(gripAt(103, 100, 102, true), "end");
});

test("dragging makes, resizes and moves a range", () => {
  const from: Range = [100, 200];
  assert.deepEqual(dragTo({ grip: "new", at: 50.7, from: null }, 80.2, 1000), [50, 81]);
  assert.deepEqual(dragTo({ grip: "new", at: 80, from }, 50, 1000), [50, 80]);
  assert.deepEqual(dragTo({ grip: "begin", at: 100, from }, 150, 1000), [150, 200]);
  assert.deepEqual(dragTo({ grip: "begin", at: 100, from }, 250, 1000), [200, 250], "past the other edge");
  assert.deepEqual(dragTo({ grip: "end", at: 200, from }, 5000, 1000), [100, 1000]);
  assert.deepEqual(dragTo({ grip: "move", at: 150, from }, 170, 1000), [120, 220]);
  assert.deepEqual(dragTo({ grip: "move", at: 150, from }, -999, 1000), [0, 100]);
  assert.deepEqual(dragTo({ grip: "move", at: 150, from }, 9999, 1000), [900, 1000]);
});

test("ranges are never empty and never outside", () => {
  assert.deepEqual(ordered(5, 5, 10), [5, 6]);
  assert.deepEqual(ordered(10, 10, 10), [9, 10]);
  assert.deepEqual(ordered(-5, -3, 10), [0, 1]);
  assert.deepEqual(ordered(20, 30, 10), [9, 10]);
  let range: Range = [40, 60];
  let seed = 1;
  for (let i = 0; i < 5000; ++i) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    const by = (seed % 101) - 50;
    range = i % 3 === 0 ? moved(range, by, 100) : resized(range, i % 2 === 0 ? "begin" : "end", by, 100);
    assert.ok(Number.isInteger(range[0]) && Number.isInteger(range[1]) && range[0] >= 0 && range[0] < range[1] && range[1] <= 100, String(range));
  }
});

test("cells of the heat map", () => {
  const grid = { columns: 10, rows: 50, columnTime: 1000 };
  const box = { x: 50, y: 10, width: 100, height: 500 };
  assert.equal(cellAt(grid, box, 50, 509), 0);
  assert.equal(cellAt(grid, box, 50, 11), 49);
  assert.equal(cellAt(grid, box, 149, 509), 450);
  assert.equal(cellAt(grid, box, -999, 9999), 0);
  assert.equal(cellAt(grid, box, 9999, -999), 499);
  assert.deepEqual(rangeOfCells(grid, 0, 0, 10_000), [0, 20]);
  assert.deepEqual(rangeOfCells(grid, 75, 50, 10_000), [1000, 1520]);
  assert.deepEqual(rangeOfCells(grid, 499, 499, 9985), [9980, 9985]);
  for (const [a, b] of [[0, 0], [3, 77], [50, 99], [120, 499]] as const) assert.deepEqual(cellsOfRange(grid, rangeOfCells(grid, a, b, 10_000)), [a, b]);
});

test("a stripe covers its cells", () => {
  const grid = { columns: 10, rows: 50, columnTime: 1000 };
  const box = { x: 0, y: 0, width: 10, height: 50 };
  const area = (first: number, last: number) => stripe(grid, box, first, last).reduce((sum, x) => sum + x.width * x.height, 0);
  for (const [a, b] of [[0, 0], [3, 49], [3, 50], [49, 50], [0, 499], [120, 333]] as const) assert.equal(Math.round(area(a, b)), b - a + 1);
  assert.deepEqual(stripe(grid, box, 0, 1), [{ x: 0, y: 48, width: 1, height: 2 }]);
});

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { flameBoxSet } from "../../../web/src/draw/layout";
import { deepestOf, heaviestPath, isWithin, move, nextMatch, pathOf, rowOf, samePath, widerAncestor, type Step } from "../../../web/src/draw/tree";
import { chain, flame, kSmall, type Call } from "./boxes";

const boxes = flame(kSmall);
const set = flameBoxSet(boxes);
const keys = (rows: number[]) => rows.map((row) => boxes.key[row]);

test("paths and rows", () => {
  for (let row = 0; row < boxes.count; ++row) assert.equal(rowOf(boxes, pathOf(boxes, row)), row);
  assert.deepEqual(pathOf(boxes, rowOf(boxes, [1, 2, 4])), [1, 2, 4]);
  assert.equal(rowOf(boxes, []), 0);
  assert.equal(rowOf(boxes, [1, 6]), -1);
  assert.equal(rowOf(boxes, [2]), -1);
  assert.equal(rowOf(boxes, [1, 2, 3, 3]), -1);
  assert.equal(deepestOf(boxes, [1, 2, 99, 3]).length, 2);
  assert.ok(isWithin([1, 2, 3], [1, 2]) && isWithin([1], []) && !isWithin([1], [1, 2]) && !isWithin([1, 2], [2]));
  assert.ok(samePath([1, 2], [1, 2]) && !samePath([1, 2], [1]));
});

test("the same function in several places has several paths", () => {
  const recursive = flame([{ key: 1, self: 1, calls: [{ key: 1, self: 2, calls: [{ key: 2, self: 3 }] }, { key: 2, self: 1 }] }]);
  for (let row = 0; row < recursive.count; ++row) assert.equal(rowOf(recursive, pathOf(recursive, row)), row);
});

test("arrow keys move by frame", () => {
  const go = (path: number[], step: Step) => pathOf(boxes, move(boxes, set, rowOf(boxes, path), step));
  assert.deepEqual(go([1, 2], "caller"), [1]);
  assert.deepEqual(go([1], "caller"), []);
  assert.deepEqual(go([], "caller"), []);
  assert.deepEqual(go([], "callee"), [1]);
  assert.deepEqual(go([1], "callee"), [1, 2], "the widest callee");
  assert.deepEqual(go([1, 2], "callee"), [1, 2, 3]);
  assert.deepEqual(go([1, 2, 3], "callee"), [1, 2, 3], "a leaf");
  assert.deepEqual(go([1, 2, 3], "right"), [1, 2, 4]);
  assert.deepEqual(go([1, 2, 4], "left"), [1, 2, 3]);
  assert.deepEqual(go([1], "right"), [6]);
  assert.deepEqual(go([6], "right"), [6]);
  assert.deepEqual(go([1, 2], "left"), [1, 2]);
  assert.deepEqual(go([1, 2], "first"), []);
  assert.deepEqual(go([], "last"), [1, 2, 3]);
  assert.equal(move(boxes, set, -1, "left"), 0);
  assert.equal(move(boxes, set, 999, "left"), 0);
});

test("every box can be reached by keys", () => {
  let seed = 3;
  const random = (n: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
  const calls: Call[] = [{ key: 0, self: 1, calls: [] }];
  const all = [...calls];
  for (let i = 1; i < 300; ++i) {
    const call: Call = { key: i, self: 1 + random(5), calls: [] };
    all[random(all.length)]!.calls!.push(call);
    all.push(call);
  }
  const big = flame(calls);
  const bigSet = flameBoxSet(big);
  const seen = new Set([0]);
  for (const todo = [0]; todo.length > 0; ) {
    const row = todo.pop()!;
    for (const step of ["caller", "callee", "left", "right"] as const) {
      const next = move(big, bigSet, row, step);
      if (!seen.has(next)) todo.push(next);
      seen.add(next);
    }
  }
  assert.equal(seen.size, 301);
});

test("the heaviest path ends where boxes get narrow", () => {
  assert.deepEqual(keys(heaviestPath(boxes, 0, 0)), [1, 2, 3]);
  assert.deepEqual(keys(heaviestPath(boxes, 0, 0.4)), [1, 2]);
  assert.deepEqual(keys(heaviestPath(boxes, 0, 0.9)), []);
  assert.deepEqual(keys(heaviestPath(boxes, rowOf(boxes, [6]), 0)), []);
});

test("zooming out skips ancestors of the same width", () => {
  const deep = flame([{ key: 1, self: 0, calls: [{ key: 2, self: 0, calls: [{ key: 3, self: 5 }, { key: 4, self: 5 }] }] }]);
  assert.deepEqual(pathOf(deep, widerAncestor(deep, rowOf(deep, [1, 2, 3]))), [1, 2]);
  assert.equal(widerAncestor(deep, rowOf(deep, [1, 2])), 0);
  assert.equal(widerAncestor(deep, 0), 0);
});

test("10,000 levels", () => {
  const deep = flame(chain(10_000));
  const deepSet = flameBoxSet(deep);
  assert.equal(heaviestPath(deep, 0, 0).length, 10_000);
  assert.equal(pathOf(deep, deep.count - 1).length, 10_000);
  assert.equal(rowOf(deep, pathOf(deep, 9_999)), 9_999);
  assert.equal(move(deep, deepSet, 5_000, "callee"), 5_001);
  assert.equal(widerAncestor(deep, 10_000), 0);
});

test("matches are visited in order and around", () => {
  const matches = (key: number) => key === 3 || key === 5 || key === 6;
  const walk = (row: number, direction: 1 | -1, n: number) => {
    const seen: (number | undefined)[] = [];
    for (let i = 0; i < n; ++i) seen.push(boxes.key[(row = nextMatch(boxes, matches, row, direction))]);
    return seen;
  };
  assert.deepEqual(walk(-1, 1, 4), [3, 5, 6, 3]);
  assert.deepEqual(walk(-1, -1, 4), [6, 5, 3, 6]);
  assert.deepEqual(walk(rowOf(boxes, [1, 5]), 1, 1), [6]);
  assert.equal(nextMatch(boxes, () => false, 0, 1), -1);
  assert.equal(nextMatch(boxes, (key) => key === 2, rowOf(boxes, [1, 2]), 1), rowOf(boxes, [1, 2]), "the only match");
});

test("direct recursion counts as one match", () => {
  const recursive = flame([{ key: 1, self: 1, calls: [{ key: 1, self: 1, calls: [{ key: 1, self: 1 }] }] }, { key: 2, self: 1 }]);
  const first = nextMatch(recursive, (key) => key === 1, -1, 1);
  assert.equal(recursive.depth[first], 1);
  assert.equal(nextMatch(recursive, (key) => key === 1, first, 1), first);
});

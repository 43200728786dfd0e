// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import {
  alignText, endOf, findPath, indentStep, isCheap, matches, moved, openPaths, parentOf, pathOf, rowWindow, scrollTo, searchPattern, startsWith,
} from "../../../web/src/views/rows";

test("the window has the visible rows and some more, never more than there are", () => {
  assert.deepEqual(rowWindow(0, 440, 22, 100, 0), [0, 20]);
  assert.deepEqual(rowWindow(11, 440, 22, 100, 0), [0, 21]);
  assert.deepEqual(rowWindow(220, 440, 22, 100, 5), [5, 35]);
  assert.deepEqual(rowWindow(2200, 440, 22, 100, 5), [95, 100]);
  assert.deepEqual(rowWindow(0, 440, 22, 0, 5), [0, 0]);
  assert.deepEqual(rowWindow(5000, 440, 22, 3, 0), [3, 3]); // rows went away, the scroll position did not yet
  assert.deepEqual(rowWindow(0, 0, 22, 10, 0), [0, 0]);
  assert.deepEqual(rowWindow(0, -6, 22, 10, 0), [0, 0]);
  for (let top = 0; top < 3000; top += 7) {
    const [first, end] = rowWindow(top, 300, 22, 100, 3);
    assert.ok(first >= 0 && first <= end && end <= 100);
    for (let row = 0; row < 100; ++row) {
      if (row * 22 < top + 300 && row * 22 + 22 > top) assert.ok(row >= first && row < end, `row ${row} at ${top}`);
    }
  }
});

test("scrolling moves as little as needed, or to the middle", () => {
  assert.equal(scrollTo(5, 0, 220, 22), 0);
  assert.equal(scrollTo(10, 0, 220, 22), 22);
  assert.equal(scrollTo(4, 110, 220, 22), 88);
  assert.equal(scrollTo(500, 0, 220, 22), 500 * 22 - 99);
  assert.equal(scrollTo(0, 1000, 220, 22), 0);
  for (const [index, top] of [[0, 999], [50, 0], [50, 5000], [99, 100]] as const) {
    const to = scrollTo(index, top, 220, 22);
    assert.ok(to <= index * 22 && to + 220 >= index * 22 + 22);
  }
});

test("keys move the cursor within the rows", () => {
  assert.equal(moved("ArrowDown", -1, 10, 4), 0);
  assert.equal(moved("ArrowUp", -1, 10, 4), 0);
  assert.equal(moved("ArrowDown", 9, 10, 4), 9);
  assert.equal(moved("ArrowUp", 0, 10, 4), 0);
  assert.equal(moved("PageDown", 0, 10, 4), 4);
  assert.equal(moved("PageUp", 2, 10, 4), 0);
  assert.equal(moved("Home", 5, 10, 4), 0);
  assert.equal(moved("End", 5, 10, 4), 9);
  assert.equal(moved("x", 5, 10, 4), -1);
  assert.equal(moved("ArrowDown", 5, 0, 4), -1);
});

// 1 → (2 → (3, 4), 5), 6
const rows = [
  { key: 1, depth: 0, open: true },
  { key: 2, depth: 1, open: true },
  { key: 3, depth: 2, open: false },
  { key: 4, depth: 2, open: false },
  { key: 5, depth: 1, open: false },
  { key: 6, depth: 0, open: false },
];

test("paths follow from depths", () => {
  const paths = rows.map((_, i) => pathOf(rows, i));
  assert.deepEqual(paths, [[1], [1, 2], [1, 2, 3], [1, 2, 4], [1, 5], [6]]);
  paths.forEach((path, i) => assert.equal(findPath(rows, path), i));
  for (const path of [[], [7], [1, 3], [2], [1, 2, 3, 4], [6, 1], [1, 6]]) assert.equal(findPath(rows, path), -1, String(path));
  assert.deepEqual(pathOf(rows, 99), []);
  assert.deepEqual(rows.map((_, i) => parentOf(rows, i)), [-1, 0, 1, 1, 0, -1]);
  assert.deepEqual(rows.map((_, i) => endOf(rows, i)), [5, 4, 3, 4, 5, 6]);
});

test("only the innermost open paths are kept", () => {
  assert.deepEqual(openPaths(rows), [[1, 2]]);
  assert.deepEqual(openPaths([]), []);
  assert.deepEqual(openPaths(rows.map((row, i) => ({ ...row, open: i === 0 }))), [[1]]);
  assert.deepEqual(openPaths(rows.map((row) => ({ ...row, open: row.depth < 2 }))), [[1, 2], [1, 5], [6]]);
  assert.ok(startsWith([1, 2, 3], [1, 2]) && startsWith([1], []) && !startsWith([1], [1, 2]) && !startsWith([2, 2], [1]));
});

test("a path of 10,000 levels", () => {
  const deep = Array.from({ length: 10_000 }, (_, depth) => ({ key: 7, depth, open: depth < 9_999 }));
  const start = performance.now();
  assert.equal(pathOf(deep, 9_999).length, 10_000);
  assert.equal(findPath(deep, pathOf(deep, 9_999)), 9_999);
  assert.deepEqual(openPaths(deep).map((path) => path.length), [9_999]);
  assert.ok(performance.now() - start < 500);
});

test("deep trees are indented less", () => {
  assert.equal(indentStep(5, 600), 14);
  assert.equal(indentStep(0, 600), 14);
  assert.ok(indentStep(50, 600) * 50 <= 270);
  assert.equal(indentStep(10_000, 600), 3);
});

test("searches ignore case unless they have an upper-case letter", () => {
  assert.equal(searchPattern(""), null);
  assert.equal(searchPattern("("), null);
  assert.deepEqual(matches("Foo foo", searchPattern("foo")), [[0, 3], [4, 7]]);
  assert.deepEqual(matches("Foo foo", searchPattern("Foo")), [[0, 3]]);
  assert.deepEqual(matches("Foo foo", searchPattern("\\Woo")), []);
  assert.deepEqual(matches("aFOO", searchPattern("\\Dfoo")), [[0, 4]]);
  assert.deepEqual(matches("abc", searchPattern("x*")), []);
  assert.equal(matches("a".repeat(1000), searchPattern("a")).length, 20);
  assert.deepEqual(matches("abc", null), []);
});

test("copied text has aligned columns", () => {
  assert.equal(alignText(["Self", "Name"], [["1.0", "a"], ["123.45", "b b"]], [true, false]), "  Self  Name\n   1.0  a\n123.45  b b\n");
});

test("expressions that may take ages are not looked for in shown names", () => {
  for (const pattern of ["alloc", "alloc|Glyph.*merge", "std::.*<.*>", "^operator\\(\\)$", "[a-z]+_free", "(alloc|free)$", "a{3}", "a?b"]) assert.ok(isCheap(pattern, 100), pattern);
  const exploding = ["(a+)+$", "(?:a|a)*$", "(a|aa)+$", "(a{0,30}){0,30}$", "(.*)\\1\\1$", ".*.*.*.*.*!", "a{0,99}a{0,99}a{0,99}a{0,99}a{0,99}!", "(a|a)".repeat(30) + "!", "a?".repeat(40) + "a{40}"];
  const text = "a".repeat(100);
  for (const pattern of exploding) {
    assert.ok(!isCheap(pattern, text.length), pattern);
    assert.deepEqual(matches(text, searchPattern(pattern)), []);
  }
  // What is allowed ends soon, even on the worst text.
  const begin = performance.now();
  for (const pattern of ["a+a+!", "(a|a)(a|a)(a|a)(a|a)a*!", "a?a?a?a?a*!"]) {
    assert.ok(isCheap(pattern, text.length), pattern);
    assert.deepEqual(matches(text, searchPattern(pattern)), []);
  }
  assert.ok(performance.now() - begin < 5000);
});

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Boxes of a flame graph as a tree: paths, movement by keys, search. No recursion: stacks may be 10,000 levels deep.

import { kNone, type FlameBoxes } from "../engine/api";
import type { BoxSet } from "./layout";

// Keys from the outermost box to the row, without the root.
export function pathOf(boxes: FlameBoxes, row: number): number[] {
  const path: number[] = [];
  for (let i = row; i > 0; i = boxes.parent[i]!) path.push(boxes.key[i]!);
  return path.reverse();
}

// The row of a path; -1 if there is none, 0 for the empty path.
export function rowOf(boxes: FlameBoxes, path: readonly number[]): number {
  if (boxes.count === 0) return -1;
  const { row, length } = deepestOf(boxes, path);
  return length === path.length ? row : -1;
}

// The deepest row that a path leads to, and how many of its keys do.
export function deepestOf(boxes: FlameBoxes, path: readonly number[]): { row: number; length: number } {
  let row = 0;
  let length = 0;
  // Rows are depth first, so that the wanted child comes after its parent and before the next row that is not deeper.
  for (let i = 1; i < boxes.count && length < path.length; ++i) {
    const depth = boxes.depth[i]!;
    if (depth <= boxes.depth[row]!) break;
    if (boxes.parent[i] === row && boxes.key[i] === path[length]) {
      row = i;
      ++length;
    }
  }
  return { row, length };
}

export function isWithin(path: readonly number[], ancestor: readonly number[]): boolean {
  return ancestor.length <= path.length && ancestor.every((key, i) => path[i] === key);
}

export function samePath(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && isWithin(a, b);
}

export type Step = "caller" | "callee" | "left" | "right" | "first" | "last";

// Where a key moves from a row; the row itself if there is nothing in that direction.
export function move(boxes: FlameBoxes, set: BoxSet, row: number, step: Step): number {
  if (row < 0 || row >= boxes.count) return boxes.count > 0 ? 0 : -1;
  switch (step) {
    case "caller":
      return Math.max(0, boxes.parent[row]!);
    case "callee": {
      const child = widestChildren(boxes)[row]!;
      return child < 0 ? row : child;
    }
    case "first":
      return 0;
    case "last":
      return heaviestPath(boxes, row, 0).pop() ?? row;
    default: {
      const level = boxes.depth[row]!;
      const rows = set.order.subarray(set.first[level]!, set.first[level + 1]!);
      const at = rows.indexOf(row) + (step === "left" ? -1 : 1);
      return at >= 0 && at < rows.length ? rows[at]! : row;
    }
  }
}

// By row: its widest child, the first of equal ones; -1 if it has none.
function widestChildren(boxes: FlameBoxes): Int32Array {
  const widest = new Int32Array(boxes.count).fill(-1);
  for (let i = 1; i < boxes.count; ++i) {
    const parent = boxes.parent[i]!;
    if (widest[parent]! < 0 || boxes.width[i]! > boxes.width[widest[parent]!]!) widest[parent] = i;
  }
  return widest;
}

// From a row along the widest callees, as long as they are at least `least` wide; without the row itself.
export function heaviestPath(boxes: FlameBoxes, row: number, least: number): number[] {
  const widest = widestChildren(boxes);
  const path: number[] = [];
  for (let i = widest[row] ?? -1; i >= 0 && boxes.width[i]! >= least; i = widest[i]!) path.push(i);
  return path;
}

// The next ancestor that is wider by at least a hundredth; 0 at last.
export function widerAncestor(boxes: FlameBoxes, row: number): number {
  let i = row;
  while (i > 0 && boxes.width[i]! < boxes.width[row]! * 1.01) i = boxes.parent[i]!;
  return Math.max(0, i);
}

// The matching row after (1) or before (-1) `row` in depth-first order, going around; -1 if nothing matches. A match within a match
// of the same function is passed over.
export function nextMatch(boxes: FlameBoxes, matches: (key: number) => boolean, row: number, direction: 1 | -1): number {
  const { count, key, parent } = boxes;
  if (count === 0) return -1;
  let i = row < 0 || row >= count ? (direction > 0 ? count - 1 : 0) : row;
  for (let n = 0; n < count; ++n) {
    i = (i + direction + count) % count;
    if (i !== 0 && key[i] !== kNone && matches(key[i]!) && (parent[i]! < 0 || key[parent[i]!] !== key[i])) return i;
  }
  return -1;
}

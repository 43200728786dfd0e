// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// What tables compute, without a DOM: which rows are visible, where rows of a tree are, what a search matches.

import { compilePattern, isPattern } from "../format/pattern";

// Rows first … end-1 are drawn for this part of the scrolled area, with some more on both sides.
export function rowWindow(top: number, height: number, rowHeight: number, count: number, more: number): [number, number] {
  const first = Math.max(0, Math.floor(top / rowHeight) - more);
  const end = Math.min(count, Math.ceil((top + Math.max(0, height)) / rowHeight) + more);
  return [Math.min(first, count), Math.max(end, Math.min(first, count))];
}

// The scroll position that shows the row: unchanged if it does; at the edge for neighbors, in the middle for jumps.
export function scrollTo(index: number, top: number, height: number, rowHeight: number): number {
  const begin = index * rowHeight;
  const end = begin + rowHeight;
  if (begin >= top && end <= top + height) return top;
  const distance = begin < top ? top - begin : end - top - height;
  if (distance > 3 * rowHeight) return Math.max(0, begin - Math.max(0, height - rowHeight) / 2);
  return Math.max(0, begin < top ? begin : end - height);
}

// Where a key moves the cursor; -1: it is no such key. `page`: rows per page.
export function moved(key: string, at: number, count: number, page: number): number {
  if (count === 0) return -1;
  const to =
    key === "ArrowDown"
      ? at + 1
      : key === "ArrowUp"
        ? at < 0
          ? 0
          : at - 1
        : key === "PageDown"
          ? Math.max(at, 0) + page
          : key === "PageUp"
            ? at - page
            : key === "Home"
              ? 0
              : key === "End"
                ? count - 1
                : NaN;
  return Number.isNaN(to) ? -1 : Math.min(count - 1, Math.max(0, to));
}

// Rows of a tree, depth first.
export interface Nested {
  readonly key: number;
  readonly depth: number;
}

export function pathOf(rows: readonly Nested[], index: number): number[] {
  const path: number[] = new Array((rows[index]?.depth ?? -1) + 1);
  for (let i = index, depth = path.length - 1; i >= 0 && depth >= 0; --i) {
    if (rows[i]!.depth === depth) path[depth--] = rows[i]!.key;
  }
  return path;
}

export function parentOf(rows: readonly Nested[], index: number): number {
  const depth = rows[index]?.depth ?? 0;
  let i = index - 1;
  while (i >= 0 && rows[i]!.depth >= depth) --i;
  return i;
}

// The row after the last one below `index`.
export function endOf(rows: readonly Nested[], index: number): number {
  let i = index + 1;
  while (i < rows.length && rows[i]!.depth > rows[index]!.depth) ++i;
  return i;
}

// The row of a path; -1 if it is not among the rows.
export function findPath(rows: readonly Nested[], path: readonly number[]): number {
  let found = 0;
  for (let i = 0; i < rows.length && path.length > 0; ++i) {
    const { depth, key } = rows[i]!;
    if (depth < found) return -1;
    if (depth === found && key === path[found] && ++found === path.length) return i;
  }
  return -1;
}

export function startsWith(path: readonly number[], begin: readonly number[]): boolean {
  return path.length >= begin.length && begin.every((key, i) => path[i] === key);
}

// Paths of open rows without open rows below; those open all others too.
export function openPaths(rows: readonly (Nested & { readonly open: boolean })[]): number[][] {
  const paths: number[][] = [];
  const path: number[] = [];
  for (let i = 0; i < rows.length; ++i) {
    const { depth, key, open } = rows[i]!;
    path.length = depth;
    path.push(key);
    if (!open) continue;
    let below = false;
    for (let j = i + 1; j < rows.length && rows[j]!.depth > depth && !below; ++j) below = rows[j]!.open;
    if (!below) paths.push(path.slice());
  }
  return paths;
}

// How far a level is indented: less in deep trees, so that names keep most of the room. The same for all rows, so that nothing moves
// while scrolling.
export function indentStep(deepest: number, room: number): number {
  return Math.max(3, Math.min(14, Math.floor((0.45 * room) / Math.max(1, deepest))));
}

// All matches of the search. Null: nothing to mark.
export function searchPattern(search: string): RegExp | null {
  return search === "" || !isPattern(search) ? null : compilePattern(search, "g");
}

const kMostSteps = 1e7;

// Whether an expression surely ends soon on a text of this length: some, like (a+)+$, take ages. Without repeated groups, each open
// repetition tries at most as many lengths as the text has characters, and each alternative or option doubles the tries. This counts
// too many (escaped characters), never too few.
export function isCheap(pattern: string, length: number): boolean {
  if (/\)[*+?{]|\\[1-9k]/.test(pattern)) return false;
  const open = pattern.match(/[*+]|\{\d*,/g)?.length ?? 0, choices = pattern.match(/[|?]/g)?.length ?? 0;
  return (length + 1) ** (open + 1) * 2 ** choices <= kMostSteps;
}

// Parts of a text that match, in order, at most some; none if looking for them might take long.
export function matches(text: string, pattern: RegExp | null): [number, number][] {
  const found: [number, number][] = [];
  if (pattern === null || !isCheap(pattern.source, text.length)) return found;
  for (const match of text.matchAll(pattern)) {
    const length = match[0]!.length;
    if (length > 0) found.push([match.index!, match.index! + length]);
    if (found.length >= 20) break;
  }
  return found;
}

// Columns of text, as copied: numbers to the right.
export function alignText(titles: readonly string[], rows: readonly (readonly string[])[], right: readonly boolean[]): string {
  const widths = titles.map((title) => title.length);
  for (const row of rows) row.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, Math.min(cell.length, 120))));
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => (right[i] ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
      .join("  ")
      .trimEnd();
  return [titles, ...rows].map(line).join("\n") + "\n";
}

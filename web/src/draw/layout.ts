// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Where boxes are: by level, left to right, in any unit (parts of the root, or time). Nothing here needs a DOM.

import type { ChartBoxes, FlameBoxes } from "../engine/api";

export interface BoxSet {
  readonly count: number;
  readonly levels: number; // that have boxes
  readonly key: Uint32Array;
  readonly depth: Uint32Array;
  readonly begin: Float64Array;
  readonly end: Float64Array;
  // Rows of level i from left to right: order[first[i]] … order[first[i + 1] - 1].
  readonly first: Uint32Array;
  readonly order: Uint32Array;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

export const kRow = 18; // height of a level in pixels

export function boxSet(count: number, key: Uint32Array, depth: Uint32Array, begin: Float64Array, end: Float64Array): BoxSet {
  let levels = 0;
  for (let i = 0; i < count; ++i) if (depth[i]! >= levels) levels = depth[i]! + 1;
  const first = new Uint32Array(levels + 1);
  for (let i = 0; i < count; ++i) ++first[depth[i]! + 1];
  for (let i = 0; i < levels; ++i) first[i + 1] += first[i]!;
  const next = first.slice(0, levels);
  const order = new Uint32Array(count);
  for (let i = 0; i < count; ++i) order[next[depth[i]!]++] = i;
  for (let level = 0; level < levels; ++level) {
    let sorted = true;
    for (let i = first[level]! + 1; i < first[level + 1]! && sorted; ++i) sorted = begin[order[i - 1]!]! <= begin[order[i]!]!;
    if (!sorted) order.subarray(first[level]!, first[level + 1]!).sort((a, b) => begin[a]! - begin[b]!);
  }
  return { count, levels, key, depth, begin, end, first, order };
}

export function flameBoxSet(boxes: FlameBoxes): BoxSet {
  const end = new Float64Array(boxes.count);
  for (let i = 0; i < boxes.count; ++i) end[i] = boxes.x[i]! + boxes.width[i]!;
  return boxSet(boxes.count, boxes.key, boxes.depth, boxes.x, end);
}

export function chartBoxSet(boxes: ChartBoxes): BoxSet {
  return boxSet(boxes.count, boxes.key, boxes.depth, boxes.begin, boxes.end);
}

// The first position in `order` of a level whose box ends after `x`; first[level + 1] if none.
export function firstEndingAfter(set: BoxSet, level: number, x: number): number {
  let low = set.first[level]!;
  let high = set.first[level + 1]!;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (set.end[set.order[middle]!]! > x) high = middle;
    else low = middle + 1;
  }
  return low;
}

// The row of the box at `x` of a level, or the nearest one at most `slack` away; -1 if none.
export function hit(set: BoxSet, level: number, x: number, slack: number): number {
  if (level < 0 || level >= set.levels) return -1;
  const at = firstEndingAfter(set, level, x);
  let best = -1;
  let distance = slack;
  for (const position of [at, at - 1]) {
    if (position < set.first[level]! || position >= set.first[level + 1]!) continue;
    const row = set.order[position]!;
    const away = Math.max(set.begin[row]! - x, x - set.end[row]!, 0);
    if (away <= distance) {
      best = row;
      distance = away;
      if (away === 0) break;
    }
  }
  return best;
}

// Levels and pixels. The root's level is at the top (an icicle) or at the bottom (a flame graph) of the content, which is at least
// as high as the pane; `scroll` is how far the pane is from the content's top.
export interface Rows {
  readonly levels: number;
  readonly height: number; // of the pane
  readonly scroll: number;
  readonly rootAtBottom: boolean;
}

export function contentHeight(levels: number, height: number): number {
  return Math.max(height, levels * kRow);
}

// The top of a level within the pane.
export function levelTop(rows: Rows, level: number): number {
  return (rows.rootAtBottom ? contentHeight(rows.levels, rows.height) - (level + 1) * kRow : level * kRow) - rows.scroll;
}

// The level at a height within the pane; it may be one that does not exist.
export function levelAt(rows: Rows, y: number): number {
  const inContent = y + rows.scroll;
  return Math.floor((rows.rootAtBottom ? contentHeight(rows.levels, rows.height) - 1e-6 - inContent : inContent) / kRow);
}

// The levels that are in the pane, in part or whole: begin <= level < end.
export function visibleLevels(rows: Rows): { begin: number; end: number } {
  const a = levelAt(rows, 0);
  const b = levelAt(rows, Math.max(0, rows.height - 1e-3));
  return { begin: Math.max(0, Math.min(a, b)), end: Math.min(rows.levels, Math.max(a, b) + 1) };
}

// The scroll position that shows a level with the fewest movement, with `margin` levels around it.
export function scrollToLevel(rows: Rows, level: number, margin = 1): number {
  const content = contentHeight(rows.levels, rows.height);
  const top = rows.rootAtBottom ? content - (level + 1) * kRow : level * kRow;
  const room = Math.min(margin * kRow, Math.max(0, (rows.height - kRow) / 2));
  let scroll = rows.scroll;
  if (top - room < scroll) scroll = top - room;
  else if (top + kRow + room > scroll + rows.height) scroll = top + kRow + room - rows.height;
  return Math.max(0, Math.min(content - rows.height, scroll));
}

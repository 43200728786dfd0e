// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The one drawing of boxes on a canvas. Coordinates are device pixels, so that edges and gaps are sharp at any scale. Only what
// is in the pane is visited, and boxes that fall onto the same pixel are drawn once: the work is bound by pixels, not by boxes.

import { css, type Theme } from "./theme";
import { firstEndingAfter, kRow, levelTop, visibleLevels, type BoxSet, type Rows, type Span } from "./layout";
import type { Labels } from "./labels";
import type { Look } from "./look";

export interface Picture {
  readonly set: BoxSet;
  readonly look: Look;
  readonly name: (key: number) => string;
}

// A box in device pixels; it may reach out of the pane.
export interface Placed {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Surface {
  readonly context: CanvasRenderingContext2D;
  readonly labels: Labels;
  readonly width: number; // CSS pixels
  readonly dpr: number;
}

const kLeastLabel = 24; // CSS pixels; narrower boxes have no label
const kPadding = 4;
const kInlinedEdge = 2;

// Reused from frame to frame.
let lefts = new Int32Array(0);
let tops = new Int32Array(0);
let widths = new Int32Array(0);
let rowOf = new Uint32Array(0);
let sorted = new Uint32Array(0);

function reserve(count: number): void {
  if (lefts.length >= count) return;
  const size = Math.max(1024, count * 2);
  const grow = (old: Int32Array) => {
    const bigger = new Int32Array(size);
    bigger.set(old);
    return bigger;
  };
  lefts = grow(lefts);
  tops = grow(tops);
  widths = grow(widths);
  const rows = new Uint32Array(size);
  rows.set(rowOf);
  rowOf = rows;
  sorted = new Uint32Array(size);
}

export function fontOf(theme: Theme, dpr: number): string {
  return `${11 * dpr}px ${theme.mono}`;
}

// Fills the whole pane. Returns how many boxes were drawn.
export function drawBoxes(surface: Surface, picture: Picture, span: Span, rows: Rows, theme: Theme): number {
  const { context, dpr } = surface;
  const { set, look } = picture;
  const widthPx = Math.round(surface.width * dpr);
  const heightPx = Math.round(rows.height * dpr);
  const gap = Math.max(1, Math.round(dpr));
  const boxHeight = Math.max(1, Math.round(kRow * dpr) - gap);
  const scale = widthPx / (span.to - span.from);

  context.fillStyle = theme.bg;
  context.fillRect(0, 0, widthPx, heightPx);
  const counts = new Uint32Array(look.styles.length + 1);
  let count = 0;
  const visible = visibleLevels(rows);
  for (let level = visible.begin; level < visible.end; ++level) {
    const top = Math.round(levelTop(rows, level) * dpr);
    const last = set.first[level + 1]!;
    let covered = -1; // pixels of this level up to here are drawn
    for (let at = firstEndingAfter(set, level, span.from); at < last; ++at) {
      const row = set.order[at]!;
      if (set.begin[row]! >= span.to) break;
      let left = Math.round((set.begin[row]! - span.from) * scale);
      let right = Math.round((set.end[row]! - span.from) * scale);
      if (right <= covered) continue;
      if (right <= left) right = left + 1;
      if (left < covered) left = covered;
      if (left < -gap) left = -gap;
      if (right > widthPx + gap) right = widthPx + gap;
      covered = right;
      if (count >= lefts.length) reserve(count + 1);
      lefts[count] = left;
      tops[count] = top;
      widths[count] = right - left > gap ? right - left - gap : right - left;
      rowOf[count] = row;
      ++counts[look.of[row]! + 1];
      ++count;
    }
  }
  for (let i = 1; i < counts.length; ++i) counts[i] += counts[i - 1]!;
  const starts = counts.slice();
  for (let i = 0; i < count; ++i) sorted[counts[look.of[rowOf[i]!]!]++] = i;

  context.font = fontOf(theme, dpr);
  context.textBaseline = "alphabetic";
  const baseline = Math.round((kRow * dpr) / 2 + 3.5 * dpr);
  for (let s = 0; s < look.styles.length; ++s) {
    const style = look.styles[s]!;
    const [begin, end] = [starts[s]!, starts[s + 1]!];
    if (begin === end) continue;
    context.fillStyle = style.fill;
    for (let k = begin; k < end; ++k) {
      const i = sorted[k]!;
      context.fillRect(lefts[i]!, tops[i]!, widths[i]!, boxHeight);
    }
    if (style.hatched) hatch(context, begin, end, boxHeight, style.ink, dpr);
    if (style.marked) {
      context.fillStyle = css(theme.match);
      const bar = Math.round(3 * dpr);
      for (let k = begin; k < end; ++k) {
        const i = sorted[k]!;
        context.fillRect(lefts[i]!, tops[i]! + boxHeight - bar, widths[i]!, bar);
      }
    }
    context.fillStyle = style.ink;
    drawInlinedEdges(context, look, begin, end, boxHeight, dpr);
    for (let k = begin; k < end; ++k) {
      const i = sorted[k]!;
      if (widths[i]! < kLeastLabel * dpr) continue;
      const row = rowOf[i]!;
      const edge = look.inlined !== null && look.inlined[row] !== 0 ? (kInlinedEdge + 1) * dpr : 0;
      const from = Math.max(0, lefts[i]!) + kPadding * dpr + edge;
      const room = Math.min(widthPx, lefts[i]! + widths[i]!) - kPadding * dpr - from;
      if (room <= 0) continue;
      const label = surface.labels.name(picture.name(set.key[row]!), Math.floor(room));
      if (label !== "") context.fillText(label, Math.round(from), tops[i]! + baseline);
    }
  }
  fadeAncestors(surface, set, span, rows, theme);
  return count;
}

// A dashed left edge: the function is inlined.
function drawInlinedEdges(context: CanvasRenderingContext2D, look: Look, begin: number, end: number, height: number, dpr: number): void {
  if (look.inlined === null) return;
  const width = Math.round(kInlinedEdge * dpr);
  const dash = height / 5;
  context.globalAlpha = 0.55;
  for (let k = begin; k < end; ++k) {
    const i = sorted[k]!;
    if (widths[i]! < 8 * dpr || look.inlined[rowOf[i]!] === 0) continue;
    for (let part = 0; part < 5; part += 2) {
      const top = Math.round(part * dash);
      context.fillRect(lefts[i]!, tops[i]! + top, width, Math.round((part + 1) * dash) - top);
    }
  }
  context.globalAlpha = 1;
}

const hatches = new Map<string, CanvasPattern | null>();

export function hatchPattern(context: CanvasRenderingContext2D, ink: string, dpr: number): CanvasPattern | null {
  const name = `${ink} ${dpr}`;
  let pattern = hatches.get(name);
  if (pattern === undefined) {
    const size = Math.max(4, Math.round(6 * dpr));
    const tile = document.createElement("canvas");
    tile.width = tile.height = size;
    const c = tile.getContext("2d")!;
    c.strokeStyle = ink;
    c.globalAlpha = 0.4;
    c.lineWidth = Math.max(1, dpr);
    c.beginPath();
    for (const x of [-size, 0, size]) {
      c.moveTo(x - 1, size + 1);
      c.lineTo(x + size + 1, -1);
    }
    c.stroke();
    pattern = context.createPattern(tile, "repeat");
    hatches.set(name, pattern);
  }
  return pattern;
}

function hatch(context: CanvasRenderingContext2D, begin: number, end: number, height: number, ink: string, dpr: number): void {
  const pattern = hatchPattern(context, ink, dpr);
  if (pattern === null) return;
  context.fillStyle = pattern;
  for (let k = begin; k < end; ++k) {
    const i = sorted[k]!;
    if (widths[i]! >= 3 * dpr) context.fillRect(lefts[i]!, tops[i]!, widths[i]!, height);
  }
}

// How many levels, from the root, have one box that is wider than the span on both or one of its sides.
export function ancestorLevels(set: BoxSet, span: Span): number {
  const slack = (span.to - span.from) * 1e-6;
  let level = 0;
  for (; level < set.levels; ++level) {
    const at = firstEndingAfter(set, level, span.from + slack);
    if (at >= set.first[level + 1]!) break;
    const row = set.order[at]!;
    const [begin, end] = [set.begin[row]!, set.end[row]!];
    if (begin > span.from + slack || end < span.to - slack) break; // does not cover the span
    if (begin >= span.from - slack && end <= span.to + slack) break; // is the span
  }
  return level;
}

function fadeAncestors(surface: Surface, set: BoxSet, span: Span, rows: Rows, theme: Theme): void {
  const levels = ancestorLevels(set, span);
  if (levels === 0) return;
  const { context, dpr } = surface;
  const [a, b] = [levelTop(rows, 0), levelTop(rows, levels - 1)];
  const top = Math.round(Math.min(a, b) * dpr);
  const bottom = Math.round((Math.max(a, b) + kRow) * dpr);
  context.globalAlpha = 0.5;
  context.fillStyle = theme.bg;
  context.fillRect(0, top, Math.round(surface.width * dpr), bottom - top);
  context.globalAlpha = 1;
}

export function place(set: BoxSet, row: number, span: Span, rows: Rows, width: number, dpr: number): Placed {
  const scale = Math.round(width * dpr) / (span.to - span.from);
  const left = Math.round((set.begin[row]! - span.from) * scale);
  const right = Math.max(left + 1, Math.round((set.end[row]! - span.from) * scale));
  const gap = Math.max(1, Math.round(dpr));
  return {
    left,
    top: Math.round(levelTop(rows, set.depth[row]!) * dpr),
    width: right - left > gap ? right - left - gap : right - left,
    height: Math.max(1, Math.round(kRow * dpr) - gap),
  };
}

// Hovered and selected boxes, on a canvas above that of the boxes.
// `bottom` is that of the pane.
export function drawMark(surface: Surface, box: Placed, kind: "hover" | "selected", theme: Theme, bottom = Infinity): void {
  const { context, dpr } = surface;
  const widthPx = Math.round(surface.width * dpr);
  const left = Math.max(-4 * dpr, box.left);
  const right = Math.min(widthPx + 4 * dpr, box.left + box.width);
  if (right <= left) return;
  if (kind === "hover") {
    context.fillStyle = theme.dark ? "rgba(255,255,255,0.14)" : "rgba(20,26,40,0.1)"; // the text stays readable
    context.fillRect(left, box.top, right - left, box.height);
  }
  const line = Math.round((kind === "hover" ? 1 : 2) * dpr);
  context.fillStyle = kind === "hover" ? theme.text2 : theme.select;
  // Around the box, so that a box of one pixel is still seen; at the edges of the pane within it.
  const top = Math.max(0, box.top - line);
  const begin = box.left >= 0 ? Math.max(0, left - line) : left;
  const end = box.left + box.width <= widthPx ? Math.min(widthPx, right + line) : right;
  context.fillRect(begin, top, end - begin, line);
  const under = Math.min(box.top + box.height, bottom - line);
  if (under < top) return;
  context.fillRect(begin, under, end - begin, line);
  context.fillRect(begin, top, line, under - top);
  context.fillRect(end - line, top, line, under - top);
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The part of the width that is shown, in any unit, and how zooming, panning and animations change it.

import type { Span } from "./layout";

// `span` moved and shrunk, so that it lies within `whole`.
export function clampSpan(span: Span, whole: Span): Span {
  const length = Math.min(span.to - span.from, whole.to - whole.from);
  const from = Math.min(Math.max(span.from, whole.from), whole.to - length);
  return { from, to: from + length };
}

// Zooms so that `at` stays where it is. `factor` < 1 shows less; never less than `least`.
export function zoomAt(span: Span, at: number, factor: number, whole: Span, least: number): Span {
  const length = span.to - span.from;
  const wanted = Math.min(whole.to - whole.from, Math.max(Math.min(least, length), length * factor));
  const part = length > 0 ? (at - span.from) / length : 0.5;
  const from = at - part * wanted;
  return clampSpan({ from, to: from + wanted }, whole);
}

export function panBy(span: Span, distance: number, whole: Span): Span {
  return clampSpan({ from: span.from + distance, to: span.to + distance }, whole);
}

// Moves `span` as little as needed to show the box; a box wider than the span is shown from its begin.
export function reveal(span: Span, box: Span, whole: Span): Span {
  const length = span.to - span.from;
  if (box.to > span.from && box.from < span.to && box.to - box.from >= length) return span;
  if (box.from >= span.from && box.to <= span.to) return span;
  const room = Math.min(length * 0.1, Math.max(0, (length - (box.to - box.from)) / 2));
  const from = box.from < span.from || box.to - box.from > length ? box.from - room : box.to + room - length;
  return clampSpan({ from, to: from + length }, whole);
}

// Between two spans at `t` (0 … 1). Lengths change by factors, so that a deep zoom looks even.
export function between(a: Span, b: Span, t: number): Span {
  if (t <= 0) return a;
  if (t >= 1) return b;
  const [la, lb] = [a.to - a.from, b.to - b.from];
  if (!(la > 0) || !(lb > 0)) return b;
  const length = la * (lb / la) ** t;
  // The point that stays in place while the length changes evenly; parallel movement if the lengths are about equal.
  const even = Math.abs(lb - la) < 1e-9 * Math.max(la, lb) ? t : (length - la) / (lb - la);
  const from = a.from + (b.from - a.from) * even;
  return { from, to: from + length };
}

export function easeOut(t: number): number {
  return 1 - (1 - t) ** 3;
}

export function sameSpan(a: Span, b: Span): boolean {
  return a.from === b.from && a.to === b.to;
}

export function wheelFactor(deltaY: number, deltaMode: number): number {
  const pixels = deltaMode === 1 ? deltaY * 18 : deltaMode === 2 ? deltaY * 400 : deltaY;
  return Math.exp(Math.max(-240, Math.min(240, pixels)) * 0.004);
}

// The range and columns of a stack chart to ask for. Columns are whole time units wide and begin at multiples of their width, so
// that they stay the same while the chart is panned.
export function columnsOf(target: Span, margin: number, whole: Span, width: number): { from: number; to: number; pixels: number } {
  const step = Math.max(1, Math.floor((target.to - target.from) / Math.max(1, width)));
  const from = Math.floor(Math.max(whole.from, target.from - margin) / step) * step;
  const pixels = Math.max(1, Math.ceil((Math.min(whole.to, target.to + margin) - from) / step));
  return { from, to: from + pixels * step, pixels };
}

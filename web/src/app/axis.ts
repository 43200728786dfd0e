// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// A time axis: where a moment is on the screen, and which moments get a label.

import { moment } from "../format/duration";

export interface Axis {
  readonly begin: number; // time at the left edge
  readonly end: number;
  readonly width: number; // pixels
}

export function toX(axis: Axis, time: number): number {
  return ((time - axis.begin) / (axis.end - axis.begin)) * axis.width;
}
export function toTime(axis: Axis, x: number): number {
  return axis.begin + (x / Math.max(1, axis.width)) * (axis.end - axis.begin);
}

// The distance of labels: 1, 2 or 5 times a power of ten, and for seconds parts of minutes and hours.
export function tickStep(lengthNs: number, width: number, least = 90): number {
  const wanted = (lengthNs * least) / Math.max(1, width);
  if (!(wanted > 1)) return 1;
  if (wanted > 10e9) {
    const steps = [15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400];
    const step = steps.find((x) => x * 1e9 >= wanted);
    if (step !== undefined) return step * 1e9;
    return Math.ceil(wanted / 86400e9) * 86400e9;
  }
  const power = 10 ** Math.floor(Math.log10(wanted));
  for (const factor of [1, 2, 5, 10]) {
    if (factor * power >= wanted * 0.9999) return Math.round(factor * power);
  }
  return Math.round(10 * power);
}

// The moments of labels within [beginNs, endNs].
export function ticks(beginNs: number, endNs: number, width: number, least = 90): { step: number; at: number[] } {
  const step = tickStep(endNs - beginNs, width, least);
  const at: number[] = [];
  for (let i = Math.ceil(beginNs / step); i * step <= endNs && at.length < 10_000; ++i) at.push(i * step);
  return { step, at };
}

// The label of such a moment: "2 min" where labels are whole minutes apart.
export function tickLabel(ns: number, step: number): string {
  const text = moment(ns, step);
  return step % 60e9 === 0 ? text.replace(/ 00 s$/, "") : text;
}

// Zooms by a factor (less than 1: closer) around a moment, within [0, end].
export function zoomAxis(axis: Axis, factor: number, around: number, end: number, shortest: number): Axis {
  const length = Math.min(end, Math.max(shortest, (axis.end - axis.begin) * factor));
  const part = (around - axis.begin) / (axis.end - axis.begin);
  const begin = Math.min(Math.max(0, around - part * length), end - length);
  return { begin, end: begin + length, width: axis.width };
}

export function panAxis(axis: Axis, by: number, end: number): Axis {
  const length = axis.end - axis.begin;
  const begin = Math.min(Math.max(0, axis.begin + by), end - length);
  return { begin, end: begin + length, width: axis.width };
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// A range of time that is made, moved and resized with the mouse or the keyboard. Times are whole time units; ranges are within
// [0, end] and never empty.

export type Range = [number, number];
export type Grip = "new" | "begin" | "end" | "move";

export interface Drag {
  readonly grip: Grip;
  readonly at: number; // time where it began
  readonly from: Range | null; // the range before
}

// What a press at x takes hold of, given where the range is on the screen. Only the axis can move a range: elsewhere a press within
// it begins a new one.
export function gripAt(x: number, left: number, right: number, onAxis: boolean, near = 5): Grip {
  const toLeft = Math.abs(x - left);
  const toRight = Math.abs(x - right);
  if (Math.min(toLeft, toRight) <= near) {
    // Of a range narrower than the grips, the side that the press is on.
    if (right - left < 2 * near) return x < (left + right) / 2 ? "begin" : "end";
    return toLeft < toRight ? "begin" : "end";
  }
  return onAxis && x > left && x < right ? "move" : "new";
}

export function dragTo(drag: Drag, time: number, end: number): Range {
  const from = drag.from;
  switch (drag.grip) {
    case "begin":
      return ordered(from![1], time, end);
    case "end":
      return ordered(from![0], time, end);
    case "move":
      return moved(from!, time - drag.at, end);
    default:
      return ordered(drag.at, time, end);
  }
}

export function moved(range: Range, by: number, end: number): Range {
  const length = range[1] - range[0];
  const begin = Math.round(Math.min(Math.max(0, range[0] + by), end - length));
  return [begin, begin + length];
}

// Moves one edge; it stops before the other.
export function resized(range: Range, edge: "begin" | "end", by: number, end: number): Range {
  if (edge === "begin") return [Math.round(Math.min(Math.max(0, range[0] + by), range[1] - 1)), range[1]];
  return [range[0], Math.round(Math.max(Math.min(end, range[1] + by), range[0] + 1))];
}

export function ordered(a: number, b: number, end: number): Range {
  const low = Math.max(0, Math.floor(Math.min(a, b)));
  const high = Math.min(end, Math.ceil(Math.max(a, b)));
  if (low < high) return [low, high];
  return low >= end ? [end - 1, end] : [low, low + 1];
}

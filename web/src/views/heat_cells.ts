// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Cells of the heat map, numbered in the order of time: up a column, then on to the next.

export interface Grid {
  readonly columns: number;
  readonly rows: number;
  readonly columnTime: number; // time units
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

// The cell at a point; points outside belong to the nearest one.
export function cellAt(grid: Grid, box: Box, x: number, y: number): number {
  const column = within(Math.floor(((x - box.x) / box.width) * grid.columns), grid.columns);
  const row = within(Math.floor(((box.y + box.height - y) / box.height) * grid.rows), grid.rows);
  return column * grid.rows + row;
}

function within(index: number, count: number): number {
  return index < 0 || Number.isNaN(index) ? 0 : index >= count ? count - 1 : index;
}

// The time of cells a to b, both included, in either order.
export function rangeOfCells(grid: Grid, a: number, b: number, end: number): [number, number] {
  const cell = grid.columnTime / grid.rows;
  const first = Math.min(a, b);
  const last = Math.max(a, b);
  const begin = Math.min(Math.floor(first * cell), end - 1);
  return [begin, Math.max(begin + 1, Math.min(end, Math.ceil((last + 1) * cell)))];
}

// The cells of a range of time: first and last.
export function cellsOfRange(grid: Grid, range: readonly [number, number]): [number, number] {
  const cell = grid.columnTime / grid.rows;
  const first = Math.floor((range[0] + 1e-6) / cell);
  return [first, Math.max(first, Math.ceil((range[1] - 1e-6) / cell) - 1)];
}

// Cells first to last as rectangles: part of a column, whole columns, part of a column.
export function stripe(grid: Grid, box: Box, first: number, last: number): Box[] {
  const width = box.width / grid.columns;
  const height = box.height / grid.rows;
  const part = (column: number, from: number, to: number, columns = 1): Box => ({
    x: box.x + column * width,
    y: box.y + box.height - (to + 1) * height,
    width: width * columns,
    height: (to - from + 1) * height,
  });
  const c0 = Math.floor(first / grid.rows);
  const c1 = Math.floor(last / grid.rows);
  const r0 = first % grid.rows;
  const r1 = last % grid.rows;
  if (c0 === c1) return [part(c0, r0, r1)];
  const out = [part(c0, r0, grid.rows - 1)];
  if (c1 - c0 > 1) out.push(part(c0 + 1, 0, grid.rows - 1, c1 - c0 - 1));
  out.push(part(c1, 0, r1));
  return out;
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Meta } from "../../../web/src/engine/api";
import { afterClick, rowAt, rowTops, trackHeight, trackRows, visibleRows, type TrackOptions, type TrackRow } from "../../../web/src/app/track_layout";
import { kindEdges } from "../../../web/src/app/track_data";

// Processes with so many threads each.
function meta(threads: number[]): Meta {
  return {
    processes: threads.map((_, i) => ({ pid: 100 + i, parentPid: 1, name: `process${i}` })),
    threads: threads.flatMap((n, process) => Array.from({ length: n }, (_, i) => ({ process, tid: 1000 * (process + 1) + i, name: `thread${i}`, start: 0, end: 1, side: 0 }))),
  } as unknown as Meta;
}
const options: TrackOptions = { filter: "", opened: new Map(), unfolded: new Set(), keep: new Set() };

function short(rows: TrackRow[]): string {
  return rows.map((row) => (row.kind === "thread" ? `t${row.thread}${row.alone ? "!" : ""}` : row.kind === "process" ? `p${row.process}${row.open ? "+" : "-"}` : `more${row.threads.length}`)).join(" ");
}

test("processes and threads by activity", () => {
  assert.equal(short(trackRows(meta([2, 1, 3]), [1, 5, 90, 3, 4, 2], options)), "t2! p2+ t4 t3 t5 p0+ t1 t0");
});

test("each file of a comparison has its processes", () => {
  const both = meta([4]);
  both.threads[1]!.side = both.threads[3]!.side = 1;
  assert.equal(short(trackRows(both, [1, 2, 3, 4], options)), "p0+ t2 t0 p0+ t3 t1");
});

test("idle threads are behind one row", () => {
  const weight = [1000, 500, ...new Array<number>(18).fill(1)];
  const one = meta([20]);
  assert.equal(short(trackRows(one, weight, options)), "p0+ t0 t1 more18");
  assert.equal(short(trackRows(one, weight, { ...options, keep: new Set([7]) })), "p0+ t0 t1 t7 more17");
  assert.equal(trackRows(one, weight, { ...options, unfolded: new Set(["0.0"]) }).length, 21);
  assert.equal(short(trackRows(one, weight, { ...options, opened: new Map([["0.0", false]]) })), "p0-");
  assert.equal(trackRows(one, new Array<number>(20).fill(0), options).length, 10, "all idle: some are shown");
});

test("the filter looks at names and IDs of threads and processes", () => {
  const some = meta([2, 1, 3]);
  const rows = (filter: string) => short(trackRows(some, [1, 5, 90, 3, 4, 2], { ...options, filter }));
  assert.equal(rows("THREAD1"), "t1! t4!");
  assert.equal(rows("process1"), "t2!");
  assert.equal(rows("3002"), "t5!");
  assert.equal(rows(" 101 "), "t2!");
  assert.equal(rows("nothing"), "");
});

test("many processes: the busiest are open", () => {
  const rows = trackRows(meta(new Array<number>(500).fill(4)), Array.from({ length: 2000 }, (_, t) => 2000 - t), options);
  assert.ok(rows.length < 600);
  const first = rows[0]!;
  assert.ok(first.kind === "process" && first.open);
  assert.ok(rows[rows.length - 1]!.kind === "process");
});

test("thousands of threads are laid out fast, and few rows are visible", () => {
  const many = meta([20_000]);
  const begin = performance.now();
  const rows = trackRows(many, Array.from({ length: 20_000 }, (_, t) => t % 977), { ...options, unfolded: new Set(["0.0"]) });
  const tops = rowTops(rows);
  assert.ok(performance.now() - begin < 500);
  assert.equal(rows.length, 20_001);
  const [first, last] = visibleRows(tops, 240_000, 240_200);
  assert.equal(first, 10_000);
  assert.ok(last - first <= 10);
});

test("few tracks are higher, whatever is filtered", () => {
  assert.deepEqual([[1], [1, 1], [2], [3], [1, 1, 1, 1, 1]].map((threads) => trackHeight(meta(threads))), [48, 48, 32, 24, 24]);
  for (const filter of ["", "thread1"]) {
    const rows = trackRows(meta([2]), [1, 1], { ...options, filter });
    assert.ok(rows.length > 0 && rows.every((row) => row.height === 32), filter);
  }
});

test("kinds of a track share its height", () => {
  const edges = new Float64Array(3);
  const costs = { cost: new Float32Array(4).fill(1), kindBins: 2, costOfKinds: Float32Array.of(1, 3, 3, 1) };
  kindEdges(costs, 0, edges);
  assert.deepEqual([...edges], [0, 0.25, 1]);
  kindEdges(costs, 3, edges);
  assert.deepEqual([...edges], [0, 0.75, 1]);
  kindEdges({ ...costs, costOfKinds: new Float32Array(4) }, 1, edges);
  assert.deepEqual([...edges], [0, 1, 1]);
});

test("rows at positions", () => {
  const rows = trackRows(meta([20]), [1000, 500, ...new Array<number>(18).fill(1)], options);
  const tops = rowTops(rows);
  for (let y = 0; y < tops[rows.length]!; ++y) {
    const i = rowAt(tops, y);
    assert.ok(tops[i]! <= y && y < tops[i + 1]!);
  }
  assert.equal(rowAt(tops, -5), 0);
  assert.equal(rowAt(tops, 1e9), rows.length - 1);
  assert.deepEqual(visibleRows(tops, 0, 1e9), [0, rows.length]);
  assert.deepEqual(visibleRows(new Float64Array(1), 0, 100), [0, 0]);
});

test("clicks choose threads", () => {
  assert.deepEqual(afterClick(null, [3], false, 10), [3]);
  assert.equal(afterClick([3], [3], false, 10), null, "again: all");
  assert.deepEqual(afterClick([3], [5], true, 10), [3, 5]);
  assert.deepEqual(afterClick([3, 5], [5], true, 10), [3]);
  assert.equal(afterClick([5], [5], true, 10), null);
  assert.deepEqual(afterClick([9], [5, 4], true, 10), [4, 5, 9]);
  assert.deepEqual(afterClick([4, 9], [4, 5], true, 10), [4, 5, 9]);
  assert.equal(afterClick([0], [1], true, 2), null, "all of them");
});

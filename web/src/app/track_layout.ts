// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Which tracks there are, in which order: of a comparison the file before first; processes by activity, in each its threads by activity, idle threads behind one row.
// Thousands of threads give thousands of rows at most; only the visible ones are drawn (visibleRows).

import type { Meta } from "../engine/api";

// Later kinds of tracks (waiting, markers, counters) become further kinds of rows below their thread or process.
export type TrackRow =
  | { kind: "process"; process: number; side: number; threads: number[]; weight: number; open: boolean; height: number }
  | { kind: "thread"; thread: number; weight: number; alone: boolean; height: number } // alone: the only one of its process
  | { kind: "more"; process: number; side: number; threads: number[]; weight: number; height: number };

export interface TrackOptions {
  filter: string;
  opened: ReadonlyMap<string, boolean>; // by groupId: what the user chose
  unfolded: ReadonlySet<string>; // groups of which idle threads are shown
  keep: ReadonlySet<number>; // threads that are shown though idle, since they are chosen
}

export function rowId(row: TrackRow): string {
  return row.kind === "thread" ? `t${row.thread}` : `${row.kind === "process" ? "p" : "m"}${groupId(row.process, row.side)}`;
}

// A process, and of a comparison of files the one of a side.
export function groupId(process: number, side: number): string {
  return `${process}.${side}`;
}

export const kTrackHeight = 24;
// Few rows share this height, up to twice that of others.
const kRoom = 96;
const kMoreHeight = 20;
// Below this share of its process's busiest thread, a thread is idle.
const kIdleShare = 0.01;
// So many threads are shown even if they are idle.
const kFewThreads = 8;
// So many rows are opened by themselves.
const kFirstRows = 24;

// All rows of a recording have the same height, whichever of them are shown.
export function trackHeight(meta: Meta): number {
  const threads = new Map<string, number>();
  for (const { process, side } of meta.threads) threads.set(groupId(process, side), (threads.get(groupId(process, side)) ?? 0) + 1);
  let rows = meta.threads.length;
  for (const count of threads.values()) if (count > 1) ++rows;
  return Math.max(kTrackHeight, Math.min(2 * kTrackHeight, Math.floor(kRoom / rows)));
}

export function trackRows(meta: Meta, weight: ArrayLike<number>, options: TrackOptions): TrackRow[] {
  const filter = options.filter.trim().toLowerCase();
  const groupOf = new Map<string, { process: number; side: number; id: string; list: number[]; weight: number }>();
  const of = (t: number) => weight[t] ?? 0;
  meta.threads.forEach(({ process, side }, t) => {
    if (filter !== "" && !matches(meta, t, filter)) return;
    const id = groupId(process, side);
    let group = groupOf.get(id);
    if (group === undefined) groupOf.set(id, (group = { process, side, id, list: [], weight: 0 }));
    group.list.push(t);
    group.weight += of(t);
  });
  const groups = [...groupOf.values()];
  for (const { list } of groups) list.sort((a, b) => of(b) - of(a) || a - b);
  groups.sort((a, b) => a.side - b.side || b.weight - a.weight || a.process - b.process);

  const height = trackHeight(meta);
  const rows: TrackRow[] = [];
  for (const group of groups) {
    if (group.list.length === 1) {
      rows.push({ kind: "thread", thread: group.list[0]!, weight: group.weight, alone: true, height });
      continue;
    }
    const open = options.opened.get(group.id) ?? (filter !== "" || rows.length < kFirstRows);
    rows.push({ kind: "process", process: group.process, side: group.side, threads: group.list, weight: group.weight, open, height });
    if (!open) continue;
    const idle = of(group.list[0]!) * kIdleShare;
    const all = filter !== "" || options.unfolded.has(group.id) || group.list.length <= kFewThreads;
    const hidden: number[] = [];
    let shown = 0;
    for (const t of group.list) {
      const busy = of(t) > idle || (idle === 0 && shown < kFewThreads);
      if (all || busy || options.keep.has(t)) {
        rows.push({ kind: "thread", thread: t, weight: of(t), alone: false, height });
        ++shown;
      } else {
        hidden.push(t);
      }
    }
    if (hidden.length === 0) continue;
    const rest = hidden.reduce((sum, t) => sum + of(t), 0);
    rows.push({ kind: "more", process: group.process, side: group.side, threads: hidden, weight: rest, height: kMoreHeight });
  }
  return rows;
}

function matches(meta: Meta, t: number, filter: string): boolean {
  const thread = meta.threads[t]!;
  const process = meta.processes[thread.process];
  return [thread.name, String(thread.tid), process?.name ?? "", String(process?.pid ?? "")].some((x) => x.toLowerCase().includes(filter));
}

// Where rows are: tops[i] for each row, and the total height at the end.
export function rowTops(rows: readonly TrackRow[]): Float64Array {
  const tops = new Float64Array(rows.length + 1);
  rows.forEach((row, i) => (tops[i + 1] = tops[i]! + row.height));
  return tops;
}

// The rows that are within [top, bottom): first and one past the last.
export function visibleRows(tops: Float64Array, top: number, bottom: number): [number, number] {
  const first = rowAt(tops, top);
  let last = first;
  while (last < tops.length - 1 && tops[last]! < bottom) ++last;
  return [first, last];
}

// The row at y, at least 0 and at most the last.
export function rowAt(tops: Float64Array, y: number): number {
  let low = 0;
  let high = tops.length - 1; // tops[low] <= y < tops[high]
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (tops[middle]! <= y) low = middle;
    else high = middle;
  }
  return low;
}

// The selection after a click on threads: alone, with control added or removed.
export function afterClick(chosen: readonly number[] | null, clicked: readonly number[], extend: boolean, all: number): number[] | null {
  if (!extend) {
    const same = chosen !== null && chosen.length === clicked.length && clicked.every((t) => chosen.includes(t));
    return same || clicked.length === all ? null : [...clicked].sort((a, b) => a - b); // a second click takes it back
  }
  const next = new Set(chosen ?? []);
  const present = clicked.every((t) => next.has(t));
  for (const t of clicked) {
    if (present) next.delete(t);
    else next.add(t);
  }
  return next.size === 0 || next.size === all ? null : [...next].sort((a, b) => a - b);
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The activity of tracks over time, fetched for the rows that are visible. While a newer one is on its way, the last one is drawn.

import type { Meta } from "../engine/api";
import { rowId, type TrackRow } from "./track_layout";
import type { Context } from "./view";

export interface Activity {
  begin: number;
  end: number;
  cost: Float32Array;
  peak: number; // highest cost per time unit
  // For each of Meta.kinds its cost in fewer bins of the same time.
  kindBins: number;
  costOfKinds: Float32Array;
}
type Costs = Pick<Activity, "cost" | "kindBins" | "costOfKinds">;
export interface Window {
  begin: number;
  end: number;
  bins: number;
}

// So many threads are asked for at once.
const kChunk = 128;
// So many rows are kept.
const kKept = 1000;

export class TrackData {
  private readonly rows = new Map<string, Activity & { bins: number }>();
  private event = -1;
  private window: Window = { begin: 0, end: 1, bins: 1 };
  private wanted: TrackRow[] = [];
  private busy = false;
  peakOfThreads = 0;
  version = 0; // of what get() gives

  constructor(
    private readonly meta: Meta,
    private readonly changed: () => void,
  ) {}

  get(row: TrackRow): Activity | null {
    return this.rows.get(rowId(row)) ?? null;
  }

  // Makes sure that these rows become available.
  want(context: Context, event: number, window: Window, rows: readonly TrackRow[]): void {
    if (event !== this.event) {
      this.rows.clear();
      ++this.version;
      this.peakOfThreads = 0;
    }
    this.event = event;
    this.window = window;
    this.wanted = rows.filter((row) => row.kind !== "more");
    if (!this.busy) void this.fetch(context);
  }

  private isCurrent(row: TrackRow): boolean {
    const have = this.rows.get(rowId(row));
    return have !== undefined && have.begin === this.window.begin && have.end === this.window.end && have.bins === this.window.bins;
  }

  private async fetch(context: Context): Promise<void> {
    this.busy = true;
    try {
      for (;;) {
        const missing = this.wanted.filter((row) => !this.isCurrent(row));
        const threads = missing.filter((row) => row.kind === "thread");
        if (threads.length > 0) await this.fetchThreads(context, threads.slice(0, kChunk));
        else if (missing[0]?.kind === "process") await this.fetchProcess(context, missing[0]);
        else break;
        this.changed();
      }
    } catch {
      // Tracks stay as they are; the view tells what is wrong.
    } finally {
      this.busy = false;
    }
  }

  private async fetchThreads(context: Context, rows: readonly TrackRow[]): Promise<void> {
    const { window, event } = this;
    const threads = rows.flatMap((row) => (row.kind === "thread" ? [row.thread] : []));
    const sums = await this.ask(context, event, window, threads);
    if (event !== this.event) return;
    sums.forEach((costs, i) => this.keep(`t${threads[i]!}`, window, costs, true));
  }

  private async fetchProcess(context: Context, row: TrackRow & { kind: "process" }): Promise<void> {
    const { window, event } = this;
    let total: Costs | null = null;
    for (let i = 0; i < row.threads.length; i += kChunk) {
      for (const costs of await this.ask(context, event, window, row.threads.slice(i, i + kChunk))) {
        if (total === null) total = costs;
        else {
          add(total.cost, costs.cost);
          add(total.costOfKinds, costs.costOfKinds);
        }
      }
      if (event !== this.event || window !== this.window) break; // outdated: what there is so far is good enough to wait with
    }
    if (event === this.event && total !== null) this.keep(rowId(row), window, total, false);
  }

  private async ask(context: Context, event: number, window: Window, threads: number[]): Promise<Costs[]> {
    const out = new Array<Costs>(threads.length);
    // The files of a difference have an event each.
    const events = new Map<number, number[]>();
    threads.forEach((t, i) => {
      const of = this.meta.isDifference ? (this.meta.threads[t]?.side ?? 0) : event;
      const list = events.get(of);
      if (list === undefined) events.set(of, [i]);
      else list.push(i);
    });
    for (const [of, indices] of events) {
      const asked = indices.map((i) => threads[i]!);
      const { cost, bins, kindBins, costOfKinds } = await context.ask("tracks", { event: of, threads: asked, range: [window.begin, window.end], bins: window.bins });
      const ofKinds = costOfKinds.length / asked.length;
      indices.forEach((i, row) => (out[i] = { cost: cost.slice(row * bins, (row + 1) * bins), kindBins, costOfKinds: costOfKinds.slice(row * ofKinds, (row + 1) * ofKinds) }));
    }
    return out;
  }

  private keep(key: string, window: Window, costs: Costs, isThread: boolean): void {
    let most = 0;
    for (const value of costs.cost) most = Math.max(most, value);
    const peak = (most * window.bins) / (window.end - window.begin);
    if (isThread) this.peakOfThreads = Math.max(this.peakOfThreads, peak);
    ++this.version;
    this.rows.delete(key);
    this.rows.set(key, { begin: window.begin, end: window.end, bins: window.bins, peak, ...costs });
    for (const old of this.rows.keys()) {
      if (this.rows.size <= kKept) break;
      this.rows.delete(old);
    }
  }
}

function add(sum: Float32Array, more: Float32Array): void {
  for (let i = 0; i < sum.length; ++i) sum[i] += more[i]!;
}

// From where to where each kind is in the height of a bin of `cost`, from the bottom: Meta.kinds.length + 1 parts, the last is 1.
export function kindEdges({ cost, kindBins, costOfKinds }: Costs, bin: number, edges: Float64Array): void {
  const kinds = edges.length - 1;
  // Between the middles of the two nearest bins of kinds.
  const at = ((bin + 0.5) * kindBins) / cost.length - 0.5;
  const left = Math.max(0, Math.floor(at)), right = Math.min(kindBins - 1, left + 1), part = Math.max(0, at - left);
  let sum = 0;
  edges[0] = 0;
  for (let kind = 0; kind < kinds; ++kind) {
    sum += (1 - part) * costOfKinds[kind * kindBins + left]! + part * costOfKinds[kind * kindBins + right]!;
    edges[kind + 1] = sum;
  }
  for (let i = 1; i <= kinds; ++i) edges[i] = sum > 0 ? edges[i]! / sum : 1;
}

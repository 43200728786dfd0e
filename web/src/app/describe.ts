// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// What is shown, in words: the line above each view, the trail of filters, the names of threads.

import type { EventInfo, Meta, Transform } from "../engine/api";
import { cost, change, countOf, share } from "../format/cost";
import { duration, moment } from "../format/duration";
import { clean, shortName, shownName } from "../format/name";
import type { Symbols } from "./symbols";
import type { Comparison, State, ViewName } from "./view";

export const kTitles: Record<ViewName, string> = {
  flame: "Flame graph",
  chart: "Stack chart",
  tree: "Call tree",
  functions: "Functions",
  around: "Callers and callees",
  code: "Source",
  heat: "Heat map",
  quality: "Recording",
};

export function threadName(meta: Meta, thread: number): string {
  const info = meta.threads[thread];
  return info === undefined ? "" : `${shownName(info.name)} (${info.tid})`;
}

export function processName(meta: Meta, process: number): string {
  const info = meta.processes[process];
  return info === undefined ? "" : `${shownName(info.name)} (${info.pid})`;
}

// A process that runs another program has one more row, with the same ID. IDs of 0 are unknown. In a difference each side has its own.
export function taskCounts(meta: Meta): { processes: number; threads: number } {
  const sideOf = new Map(meta.threads.map((t) => [t.process, t.side]));
  const distinct = (ids: [number, number][]) => new Set(ids.map(([id, side], row) => (id > 0 ? `${side} ${id}` : `row ${row}`))).size;
  return {
    processes: distinct(meta.processes.map((p, i) => [p.pid, sideOf.get(i) ?? 0])),
    threads: distinct(meta.threads.map((t) => [t.tid, t.side])),
  };
}

const kWays: Record<string, string> = {
  copied: "copied with the sample",
  stopped: "read while the thread was stopped",
  crossed: "with frame pointers, where there are no unwind tables",
  guessed: "with memory of another time",
  frame_pointers: "by the kernel, with frame pointers",
  none: "no user stack",
  cut: "truncated",
};

// How stacks were completed (Meta.stackWays).
export function wayInWords(way: string): string {
  return kWays[way] ?? clean(way);
}

// "all 6 threads", "the recording", "thread worker (4711)", "process nginx (12)", "3 threads"
export function threadsInWords(meta: Meta, threads: readonly number[] | null): string {
  if (threads === null) {
    // Of a difference, views show the threads of one file, or compare them with those of the other.
    const several = [0, 1].some((side) => meta.threads.filter((t) => t.side === side).length > 1);
    return !several ? "the recording" : meta.isDifference ? "all threads" : `all ${countOf(meta.threads.length, "thread")}`;
  }
  if (threads.length === 1) return `thread ${threadName(meta, threads[0]!)}`;
  const process = meta.threads[threads[0]!]?.process;
  const same = threads.every((t) => meta.threads[t]?.process === process);
  if (same && process !== undefined && meta.threads.filter((t) => t.process === process).length === threads.length) {
    return `process ${processName(meta, process)}`;
  }
  return countOf(threads.length, "thread");
}

export function rangeInWords(meta: Meta, range: readonly [number, number]): string {
  const [begin, end] = [range[0] * meta.timeUnitNs, range[1] * meta.timeUnitNs];
  const step = (end - begin) / 100;
  // "1.81–3.16 s", but "3 min 39 s – 16 min 59 s"
  const [from, to] = [moment(begin, step), moment(end, step)];
  return /^[\d.,]+ s$/.test(to) ? `${from.replace(/ s$/, "")}–${to}` : `${from} – ${to}`;
}

export function rangeLength(meta: Meta, range: readonly [number, number]): string {
  return duration((range[1] - range[0]) * meta.timeUnitNs);
}

// "2.31 s of CPU time", "4.50 G cycles", "2,304 samples"
export function costInWords(weight: number, event: EventInfo): string {
  const text = cost(weight, event);
  if (event.unit === "ns") return `${text} of ${isCpuTime(event) ? "CPU time" : clean(event.name)}`;
  return event.unit === "bytes" || event.unit === "" ? `${text} (${clean(event.name)})` : text;
}

export function isCpuTime(event: EventInfo): boolean {
  return event.unit === "ns" && /cpu|clock/i.test(event.name);
}

export interface Shown {
  weight: number;
  samples: number;
  baseWeight: number;
  all: number; // weight of the whole recording
}

// "Flame graph of thread worker (4711): 2.31 s of CPU time in 2,304 samples, 62.0% of the recording"
export function sentence(meta: Meta, state: State, shown: Shown): string {
  const event = meta.events[state.event];
  if (event === undefined) return "";
  if (state.view === "quality") return `Recording of ${threadsInWords(meta, null)}: ${amount(meta, event, event.weight, event.samples)}`;
  const title = kTitles[state.view];
  const kind = state.inverted && (state.view === "flame" || state.view === "tree") ? `Inverted ${title.toLowerCase()}` : title;
  // These show one thread or function of the selection.
  const part = state.view === "chart" || state.view === "around" || state.view === "code";
  const what = [`${kind}${part ? " within" : " of"} ${threadsInWords(meta, state.threads)}`];
  if (state.range !== null) what.push(`in ${rangeInWords(meta, state.range)}`);
  if (shown.weight === 0 && shown.baseWeight === 0) return `${what.join(" ")}: no samples`;
  const text = `${what.join(" ")}: ${amount(meta, event, shown.weight, shown.samples)}`;
  if (state.compare !== null) {
    const other = comparisonInWords(meta, state, state.compare);
    return state.normalize ? `${text}, compared with ${other} (normalized)` : `${text}, ${change(shown.baseWeight, shown.weight)} against ${other}`;
  }
  return shown.weight < shown.all ? `${text}, ${share(shown.weight, shown.all)} of the recording` : text;
}

function amount(meta: Meta, event: EventInfo, weight: number, samples: number): string {
  const counted = meta.hasCounts && samples > 0 && event.unit !== "samples";
  // Events of a difference are named after its sides.
  return `${meta.isDifference ? cost(weight, event) : costInWords(weight, event)}${counted ? ` in ${countOf(samples, "sample")}` : ""}`;
}

export function comparisonInWords(meta: Meta, state: State, compare: Comparison): string {
  switch (compare.kind) {
    case "files":
      return clean(meta.sides[1 - state.event] ?? "the other file");
    case "range":
      return rangeInWords(meta, compare.range);
    case "threads":
      return threadsInWords(meta, compare.threads);
  }
}

// What is compared with that: the other side in the same words.
export function selectionInWords(meta: Meta, state: State): string {
  switch (state.compare?.kind) {
    case "files":
      return clean(meta.sides[state.event] ?? "");
    case "range":
      return state.range === null ? "the whole recording" : rangeInWords(meta, state.range);
    default:
      return threadsInWords(meta, state.threads);
  }
}

const kWords: Record<Transform["op"], string> = {
  "focus-function": "Focus",
  "focus-subtree": "Focus subtree",
  "focus-self": "Focus self",
  "merge-function": "Merge",
  "merge-node": "Merge node",
  "drop-function": "Drop",
  "collapse-subtree": "Collapse",
  "collapse-recursion": "Collapse recursion",
  "collapse-direct-recursion": "Collapse direct recursion",
  "collapse-module": "Collapse library",
  "keep-matching": "Keep",
  "drop-matching": "Drop",
  "keep-module": "Keep library",
  "drop-module": "Drop library",
};

// A transform of the trail: what it does, to what, and the full name of that.
export function transformInWords(transform: Transform, meta: Meta, symbols: Symbols): { what: string; name: string; full: string } {
  const what = kWords[transform.op];
  if ("module" in transform) {
    const name = shownName(meta.modules[transform.module]?.name ?? "");
    return { what, name, full: name };
  }
  if ("pattern" in transform) return { what, name: `/${clean(transform.pattern)}/`, full: clean(transform.pattern) };
  const key = "key" in transform ? transform.key : transform.path[transform.path.length - 1]!;
  return { what, name: shortName(symbols.name(key)), full: shownName(symbols.name(key)) };
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// What the engine should answer, computed the slow way: every sample has its whole stack as a list, and nothing is shared.

import { kNone, type Meta, type Query, type Selection, type Transform } from "../../../web/src/engine/api";
import { encodePayload, plainMeta, stringColumns, type Column, type Columns } from "./encode";
import { Random } from "./make_payload";

export interface Frame {
  function: number;
  file: number; // a string; kNone: unknown
  line: number;
  address: number;
  inlined: boolean;
}
export interface Sample {
  event: number;
  thread: number;
  time: number;
  weight: number;
  count: number;
  group: number;
  frames: Frame[]; // outermost first
}
export interface Small {
  meta: Meta;
  functions: { name: string; module: number }[];
  strings: string[];
  samples: Sample[]; // as in the payload
  bytes: ArrayBuffer;
}

export interface SmallOptions {
  negative: boolean;
  constant: boolean;
  samples: number;
}

export function makeSmall(seed: number, options: Partial<SmallOptions> = {}): Small {
  const random = new Random(seed);
  const { negative, constant, samples: count } = { negative: false, constant: random.next() < 0.2, samples: 5 + random.below(60), ...options };
  const functions = Array.from({ length: 4 + random.below(5) }, (_, i) => ({ name: ["main", "parse", "Render", "walk", "alloc", "free", "emit", "Hash"][i]!, module: random.next() < 0.15 ? kNone : random.below(3) }));
  const strings = [...functions.map((f) => f.name), "a.cc", "b.cc"];
  const files = [functions.length, functions.length + 1];
  const groups = ["server", "client", "helper"].slice(0, 1 + random.below(3));
  const processes = Array.from({ length: groups.length + 1 }, (_, i) => ({ pid: 10 + i, parentPid: 1, name: groups[i % groups.length]! }));
  const threads = Array.from({ length: 1 + random.below(5) }, (_, i) => ({ process: i % processes.length, tid: 100 + i, name: `t${i}`, start: 0, end: 100, side: 0 }));
  const events = 1 + random.below(2);

  const pool: Frame[][] = [];
  for (let i = 0; i < 3 + random.below(12); ++i) {
    // Often the beginning of another stack, so that they share callers.
    const from = pool.length > 0 && random.next() < 0.7 ? pool[random.below(pool.length)]! : [];
    const stack = from.slice(0, random.below(from.length + 1));
    for (let depth = random.below(7); depth > 0 || stack.length === 0; --depth) {
      const f = random.skewed(functions.length, 1.5);
      stack.push({ function: f, file: random.next() < 0.2 ? kNone : files[random.below(2)]!, line: random.below(4), address: random.next() < 0.2 ? 0 : 0x100 * (f + 1) + random.below(3), inlined: stack.length > 0 && random.next() < 0.25 });
      if (stack.length > 12) break;
    }
    pool.push(stack);
  }
  if (random.next() < 0.3) pool.push([]);

  const samples: Sample[] = [];
  const segmentEvent: number[] = [], segmentThread: number[] = [], segmentFirst: number[] = [];
  for (let event = 0; event < events; ++event) {
    threads.forEach((thread, t) => {
      if (random.next() < 0.1) return;
      segmentEvent.push(event);
      segmentThread.push(t);
      segmentFirst.push(samples.length);
      let time = random.below(10);
      for (let i = random.below(Math.ceil((2 * count) / threads.length)); i > 0; --i) {
        time += random.below(4);
        const weight = constant ? 3 : negative && random.next() < 0.3 ? -random.below(5) : random.below(9);
        samples.push({ event, thread: t, time, weight, count: constant ? 1 : random.next() < 0.2 ? 0 : 1 + random.below(2), group: thread.process % groups.length, frames: pool[random.below(pool.length)]! });
      }
    });
  }
  segmentFirst.push(samples.length);

  // The stack table, in any order in which callers come first.
  const frameRows = new Map<string, number>(), frames: Frame[] = [];
  const stackRows = new Map<string, number>(), stackFrame: number[] = groups.map(() => kNone), stackCaller: number[] = groups.map(() => kNone);
  const sampleStack = samples.map((sample) => {
    let row = sample.group;
    for (const frame of sample.frames) {
      const name = JSON.stringify(frame);
      let f = frameRows.get(name);
      if (f === undefined) frameRows.set(name, (f = frames.push(frame) - 1));
      const key = `${row} ${f}`;
      let next = stackRows.get(key);
      if (next === undefined) {
        next = stackFrame.push(f) - 1;
        stackCaller.push(row);
        stackRows.set(key, next);
      }
      row = next;
    }
    return row;
  });
  const meta = plainMeta({
    durationNs: 200_000, groups, processes, threads, modules: ["prog", "libx.so", "[kernel]"].map((name) => ({ name, path: `/${name}`, buildId: "", kernel: false })),
    events: Array.from({ length: events }, (_, e) => ({ name: `e${e}`, unit: "ns", divisor: 1, rateHz: 0, samples: 0, weight: 0 })),
  });
  const u32 = (values: number[]): Column => Uint32Array.from(values);
  const columns: Columns = {
    ...stringColumns(strings),
    function_name: u32(functions.map((_, i) => i)), function_module: u32(functions.map((f) => f.module)),
    function_kind: { constant: 0, count: functions.length }, function_shade: { constant: 0, count: functions.length },
    frame_function: u32(frames.map((f) => f.function)), frame_file: u32(frames.map((f) => f.file)), frame_line: u32(frames.map((f) => f.line)),
    frame_address: Float64Array.from(frames, (f) => f.address), frame_inlined: Uint8Array.from(frames, (f) => Number(f.inlined)),
    stack_frame: u32(stackFrame), stack_caller: u32(stackCaller), segment_event: u32(segmentEvent), segment_thread: u32(segmentThread), segment_first: u32(segmentFirst),
    sample_stack: u32(sampleStack), sample_time: u32(samples.map((s) => s.time)),
    sample_weight: constant ? { constant: 3, count: samples.length } : negative ? Float64Array.from(samples, (s) => s.weight) : u32(samples.map((s) => s.weight)),
    sample_count: constant ? { constant: 1, count: samples.length } : Uint8Array.from(samples, (s) => s.count),
  };
  return { meta, functions, strings, samples, bytes: encodePayload(meta, columns).buffer as ArrayBuffer };
}

// ---- stacks of keys

export interface Stack {
  keys: number[]; // the process first, if any
  flags: number[]; // 1: called, 2: inlined
  weight: number;
  count: number;
}

export function selectStacks(small: Small, selection: Selection): Stack[] {
  return selectSamples(small, selection).map((s) => ({
    keys: [small.functions.length + s.group, ...s.frames.map((f) => f.function)], flags: [0, ...s.frames.map((f) => (f.inlined ? 2 : 1))], weight: s.weight, count: s.count,
  }));
}
export function selectSamples(small: Small, { event, threads, range }: Selection): Sample[] {
  return small.samples.filter((s) => s.event === event && (threads === null || threads.includes(s.thread)) && (range === null || (s.time >= range[0] && s.time < range[1])));
}

export class Reference {
  constructor(readonly small: Small) {}

  isGroup(key: number): boolean {
    return key >= this.small.functions.length && key < this.small.functions.length + this.small.meta.groups.length;
  }
  name(key: number): string {
    const { functions, meta } = this.small;
    if (key < functions.length) return functions[key]!.name;
    return this.isGroup(key) ? meta.groups[key - functions.length]! : meta.modules[key - functions.length - meta.groups.length]!.name;
  }
  module(key: number): number {
    const { functions, meta } = this.small;
    if (key < functions.length) return functions[key]!.module;
    return this.isGroup(key) ? -1 : key - functions.length - meta.groups.length;
  }
  private matches(key: number, pattern: string): boolean {
    const sensitive = /[A-Z]/.test(pattern);
    return !this.isGroup(key) && new RegExp(pattern, sensitive ? "" : "i").test(this.name(key));
  }

  // The stack after a transform; null if its samples are dropped.
  private apply(stack: Stack, t: Transform): Stack | null {
    const { keys, flags } = stack;
    const part = (from: number, to = keys.length): Stack => ({ ...stack, keys: keys.slice(from, to), flags: flags.slice(from, to) });
    const without = (removed: (i: number) => boolean): Stack => ({ ...stack, keys: keys.filter((_, i) => !removed(i)), flags: flags.filter((_, i) => !removed(i)) });
    // Where a path from the outermost function ends; -1 if the stack does not begin with it.
    const prefix = (path: readonly number[]): number => {
      const from = path.length > 0 && !this.isGroup(path[0]!) && keys.length > 0 && this.isGroup(keys[0]!) ? 1 : 0;
      return path.length > 0 && path.every((key, i) => keys[from + i] === key) ? from + path.length - 1 : -1;
    };
    const suffix = (path: readonly number[]): number => (path.length > 0 && path.every((key, i) => keys[keys.length - 1 - i] === key) ? keys.length - path.length : -1);
    switch (t.op) {
      case "focus-function": return keys.includes(t.key) ? part(keys.indexOf(t.key)) : null;
      case "focus-subtree": {
        const at = t.inverted ? suffix(t.path) : prefix(t.path);
        return at < 0 ? null : t.inverted ? part(0, at + 1) : part(at);
      }
      case "focus-self": return keys[keys.length - 1] === t.key ? stack : null;
      case "merge-function": return without((i) => keys[i] === t.key);
      case "merge-node": {
        const at = t.inverted ? suffix(t.path) : prefix(t.path);
        return at < 0 ? stack : without((i) => i === at);
      }
      case "drop-function": return keys.includes(t.key) ? null : stack;
      case "collapse-subtree": return keys.includes(t.key) ? part(0, keys.indexOf(t.key) + 1) : stack;
      case "collapse-recursion": {
        const first = keys.indexOf(t.key), last = keys.lastIndexOf(t.key);
        return without((i) => i > first && i <= last);
      }
      case "collapse-direct-recursion": return without((i) => i > 0 && keys[i] === t.key && keys[i - 1] === t.key);
      case "collapse-module": {
        const of = keys.map((key) => this.module(key) === t.module);
        const key = this.small.functions.length + this.small.meta.groups.length + t.module;
        const collapsed = { ...stack, keys: keys.map((k, i) => (of[i] ? key : k)), flags: flags.map((f, i) => (of[i] ? 1 : f)) };
        const kept = keys.map((_, i) => !(of[i] && of[i - 1] === true));
        return { ...collapsed, keys: collapsed.keys.filter((_, i) => kept[i]), flags: collapsed.flags.filter((_, i) => kept[i]) };
      }
      case "keep-matching": return keys.some((key) => this.matches(key, t.pattern)) ? stack : null;
      case "drop-matching": return keys.some((key) => this.matches(key, t.pattern)) ? null : stack;
      case "keep-module": return keys.some((key) => this.module(key) === t.module) ? stack : null;
      case "drop-module": return keys.some((key) => this.module(key) === t.module) ? null : stack;
    }
  }

  transformed(selection: Selection, transforms: readonly Transform[]): Stack[] {
    let stacks = selectStacks(this.small, selection);
    for (const t of transforms) stacks = stacks.map((s) => this.apply(s, t)).filter((s): s is Stack => s !== null);
    return stacks;
  }

  // Both sides of a query, as shown: without the process if there is only one.
  shown(query: Query): { now: Stack[]; before: Stack[] } {
    const now = this.transformed(query.selection, query.transforms), before = query.base === null ? [] : this.transformed(query.base, query.transforms);
    const several = (stacks: Stack[]) => {
      const sums = new Map<number, { weight: number; count: number }>();
      for (const s of stacks) {
        if (s.keys.length === 0) continue;
        const sum = sums.get(s.keys[0]!) ?? { weight: 0, count: 0 };
        sums.set(s.keys[0]!, { weight: sum.weight + s.weight, count: sum.count + s.count });
      }
      return [...sums].filter(([, sum]) => sum.weight !== 0 || sum.count !== 0).map(([key]) => key);
    };
    const tops = [several(now), several(before)];
    const keep = tops.some((keys) => keys.length > 1) || (tops.flat().some((key) => this.isGroup(key)) && tops.flat().some((key) => !this.isGroup(key)));
    const strip = (s: Stack): Stack => (!keep && s.keys.length > 0 && this.isGroup(s.keys[0]!) ? { ...s, keys: s.keys.slice(1), flags: s.flags.slice(1) } : s);
    const flip = (s: Stack): Stack => (query.inverted ? { ...s, keys: [...s.keys].reverse(), flags: [...s.flags].reverse() } : s);
    return { now: now.map(strip).map(flip), before: before.map(strip).map(flip) };
  }
}

export interface Costs {
  self: number;
  total: number;
  samples: number;
  baseSelf: number;
  baseTotal: number;
  baseSamples: number;
  flags: number;
}

// Costs by path ("3 1 4"); the root's path is empty. Only nodes with a cost, whose callers have one.
export function treeOf(now: Stack[], before: Stack[]): Map<string, Costs> {
  const nodes = new Map<string, Costs>();
  const add = (stack: Stack, side: "now" | "before") => {
    for (let depth = 0; depth <= stack.keys.length; ++depth) {
      const path = stack.keys.slice(0, depth).join(" ");
      let node = nodes.get(path);
      if (node === undefined) nodes.set(path, (node = { self: 0, total: 0, samples: 0, baseSelf: 0, baseTotal: 0, baseSamples: 0, flags: 0 }));
      const leaf = depth === stack.keys.length;
      if (depth > 0) node.flags |= stack.flags[depth - 1]!;
      if (side === "now") {
        node.total += stack.weight;
        node.samples += stack.count;
        node.self += leaf ? stack.weight : 0;
      } else {
        node.baseTotal += stack.weight;
        node.baseSamples += stack.count;
        node.baseSelf += leaf ? stack.weight : 0;
      }
    }
  };
  for (const stack of now) add(stack, "now");
  for (const stack of before) add(stack, "before");
  const isEmpty = (n: Costs) => n.total === 0 && n.samples === 0 && n.baseTotal === 0 && n.baseSamples === 0;
  const kept = new Map<string, Costs>();
  for (const [path, node] of nodes) {
    const keys = path === "" ? [] : path.split(" ");
    if (path === "" || keys.every((_, i) => !isEmpty(nodes.get(keys.slice(0, i + 1).join(" "))!))) kept.set(path, node);
  }
  return kept;
}

export function randomTransform(random: Random, reference: Reference, stacks: Stack[]): Transform {
  const { functions, meta } = reference.small;
  const withKeys = stacks.filter((s) => s.keys.some((key) => !reference.isGroup(key)));
  const stack = withKeys.length > 0 && random.next() < 0.9 ? withKeys[random.below(withKeys.length)]!.keys : [random.below(functions.length)];
  const key = random.next() < 0.92 ? stack[random.below(stack.length)]! : random.below(functions.length + meta.groups.length);
  const module = random.below(meta.modules.length);
  const pattern = ["a", "e", "Render|walk", "^main$", "l", "zzz", "H"][random.below(7)]!;
  const inverted = random.next() < 0.5;
  const skip = !inverted && reference.isGroup(stack[0]!) && stack.length > 1 && random.next() < 0.7 ? 1 : 0;
  const whole = inverted ? [...stack].reverse() : stack.slice(skip);
  const path = whole.slice(0, 1 + random.below(whole.length));
  const all: Transform[] = [
    { op: "focus-function", key }, { op: "focus-subtree", path, inverted }, { op: "focus-self", key }, { op: "merge-function", key }, { op: "merge-node", path, inverted },
    { op: "drop-function", key }, { op: "collapse-subtree", key }, { op: "collapse-recursion", key }, { op: "collapse-direct-recursion", key },
    { op: "collapse-module", module }, { op: "keep-matching", pattern }, { op: "drop-matching", pattern }, { op: "keep-module", module }, { op: "drop-module", module },
  ];
  return all[random.below(all.length)]!;
}

export function randomSelection(random: Random, small: Small): Selection {
  const { meta } = small;
  const begin = random.below(60), end = begin + random.below(60);
  const threads = meta.threads.map((_, i) => i).filter(() => random.next() < 0.6);
  return { event: random.below(meta.events.length), threads: random.next() < 0.5 ? null : threads, range: random.next() < 0.4 ? null : [begin, end] };
}

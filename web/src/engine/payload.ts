// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Decodes the bytes of docs/view-protocol.md. Everything that other parts rely on is checked here: rows exist, callers precede
// their callees, samples are sorted by time. Columns stay where they are; a profile may have 130 MB of them.

import { kNone, type Meta } from "./api";
import { PrefixSums } from "./prefix_sums";

type Numbers = Uint8Array | Uint32Array | Float64Array;

// A column of which all values may be equal.
export interface Values {
  readonly constant: number | null;
  readonly array: Numbers | null;
}

export interface Profile {
  readonly meta: Meta;
  readonly functions: number;
  readonly frames: number;
  readonly stacks: number;
  readonly samples: number;
  readonly keys: number; // functions, groups and modules (api.ts)
  readonly stringOffset: Uint32Array;
  readonly stringBytes: Uint8Array;
  readonly functionName: Uint32Array;
  readonly functionModule: Uint32Array;
  readonly functionKind: Uint8Array;
  readonly functionShade: Uint8Array;
  readonly frameFunction: Uint32Array;
  readonly frameFile: Uint32Array;
  readonly frameLine: Uint32Array;
  readonly frameAddress: Float64Array;
  readonly frameInlined: Uint8Array;
  readonly stackFrame: Uint32Array;
  readonly stackCaller: Uint32Array;
  readonly segmentEvent: Uint32Array;
  readonly segmentThread: Uint32Array;
  readonly segmentFirst: Uint32Array;
  readonly sampleStack: Uint32Array;
  readonly sampleTime: Values;
  readonly sampleWeight: Values;
  readonly sampleCount: Values;
  readonly weightSums: PrefixSums;
  readonly countSums: PrefixSums;
  readonly exact: boolean; // sums of weights and of counts are exact
  readonly counts: number; // sum of all counts
}

export class DamagedProfile extends Error {
  constructor(what: string) {
    super(`the profile is damaged: ${what}`);
    this.name = "DamagedProfile";
  }
}

const kMagic = "WICKVIEW";
const kVersion = 1;
// A column without bytes may claim any length; where it is written out, this limits it.
const kMostExpanded = 1 << 26;

function fail(what: string): never {
  throw new DamagedProfile(what);
}

// ---- header

type Json = Record<string, unknown>;

function object(value: unknown, what: string): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) fail(`${what} is not an object`);
  return value as Json;
}
function list(value: unknown, what: string): unknown[] {
  if (!Array.isArray(value)) fail(`${what} is not a list`);
  return value;
}
function text(value: unknown, what: string): string {
  if (typeof value !== "string") fail(`${what} is not a text`);
  return value;
}
function texts(value: unknown, what: string): string[] {
  return list(value, what).map((item) => text(item, what));
}
function number(value: unknown, what: string): number {
  if (typeof value !== "number" || !Number.isFinite(value)) fail(`${what} is not a number`);
  return value;
}
function natural(value: unknown, what: string): number {
  const n = number(value, what);
  if (!Number.isSafeInteger(n) || n < 0) fail(`${what} is not a natural number`);
  return n;
}
function flag(value: unknown, what: string): boolean {
  if (typeof value !== "boolean") fail(`${what} is not true or false`);
  return value;
}
function colors(value: unknown, kinds: number): string[][] {
  const rows = list(value, "palette").map((row) => texts(row, "palette"));
  for (const row of rows) for (const color of row) if (!/^#[0-9a-fA-F]{6}$/.test(color)) fail("a color is not #rrggbb");
  if (rows.length < kinds) fail("the palette has too few colors");
  return rows;
}

function names(value: Json, what: string): { name: string; commonName?: string } {
  return { name: text(value.name, what), ...(value.commonName === undefined ? {} : { commonName: text(value.commonName, what) }) };
}

function decodeMeta(value: unknown): Meta {
  const m = object(value, "meta");
  const events = list(m.events, "events").map((item) => {
    const e = object(item, "event");
    return {
      name: text(e.name, "event name"), unit: text(e.unit, "event unit"), divisor: number(e.divisor, "event divisor"),
      skid: text(e.skid ?? "", "skid"), rateHz: number(e.rateHz, "event rate"), samples: number(e.samples, "event samples"), weight: number(e.weight, "event weight"),
    };
  });
  for (const e of events) if (e.divisor <= 0) fail("an event's divisor is not positive");
  const processes = list(m.processes, "processes").map((item) => {
    const p = object(item, "process");
    return { pid: number(p.pid, "pid"), parentPid: number(p.parentPid, "parentPid"), ...names(p, "process name") };
  });
  const threads = list(m.threads, "threads").map((item) => {
    const t = object(item, "thread");
    const thread = {
      process: natural(t.process, "process of a thread"), tid: number(t.tid, "tid"), ...names(t, "thread name"),
      start: number(t.start, "thread start"), end: number(t.end, "thread end"), side: natural(t.side, "thread side"),
    };
    if (thread.process >= processes.length) fail("a thread has no process");
    return thread;
  });
  const modules = list(m.modules, "modules").map((item) => {
    const o = object(item, "module");
    return { name: text(o.name, "module name"), path: text(o.path, "module path"), buildId: text(o.buildId, "build ID"), kernel: flag(o.kernel, "kernel") };
  });
  const palette = object(m.palette, "palette");
  const kinds = texts(m.kinds, "kinds");
  let stackWays: Record<string, number> | null = null;
  if (m.stackWays !== null && m.stackWays !== undefined) {
    stackWays = {};
    for (const [name, count] of Object.entries(object(m.stackWays, "stackWays"))) {
      Object.defineProperty(stackWays, name, { value: number(count, "stackWays"), enumerable: true, writable: true, configurable: true });
    }
  }
  let cpuTime: Meta["cpuTime"] = null;
  if (m.cpuTime !== null && m.cpuTime !== undefined) {
    const c = object(m.cpuTime, "cpuTime");
    cpuTime = { counted: number(c.counted, "cpuTime"), sampled: number(c.sampled, "cpuTime"), unsampled: number(c.unsampled, "cpuTime") };
  }
  const places = (value: unknown) => list(value, "places of an insight").map((item) => {
    const p = object(item, "place");
    return { name: text(p.name, "place"), module: text(p.module, "module"), file: text(p.file, "file"), line: natural(p.line, "line"), share: number(p.share, "share") };
  });
  const insights = list(m.insights ?? [], "insights").map((item) => {
    const i = object(item, "insight");
    return {
      rule: text(i.rule, "rule"), title: text(i.title, "title"), share: number(i.share, "share"), sure: text(i.sure, "sure"),
      where: places(i.where), frames: places(i.frames), advice: text(i.advice, "advice"),
    };
  });
  const startWallNs = text(m.startWallNs, "startWallNs");
  if (!/^\d{1,20}$/.test(startWallNs)) fail("startWallNs is not a number");
  const meta: Meta = {
    title: text(m.title, "title"), command: texts(m.command, "command"), target: text(m.target, "target"), startWallNs,
    durationNs: number(m.durationNs, "durationNs"), timeUnitNs: number(m.timeUnitNs, "timeUnitNs"), hasTimes: flag(m.hasTimes, "hasTimes"),
    hasCounts: flag(m.hasCounts, "hasCounts"), importedFrom: text(m.importedFrom, "importedFrom"), isDifference: flag(m.isDifference, "isDifference"),
    sides: texts(m.sides, "sides"), files: texts(m.files, "files"), events, defaultEvent: natural(m.defaultEvent, "defaultEvent"), processes,
    threads, modules, groups: texts(m.groups, "groups"), kinds,
    palette: { light: colors(palette.light, kinds.length), dark: colors(palette.dark, kinds.length) },
    summary: texts(m.summary, "summary"), quality: texts(m.quality, "quality"), warnings: texts(m.warnings, "warnings"), insights, stackWays, cpuTime,
    hasSource: flag(m.hasSource, "hasSource"),
  };
  if (meta.timeUnitNs <= 0 || meta.durationNs < 0) fail("its times make no sense");
  if (meta.isDifference && events.length < 2) fail("a difference needs two events");
  if (events.length > 0 && meta.defaultEvent >= events.length) fail("there is no such default event");
  return meta;
}

// ---- columns

class ColumnReader {
  private readonly columns = new Map<string, { count: number } & Values>();

  constructor(bytes: ArrayBuffer, begin: number, rows: unknown) {
    for (const item of list(rows, "columns")) {
      const row = object(item, "column");
      const name = text(row.name, "column name"), count = natural(row.count, `count of ${name}`);
      if (this.columns.has(name)) fail(`there are two columns ${name}`);
      if (row.constant !== undefined) {
        this.columns.set(name, { count, constant: number(row.constant, `constant ${name}`), array: null });
        continue;
      }
      const offset = natural(row.offset, `offset of ${name}`);
      const size = row.type === "u8" ? 1 : row.type === "u32" ? 4 : row.type === "f64" ? 8 : 0;
      if (size === 0) fail(`column ${name} has an unknown type`);
      if (offset % 8 !== 0) fail(`column ${name} is not aligned`);
      if (begin + offset + count * size > bytes.byteLength) fail(`column ${name} is truncated`);
      const at = begin + offset;
      const array = size === 1 ? new Uint8Array(bytes, at, count) : size === 4 ? new Uint32Array(bytes, at, count) : new Float64Array(bytes, at, count);
      this.columns.set(name, { count, constant: null, array });
    }
  }

  private get(name: string): { count: number } & Values {
    return this.columns.get(name) ?? fail(`column ${name} is missing`);
  }
  count(name: string): number {
    return this.get(name).count;
  }
  values(name: string, count: number): Values {
    const column = this.get(name);
    if (column.count !== count) fail(`column ${name} has ${column.count} values instead of ${count}`);
    return column;
  }
  // Integers below `limit`, or kNone where that is allowed.
  u32(name: string, count: number, limit = kNone + 1, orNone = false): Uint32Array {
    const { constant, array } = this.values(name, count);
    let out: Uint32Array;
    if (constant !== null) {
      if (count > kMostExpanded) fail(`column ${name} is too long`);
      if (!Number.isInteger(constant) || constant < 0 || constant > kNone) fail(`column ${name} has a wrong value`);
      out = new Uint32Array(count).fill(constant);
    } else if (array instanceof Uint32Array) {
      out = array;
    } else {
      out = Uint32Array.from(array!);
      for (let i = 0; i < count; ++i) if (out[i] !== array![i]) fail(`column ${name} has a wrong value`);
    }
    if (limit <= kNone) {
      // kNone + 1 is 0 in 32 bits: where it is allowed, values count from 1.
      const shift = orNone ? 1 : 0;
      let most = 0;
      for (let i = 0; i < count; ++i) {
        const value = (out[i]! + shift) >>> 0;
        if (value > most) most = value;
      }
      if (count > 0 && most >= limit + shift) fail(`column ${name} has a value that is too large`);
    }
    return out;
  }
  u8(name: string, count: number, limit: number): Uint8Array {
    const { array } = this.values(name, count);
    const out = array instanceof Uint8Array ? array : Uint8Array.from(this.u32(name, count, 256));
    for (let i = 0; i < count; ++i) if (out[i]! >= limit) fail(`column ${name} has a value that is too large`);
    return out;
  }
  f64(name: string, count: number): Float64Array {
    const { constant, array } = this.values(name, count);
    if (constant !== null && count > kMostExpanded) fail(`column ${name} is too long`);
    const out = constant !== null ? new Float64Array(count).fill(constant) : array instanceof Float64Array ? array : Float64Array.from(array!);
    for (let i = 0; i < count; ++i) if (!Number.isFinite(out[i]!)) fail(`column ${name} has a value that is not a number`);
    return out;
  }
}

function checkSorted(values: Values, first: Uint32Array): void {
  const { constant, array } = values;
  if (constant !== null) {
    if (constant < 0) fail("a time is negative");
    return;
  }
  if (array instanceof Uint32Array) {
    for (let s = 0; s + 1 < first.length; ++s) {
      for (let i = first[s]! + 1, end = first[s + 1]!; i < end; ++i) if (array[i]! < array[i - 1]!) fail("samples are not sorted by time");
    }
    return;
  }
  for (let s = 0; s + 1 < first.length; ++s) {
    for (let i = first[s]!, last = 0, end = first[s + 1]!; i < end; ++i) {
      if (!(array![i]! >= last && array![i]! <= Number.MAX_SAFE_INTEGER)) fail("samples are not sorted by time");
      last = array![i]!;
    }
  }
}

// The sum of the sizes of all values.
function checkIntegers(values: Values, count: number, what: string, least: number): number {
  const { constant, array } = values;
  if (constant !== null) {
    if (!Number.isInteger(constant) || constant < least) fail(`a ${what} makes no sense`);
    return Math.abs(constant) * count;
  }
  let sum = 0;
  if (array instanceof Float64Array) {
    for (let i = 0; i < count; ++i) {
      const value = array[i]!;
      if (!Number.isInteger(value) || value < least) fail(`a ${what} makes no sense`);
      sum += Math.abs(value);
    }
  } else if (array instanceof Uint32Array) {
    for (let i = 0; i < count; ++i) sum += array[i]!;
  } else {
    for (let i = 0; i < count; ++i) sum += array![i]!;
  }
  if (!Number.isFinite(sum)) fail(`the ${what}s add up to too much`);
  return sum;
}

export function decodeProfile(bytes: ArrayBuffer): Profile {
  if (bytes.byteLength < 16) fail("it is truncated");
  const start = new Uint8Array(bytes, 0, 8);
  for (let i = 0; i < 8; ++i) if (start[i] !== kMagic.charCodeAt(i)) fail("it does not begin with WICKVIEW");
  const view = new DataView(bytes);
  const version = view.getUint32(8, true);
  if (version !== kVersion) throw new Error(`the profile has version ${version} of the view protocol; this page reads version ${kVersion}`);
  const size = view.getUint32(12, true), begin = 16 + size;
  if (begin > bytes.byteLength) fail("its header is truncated");
  if (begin % 8 !== 0) fail("its columns are not aligned");
  let header: Json;
  try {
    header = object(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array(bytes, 16, size))), "header");
  } catch (error) {
    if (error instanceof DamagedProfile) throw error;
    fail("its header is not JSON");
  }
  const meta = decodeMeta(header.meta);
  const columns = new ColumnReader(bytes, begin, header.columns);
  const groups = meta.groups.length, modules = meta.modules.length;

  const strings = columns.count("string_offset") - 1;
  if (strings < 0) fail("it has no strings");
  const stringOffset = columns.u32("string_offset", strings + 1);
  const stringBytes = columns.u8("string_bytes", columns.count("string_bytes"), 256);
  for (let i = 0; i < strings; ++i) if (stringOffset[i]! > stringOffset[i + 1]!) fail("its strings overlap");
  if (stringOffset[strings]! > stringBytes.length) fail("its strings are truncated");

  const functions = columns.count("function_name"), frames = columns.count("frame_function"), stacks = columns.count("stack_frame");
  const samples = columns.count("sample_stack"), segments = columns.count("segment_event");
  if (functions + groups + modules >= 0x7fffffff) fail("it has too many functions");
  const functionName = columns.u32("function_name", functions, strings);
  const functionModule = columns.u32("function_module", functions, modules, true);
  const functionKind = columns.u8("function_kind", functions, Math.max(1, meta.kinds.length));
  const functionShade = columns.u8("function_shade", functions, 256);
  const frameFunction = columns.u32("frame_function", frames, functions);
  const frameFile = columns.u32("frame_file", frames, strings, true);
  const frameLine = columns.u32("frame_line", frames);
  const frameAddress = columns.f64("frame_address", frames);
  const frameInlined = columns.u8("frame_inlined", frames, 2);

  if (stacks < groups || (samples > 0 && groups === 0)) fail("its groups have no stacks");
  const stackFrame = columns.u32("stack_frame", stacks, frames, true);
  const stackCaller = columns.u32("stack_caller", stacks);
  for (let i = 0; i < groups; ++i) if (stackFrame[i] !== kNone || stackCaller[i] !== kNone) fail("a group is not one");
  for (let i = groups; i < stacks; ++i) if (stackFrame[i] === kNone || stackCaller[i]! >= i) fail("a stack has no caller or no frame");

  const segmentEvent = columns.u32("segment_event", segments, meta.events.length);
  const segmentThread = columns.u32("segment_thread", segments, meta.threads.length);
  const segmentFirst = columns.u32("segment_first", segments + 1);
  if (segmentFirst[0] !== 0 || segmentFirst[segments] !== samples) fail("samples belong to no segment");
  for (let i = 0; i < segments; ++i) if (segmentFirst[i]! > segmentFirst[i + 1]!) fail("segments overlap");
  const sampleStack = columns.u32("sample_stack", samples, stacks);
  const sampleTime = columns.values("sample_time", samples), sampleWeight = columns.values("sample_weight", samples);
  const sampleCount = columns.values("sample_count", samples);
  checkSorted(sampleTime, segmentFirst);
  const weights = checkIntegers(sampleWeight, samples, "weight", -Infinity), counts = checkIntegers(sampleCount, samples, "number of samples", 0);
  const exact = weights <= Number.MAX_SAFE_INTEGER && counts <= Number.MAX_SAFE_INTEGER;

  return {
    meta, functions, frames, stacks, samples, keys: functions + groups + modules, stringOffset, stringBytes, functionName, functionModule, functionKind,
    functionShade, frameFunction, frameFile, frameLine, frameAddress, frameInlined, stackFrame, stackCaller, segmentEvent, segmentThread, segmentFirst,
    sampleStack, sampleTime, sampleWeight, sampleCount, counts, exact,
    weightSums: new PrefixSums(sampleWeight, exact), countSums: new PrefixSums(sampleCount, exact),
  };
}

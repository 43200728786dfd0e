// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// What the page asks the engine, and what it answers. The engine runs in a worker and has the profile's columns; the page has the
// names (Symbols) and draws. Everything here is plain data, so that it can be posted between the two.
//
// Costs are weights in the event's unit times its divisor, exact as long as sums stay below 2^53. Times are in units of
// Meta.timeUnitNs since the start of the recording. A key names what a box or row stands for:
//   0 … functions-1                 a function
//   functions … +groups-1           a process name (the level above functions, only if the selection has several)
//   functions+groups … +modules-1   a module whose functions are collapsed

export interface Meta {
  title: string;
  command: string[];
  target: string; // "whole system" etc.; empty for a program
  startWallNs: string; // decimal; "0": unknown
  durationNs: number;
  timeUnitNs: number;
  hasTimes: boolean;
  hasCounts: boolean; // false: numbers of samples mean nothing
  importedFrom: string; // "perf script text" etc.; empty: a wick recording
  isDifference: boolean; // events 0 and 1 are "before" and "after"
  sides: string[]; // of a difference: the names of the two files
  files: string[]; // as named by the user
  events: EventInfo[];
  defaultEvent: number;
  processes: ProcessInfo[];
  threads: ThreadInfo[];
  modules: ModuleInfo[];
  groups: string[];
  kinds: string[]; // kinds of code for the legend, by Symbols.kind
  palette: { light: string[][]; dark: string[][] }; // "#rrggbb" by kind and shade
  summary: string[]; // sentences about the recording
  quality: string[]; // sentences about what is lost, truncated or unsampled
  warnings: string[];
  insights: InsightInfo[]; // of the default event; empty in a comparison
  stackWays: Record<string, number> | null;
  cpuTime: { counted: number; sampled: number; unsampled: number } | null;
  hasSource: boolean; // the server, or the page itself, can give source and assembly
}
// What samples spend their time on (docs/insights.md). Shares are parts of all samples.
export interface InsightInfo {
  rule: string;
  title: string;
  share: number;
  sure: string; // "certain", "likely" or "guess"
  where: InsightPlace[]; // nearest callers in the program, or threads or processes
  frames: InsightPlace[]; // functions that show the symptom
  advice: string;
}
export interface InsightPlace {
  name: string;
  module: string; // empty: unknown
  file: string; // empty: unknown
  line: number;
  share: number;
}
export interface EventInfo {
  name: string;
  unit: string; // "ns", "bytes", "samples", …
  divisor: number;
  skid?: string; // what to say of the addresses of its samples; empty: they are precise, or nothing is known
  rateHz: number;
  samples: number;
  weight: number;
}
export interface ProcessInfo {
  pid: number;
  parentPid: number;
  name: string;
  commonName?: string; // of a difference: that of the process it is compared with, if its own name is another
}
export interface ThreadInfo {
  process: number;
  tid: number;
  name: string;
  commonName?: string; // as for processes
  start: number; // time units
  end: number;
  side: number; // of a difference: 0 before, 1 after; else 0
}
export interface ModuleInfo {
  name: string;
  path: string;
  buildId: string;
  kernel: boolean;
}

// Columns of the function table, for names and colors. Strings are UTF-8 in `bytes`, string i from offsets[i] to offsets[i+1].
export interface SymbolColumns {
  offsets: Uint32Array;
  bytes: Uint8Array;
  name: Uint32Array; // by function: a string
  module: Uint32Array; // kNone: unknown
  kind: Uint8Array;
  shade: Uint8Array;
  file: Uint32Array; // of the function; kNone: unknown
  line: Uint32Array; // a line of the function that was hit; 0: unknown
}
export const kNone = 0xffffffff;

// The samples of a view.
export interface Selection {
  event: number;
  threads: readonly number[] | null; // null: all
  range: readonly [number, number] | null; // begin <= time < end; null: all
}

// In order; each works on the result of those before. Paths are keys from the outermost function (not the root) to the node. In
// an inverted query, paths begin at the leaf.
export type Transform =
  | { op: "focus-function"; key: number } // f: stacks with it, from its outermost occurrence on
  | { op: "focus-subtree"; path: readonly number[]; inverted: boolean } // F
  | { op: "focus-self"; key: number } // S: only samples that end in it
  | { op: "merge-function"; key: number } // m: remove it from stacks; its self cost goes to its caller
  | { op: "merge-node"; path: readonly number[]; inverted: boolean } // M
  | { op: "drop-function"; key: number } // d: drop samples that have it
  | { op: "collapse-subtree"; key: number } // c: it becomes a leaf
  | { op: "collapse-recursion"; key: number } // r: only its outermost occurrence stays; between them nothing
  | { op: "collapse-direct-recursion"; key: number } // R
  | { op: "collapse-module"; module: number } // C: neighbors of the module become one box
  | { op: "keep-matching"; pattern: string } // samples with a function whose name matches
  | { op: "drop-matching"; pattern: string }
  | { op: "keep-module"; module: number } // samples with a function of the module
  | { op: "drop-module"; module: number };

export interface Query {
  selection: Selection;
  base: Selection | null; // compare with this one: costs before
  normalize: boolean; // in a comparison: scale `base` to the total of `selection`
  transforms: readonly Transform[];
  inverted: boolean; // from the leaves to their callers
}

// In comparisons: -1 less than before, 1 more, 0 if sampling noise can explain the difference. For normalized queries it is about
// shares of the total, otherwise about costs.
export type Verdict = -1 | 0 | 1;

// Totals of a query, in every answer that shows shares. All costs before are scaled if the query is normalized, so that shares are
// parts of baseWeight in any case.
export interface Totals {
  weight: number;
  samples: number;
  baseWeight: number; // 0 without comparison
  baseSamples: number;
}

// Boxes of a flame graph, depth first, callers first, siblings by cost. x and width are parts of the root (0 … 1); in a
// comparison, of the cost now plus the cost before, so that a vanished box keeps its width. Verdicts are about total costs. Only
// boxes of at least half a pixel in the viewport have rows.
export interface FlameBoxes {
  count: number;
  levels: number; // of the whole tree
  key: Uint32Array;
  parent: Int32Array; // row; -1 for the root, which is row 0 (its key is kNone)
  depth: Uint32Array; // the root has 0
  x: Float64Array;
  width: Float64Array;
  self: Float64Array;
  total: Float64Array;
  samples: Float64Array; // of total
  baseSelf: Float64Array | null;
  baseTotal: Float64Array | null;
  verdict: Int8Array | null;
  inlined: Uint8Array; // 0 never, 1 sometimes, 2 always
  hiddenWeight: number; // of boxes too narrow to be shown within the viewport
  hiddenBoxes: number; // of them, without what they contain
}

// Rows of a call tree, depth first. The path of a row follows from the depths of the rows before it: rows of deep trees stay small.
export interface TreeRow {
  key: number;
  depth: number; // 0: outermost
  self: number;
  total: number;
  samples: number;
  baseSelf: number;
  baseTotal: number;
  verdict: Verdict;
  inlined: number; // as in FlameBoxes
  children: number; // how many
  open: boolean;
}

export interface FunctionRows {
  count: number; // rows, sorted as asked
  all: number; // before the search pattern
  key: Uint32Array;
  self: Float64Array;
  total: Float64Array;
  samples: Float64Array; // of total
  selfSamples: Float64Array;
  baseSelf: Float64Array | null;
  baseTotal: Float64Array | null;
  verdict: Int8Array | null; // of self cost
  inlined: Uint8Array;
}

export interface LineCosts {
  // Cost by source line of one function, over all its occurrences. A line counts once for each sample.
  file: Uint32Array; // a string of SymbolColumns
  line: Uint32Array;
  self: Float64Array;
  total: Float64Array;
  // Cost by instruction, of the function's frames that have an address, with what is inlined into them. Self: nothing was called from
  // there, inlined functions aside.
  address: Float64Array; // as in the module's file (svma), or of the kernel, without its upper 12 bits
  addressSelf: Float64Array;
  addressTotal: Float64Array;
}

// Source and assembly of a function, from the server (docs/view-protocol.md). The rows are already joined and in the order in which
// they are shown (C++: annotate/code_rows.h): source lines, below each its instructions, and what is inlined there, indented.
export interface Code {
  name: string;
  module: string;
  rows: CodeRow[];
  instructions: Instruction[]; // by address
  notes: string[]; // what is missing, and why; files that are newer than the program
}
export interface CodeRow {
  kind: "file" | "line" | "inlined" | "instruction" | "gap"; // gap: lines are left out
  depth: number; // how many inlined functions it is in
  line: number; // of kind line; 0: unknown
  instruction: number; // of kind instruction: a row of `instructions`
  end: number; // index of the row behind all that belongs to this one: a line's instructions, an inlined function's lines
  file: string; // file, line, inlined
  text: string | null; // line: null if the source was not found; inlined: the function's name
}
// Costs by address belong to the instruction with address <= a < address + size: calling frames have an address inside of the call.
export interface Instruction {
  address: number; // as LineCosts.address
  size: number; // bytes
  bytes: string; // hexadecimal
  text: string; // "mov rax, qword ptr [rdi]"
  target: number; // of a jump within the function; -1: none
}

export interface SearchResult {
  keys: Uint8Array; // 1 for each key that matches
  functions: number; // how many match and have cost in the query
  weight: number; // of samples with a matching function, each once
  baseWeight: number;
}

export interface Tracks {
  threads: Uint32Array; // as asked
  bins: number;
  // Row by row: cost of each bin. For units of time, cost / bin length is the use of CPUs.
  cost: Float32Array;
  // Row by row, for each of Meta.kinds: the cost in code of this kind, of fewer bins. Estimated where bins have many samples.
  kindBins: number;
  costOfKinds: Float32Array;
  max: number;
}
export interface ThreadCosts {
  weight: Float64Array; // by thread, of the event, within the range asked
  samples: Float64Array;
  // The thread with the highest weight; -1 if none.
  busiest: number;
}
export interface HeatMap {
  columns: number; // one per second (or more, for long recordings)
  rows: number; // parts of a column, from the bottom
  columnTime: number; // length of a column, in time units
  cost: Float32Array; // column by column
  max: number;
}
// Boxes of a stack chart: time from left to right. The outermost functions have depth 0; `levels` counts from there.
export interface ChartBoxes {
  count: number;
  levels: number;
  key: Uint32Array;
  depth: Uint32Array;
  begin: Float64Array; // time units
  end: Float64Array;
  merged: boolean; // more samples than pixels: each pixel column shows the stack with the highest cost in it
  hasClosed: boolean; // some boxes go on across gaps between samples that are only a few pixels wide
  sampled: Float64Array | null; // the part of a box's time that has samples; null if merged
}

export interface Viewport {
  from: number; // parts of the root, 0 … 1
  to: number;
  pixels: number;
}

// One entry per kind of request: what is asked, what is answered.
export interface Requests {
  open: { ask: { bytes: ArrayBuffer }; answer: { meta: Meta; symbols: SymbolColumns } };
  // In a worker of their own: the names, then the keys that match a pattern.
  names: { ask: { meta: Meta; symbols: SymbolColumns }; answer: null };
  match: { ask: { pattern: string }; answer: Uint8Array };
  flame: { ask: { query: Query; viewport: Viewport }; answer: { boxes: FlameBoxes; totals: Totals } };
  totals: { ask: { query: Query }; answer: Totals };
  // Where a path is now, for zooming: null if it does not exist in this query.
  locate: { ask: { query: Query; path: number[] }; answer: { x: number; width: number; depth: number } | null };
  // `open`: paths whose children are shown; their ancestors are open too. `heaviest`: open the heaviest path too, from the root down
  // to where it splits or ends.
  tree: { ask: { query: Query; open: number[][]; heaviest: boolean; limit: number }; answer: { rows: TreeRow[]; totals: Totals; cut: boolean } };
  functions: {
    ask: { query: Query; sort: FunctionSort; descending: boolean; pattern: string; limit: number };
    answer: { rows: FunctionRows; totals: Totals };
  };
  // Callers (from the function outwards) and callees of one function, both with the function as the root (row 0 has its key).
  around: { ask: { query: Query; key: number; pixels: number }; answer: { callers: FlameBoxes; callees: FlameBoxes; totals: Totals } };
  lines: { ask: { query: Query; key: number }; answer: { costs: LineCosts; totals: Totals } };
  search: { ask: { query: Query; pattern: string }; answer: { result: SearchResult; totals: Totals } };
  tracks: { ask: { event: number; threads: number[]; range: [number, number]; bins: number }; answer: Tracks };
  threads: { ask: { event: number; range: readonly [number, number] | null }; answer: ThreadCosts };
  heatmap: { ask: { selection: Selection; columns: number; rows: number }; answer: HeatMap };
  chart: { ask: { event: number; thread: number; transforms: readonly Transform[]; range: [number, number]; pixels: number }; answer: ChartBoxes };
}
export type FunctionSort = "self" | "total" | "name" | "module" | "delta";
export type RequestKind = keyof Requests;
export type Ask<K extends RequestKind> = Requests[K]["ask"];
export type Answer<K extends RequestKind> = Requests[K]["answer"];

// Messages between page and worker. An error is about the request alone; the worker goes on.
export interface RequestMessage {
  id: number;
  kind: RequestKind;
  ask: unknown;
  matches?: readonly (readonly [pattern: string, keys: Uint8Array])[]; // of patterns in `ask`; the engine matches those that are missing
}
export interface ResponseMessage {
  id: number;
  answer?: unknown;
  error?: string;
}

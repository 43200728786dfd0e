// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Joins costs with source and assembly: the rows of the source view, without a DOM.

import type { Code, CodeRow, Instruction, Totals } from "../engine/api";
import { NoiseTest } from "../engine/noise";

export interface Costs {
  self: number;
  total: number;
  baseSelf: number;
  baseTotal: number;
}
export interface LineCost extends Costs {
  readonly file: string; // empty: unknown
  readonly line: number; // 0: unknown
}
export interface AddressCost extends Costs {
  readonly address: number;
}

// A row of the source side. Rows from the next one up to `until` are inside of it: what is inlined into a line, the lines of that.
// They can be folded.
export interface SourceRow extends Costs {
  readonly kind: "file" | "line" | "inlined" | "gap";
  readonly depth: number; // how many inlined functions it is in
  readonly file: string;
  readonly line: number;
  readonly text: string | null; // line: null if the source is not known; inlined: the function's name
  until: number;
}
// A row of the assembly side. `inside`: source rows that it belongs to, the innermost first.
export interface AssemblyRow extends Costs {
  readonly instruction: Instruction;
  readonly inside: readonly number[];
}

function nothing(): Costs {
  return { self: 0, total: 0, baseSelf: 0, baseTotal: 0 };
}
function add(to: Costs, cost: Costs): void {
  to.self += cost.self;
  to.total += cost.total;
  to.baseSelf += cost.baseSelf;
  to.baseTotal += cost.baseTotal;
}
export function hasCost(cost: Costs): boolean {
  return cost.self !== 0 || cost.total !== 0 || cost.baseSelf !== 0 || cost.baseTotal !== 0;
}

// Costs of the same place in two answers: now and before. Those of before times `scale`.
export function mergeCosts<T extends Costs>(
  now: readonly T[],
  before: readonly T[],
  scale: number,
  id: (cost: T) => string | number,
): T[] {
  const all = new Map<string | number, T>();
  for (const cost of now) all.set(id(cost), { ...cost, baseSelf: 0, baseTotal: 0 });
  for (const cost of before) {
    const known = all.get(id(cost)) ?? { ...cost, self: 0, total: 0 };
    known.baseSelf = cost.self * scale;
    known.baseTotal = cost.total * scale;
    all.set(id(cost), known);
  }
  return [...all.values()];
}

// The row for cost without a line is there if any thread or event has some; without the selection's, it says nothing.
function withoutFreeUnknown(rows: readonly CodeRow[], lines: readonly LineCost[]): readonly CodeRow[] {
  if (lines.some((x) => x.file === "" && x.line === 0 && hasCost(x))) return rows;
  const isFree = (row: CodeRow | undefined, i: number) =>
    row?.kind === "line" && row.depth === 0 && row.file === "" && row.line === 0 && row.end === i + 1;
  const isLeft = rows.map(
    (row, i) => !isFree(row, i) && !(row.kind === "file" && row.file === "" && isFree(rows[i + 1], i + 1)),
  );
  const before = [0]; // rows left before this one
  for (const left of isLeft) before.push(before[before.length - 1]! + Number(left));
  return rows.filter((_, i) => isLeft[i]).map((row) => ({ ...row, end: before[row.end] ?? row.end }));
}

// Adds costs to the rows of the code, as src/annotate/row_costs.cc does: the self cost of a line is that of all its instructions, with
// what is inlined there. Total costs are known for lines of the function itself only. `byLines`: self costs of those lines, too, are of
// the frames, without what is inlined; for comparisons of two builds, whose instructions differ. Lines that have cost but no row come
// at the end, by file. `outside`: self cost of addresses that are not among the instructions.
export function joinCode(
  code: Pick<Code, "rows" | "instructions">,
  lines: readonly LineCost[],
  addresses: readonly AddressCost[],
  byLines = false,
): { source: SourceRow[]; assembly: AssemblyRow[]; outside: number } {
  const { costs, instructions, outside } = instructionCosts(code.instructions, addresses);
  const inside: number[][] = instructions.map(() => []);
  const source: SourceRow[] = [];
  const open: { at: number; end: number }[] = []; // source rows around the current one
  const hasCode = new Set<number>(); // source rows with instructions
  withoutFreeUnknown(code.rows, lines).forEach((row, i) => {
    while (open.length > 0 && open[open.length - 1]!.end <= i) source[open.pop()!.at]!.until = source.length;
    if (row.kind === "instruction") {
      const cost = costs[row.instruction];
      if (cost === undefined) return;
      inside[row.instruction] = open.map((x) => x.at).reverse();
      for (const { at } of open) {
        source[at]!.self += cost.self;
        source[at]!.baseSelf += cost.baseSelf;
        hasCode.add(at);
      }
      return;
    }
    source.push({
      kind: row.kind,
      depth: row.depth,
      file: row.file,
      line: row.line,
      text: row.text,
      until: source.length + 1,
      ...nothing(),
    });
    if (row.kind !== "file" && row.kind !== "gap") open.push({ at: source.length - 1, end: row.end });
  });
  while (open.length > 0) source[open.pop()!.at]!.until = source.length;
  addLines(source, lines, (row) => byLines || addresses.length === 0 || !hasCode.has(row));
  return { source, assembly: instructions.map((instruction, i) => ({ instruction, inside: inside[i]!, ...costs[i]! })), outside };
}

// `takesSelf`: the row's self cost is that of the line.
function addLines(source: SourceRow[], lines: readonly LineCost[], takesSelf: (row: number) => boolean): void {
  const rows = new Map<string, number>();
  source.forEach((row, i) => {
    if (row.kind !== "line" || row.depth > 0) return;
    rows.set(`${row.file}:${row.line}`, i);
    if (takesSelf(i)) row.self = row.baseSelf = 0;
  });
  const others = new Map<string, LineCost[]>();
  for (const cost of lines) {
    const at = rows.get(`${cost.file}:${cost.line}`);
    if (at !== undefined) add(source[at]!, takesSelf(at) ? cost : { ...cost, self: 0, baseSelf: 0 });
    else if (hasCost(cost)) others.set(cost.file, [...(others.get(cost.file) ?? []), cost]);
  }
  // Instructions without a line have the same cost again.
  const onlyUnknown = others.size === 1 && others.has("") && source.length > 0;
  if (onlyUnknown) return;
  const weight = (costs: readonly LineCost[]) => costs.reduce((sum, x) => sum + x.total + x.baseTotal, 0);
  const byWeight = [...others].sort(([a, x], [b, y]) => Number(a === "") - Number(b === "") || weight(y) - weight(x));
  for (const [file, costs] of byWeight) {
    source.push({ kind: "file", depth: 0, file, line: 0, text: null, until: source.length + 1, ...nothing() });
    for (const { line, self, total, baseSelf, baseTotal } of [...costs].sort((a, b) => a.line - b.line)) {
      source.push({ kind: "line", depth: 0, file, line, text: null, until: source.length + 1, self, total, baseSelf, baseTotal });
    }
  }
}

// Costs by instruction. An address inside of an instruction belongs to it: callers are counted within the call. Without instructions,
// each address with cost stands for one.
function instructionCosts(
  instructions: readonly Instruction[],
  addresses: readonly AddressCost[],
): { costs: Costs[]; instructions: readonly Instruction[]; outside: number } {
  if (instructions.length === 0) {
    const sorted = [...addresses].sort((a, b) => a.address - b.address);
    return {
      costs: sorted.map(({ self, total, baseSelf, baseTotal }) => ({ self, total, baseSelf, baseTotal })),
      instructions: sorted.map(({ address }) => ({ address, size: 0, bytes: "", text: "", target: -1 })),
      outside: 0,
    };
  }
  const costs = instructions.map(nothing);
  let outside = 0;
  for (const cost of addresses) {
    const at = instructionAt(instructions, cost.address);
    if (at < 0) outside += cost.self;
    else add(costs[at]!, cost);
  }
  return { costs, instructions, outside };
}

// The instruction that has the address; -1: none.
function instructionAt(sorted: readonly Instruction[], address: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]!.address <= address) low = middle + 1;
    else high = middle;
  }
  const found = sorted[low - 1];
  return found !== undefined && address < found.address + Math.max(1, found.size) ? low - 1 : -1;
}

// Of a comparison: for each row whether its self cost is more (1) or less (-1) than before, 0 if sampling noise can explain it.
export function verdictsOf(rows: readonly Costs[], totals: Totals, normalized: boolean): Int8Array {
  const samplesOf = (weight: number, all: number, samples: number) => (all > 0 ? (weight * samples) / all : 0);
  const noise = new NoiseTest(normalized, totals);
  const tested = rows.map(({ self, baseSelf }) =>
    noise.test(
      self,
      samplesOf(self, totals.weight, totals.samples),
      baseSelf,
      samplesOf(baseSelf, totals.baseWeight, totals.baseSamples),
    ),
  );
  return Int8Array.from(rows, (row, i) => noise.verdict(tested[i]!, row.self, row.baseSelf));
}

export function canFold(row: SourceRow, index: number): boolean {
  return row.until > index + 1;
}

// Source rows that are not inside of a closed one.
export function unfolded(source: readonly SourceRow[], open: ReadonlySet<number>): number[] {
  const shown: number[] = [];
  for (let i = 0; i < source.length; i = open.has(i) ? i + 1 : source[i]!.until) shown.push(i);
  return shown;
}

// Rows to open at first: those with a good part of the cost inside.
export function hotFolds(source: readonly SourceRow[], part: number): Set<number> {
  const all = source.reduce((sum, row) => (row.depth === 0 && row.kind === "line" ? sum + row.self : sum), 0);
  const open = new Set<number>();
  source.forEach((row, i) => {
    if (!canFold(row, i)) return;
    let inner = 0;
    for (let j = i + 1; j < row.until; j = source[j]!.until) inner += source[j]!.self;
    if (inner > 0 && inner >= part * all) open.add(i);
  });
  return open;
}

// Jumps within the function as lines between rows, side by side in lanes; lane 0 is next to the text. Short ones come first; what
// finds no lane has no line.
export interface Jumps {
  readonly lanes: number;
  readonly from: readonly number[]; // by jump: rows
  readonly to: readonly number[];
  readonly at: Int32Array; // row * lanes + lane: a jump, or -1
}

export function layOutJumps(rows: readonly { readonly instruction: Instruction }[], most: number): Jumps {
  const rowOf = new Map(rows.map((row, i) => [row.instruction.address, i]));
  const all: [number, number][] = [];
  rows.forEach((row, i) => {
    const target = row.instruction.target >= 0 ? rowOf.get(row.instruction.target) : undefined;
    if (target !== undefined && target !== i) all.push([i, target]);
  });
  const length = (jump: [number, number]) => Math.abs(jump[0] - jump[1]);
  all.sort((a, b) => length(a) - length(b) || a[0] - b[0]);
  const at = new Int32Array(rows.length * most).fill(-1);
  const from: number[] = [];
  const to: number[] = [];
  let lanes = 0;
  for (const [source, target] of all) {
    const first = Math.min(source, target);
    const last = Math.max(source, target);
    for (let lane = 0; lane < most; ++lane) {
      let free = true;
      for (let row = first; row <= last && free; ++row) free = at[row * most + lane] === -1;
      if (!free) continue;
      for (let row = first; row <= last; ++row) at[row * most + lane] = from.length;
      from.push(source);
      to.push(target);
      lanes = Math.max(lanes, lane + 1);
      break;
    }
  }
  // Only as many lanes as are used.
  const used = new Int32Array(rows.length * lanes);
  for (let row = 0; row < rows.length; ++row) {
    for (let lane = 0; lane < lanes; ++lane) used[row * lanes + lane] = at[row * most + lane]!;
  }
  return { lanes, from, to, at: used };
}

// The row with the highest self cost, else total; -1 if none has any.
export function hottest(rows: readonly Costs[]): number {
  let best = -1;
  rows.forEach((row, i) => {
    const { self, total } = rows[best] ?? nothing();
    if (row.self > self || (row.self === self && row.total > total)) best = i;
  });
  return best;
}

// What a line of source is made of, for its color. A comment may go on over several lines: pass the state of the line before.
export type TokenKind = "plain" | "comment" | "string" | "keyword" | "number";
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const kKeywords = new Set(
  (
    "alignas alignof as async auto await bool break case catch char class co_await co_return co_yield concept const const_cast constexpr continue " +
    "crate decltype default defer delete do double dyn dynamic_cast else enum explicit export extern false final float fn for friend func go goto if " +
    "impl import in inline int interface let long loop map match mod move mut namespace new noexcept nullptr operator override package private " +
    "protected pub public range ref register reinterpret_cast requires return self Self short signed sizeof static static_assert static_cast struct " +
    "super switch template this thread_local throw trait true try type typedef typeid typename union unsafe unsigned use using var virtual void " +
    "volatile where while yield"
  ).split(" "),
);
const kToken = /\/\/.*|\/\*|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)'|[A-Za-z_$][\w$]*|\d[\w.']*/g;

// Whether lines that follow a gap begin within a comment: one ends before any begins.
export function beginsInComment(lines: Iterable<string>): boolean {
  for (const line of lines) {
    const { tokens: found, inComment } = tokens(line, false);
    const begins = found.findIndex((x) => x.kind === "comment" && x.text.startsWith("/*"));
    const ends = found.findIndex((x) => x.kind === "plain" && x.text.includes("*/"));
    if (ends >= 0 && (begins < 0 || ends < begins)) return true;
    if (begins >= 0 || inComment) return false;
  }
  return false;
}

export function tokens(line: string, inComment: boolean): { tokens: Token[]; inComment: boolean } {
  const out: Token[] = [];
  const put = (kind: TokenKind, text: string) => text !== "" && out.push({ kind, text });
  let at = 0;
  const comment = (from: number): boolean => {
    const end = line.indexOf("*/", from);
    put("comment", line.slice(at, end < 0 ? line.length : end + 2));
    at = end < 0 ? line.length : end + 2;
    return end < 0;
  };
  if (inComment && comment(0)) return { tokens: out, inComment: true };
  for (;;) {
    kToken.lastIndex = at;
    const match = kToken.exec(line);
    if (match === null) break;
    const text = match[0]!;
    put("plain", line.slice(at, match.index));
    at = match.index;
    if (text === "/*") {
      if (comment(at + 2)) return { tokens: out, inComment: true };
      continue;
    }
    const first = text[0]!;
    const kind: TokenKind = text.startsWith("//")
      ? "comment"
      : first === '"' || first === "'"
        ? "string"
        : first >= "0" && first <= "9"
          ? "number"
          : kKeywords.has(text)
            ? "keyword"
            : "plain";
    put(kind, text);
    at += text.length;
  }
  put("plain", line.slice(at));
  return { tokens: out, inComment: false };
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The flat view: self and total cost of each function. A function that is on a stack several times counts once in its total.

import type { FunctionRows, FunctionSort } from "./api";
import type { NodeCosts, Shown } from "./costs";
import type { Names } from "./names";
import type { NoiseTest } from "./noise";
import { inlinedOf, type Tree } from "./tree";

// By key.
export interface KeyCosts {
  readonly self: Float64Array;
  readonly selfSamples: Float64Array;
  readonly total: Float64Array;
  readonly samples: Float64Array;
  readonly inlining: Uint8Array;
}

export function sumByKey(tree: Tree, costs: NodeCosts, keys: number): KeyCosts {
  const self = new Float64Array(keys), selfSamples = new Float64Array(keys), total = new Float64Array(keys), samples = new Float64Array(keys);
  const inlining = new Uint8Array(keys);
  // The end of the last subtree of each key: rows before it are called, directly or not, by the same function.
  const inside = new Uint32Array(keys);
  const { key, end, inlining: flags, size } = tree;
  for (let i = 1; i < size; ) {
    if (costs.isEmpty(i)) {
      i = end[i]!;
      continue;
    }
    const k = key[i]!;
    self[k] += costs.self[i]!;
    selfSamples[k] += costs.selfCount[i]!;
    inlining[k] |= flags[i]!;
    if (i >= inside[k]!) {
      inside[k] = end[i]!;
      total[k] += costs.total[i]!;
      samples[k] += costs.totalCount[i]!;
    }
    ++i;
  }
  return { self, selfSamples, total, samples, inlining };
}

export interface TableOptions {
  sort: FunctionSort;
  descending: boolean;
  pattern: string;
  limit: number;
}

export function listFunctions(shown: Shown, names: Names, keys: number, noise: NoiseTest | null, options: TableOptions): FunctionRows {
  const now = sumByKey(shown.tree, shown.now, keys);
  const before = shown.before === null ? null : sumByKey(shown.tree, shown.before, keys);
  const { scale } = shown;
  const rows: number[] = [];
  for (let k = 0; k < keys; ++k) {
    const has = now.total[k] !== 0 || now.samples[k] !== 0 || (before !== null && (before.total[k] !== 0 || before.samples[k] !== 0));
    if (has && !names.isGroup(k)) rows.push(k);
  }
  const all = rows.length;

  // Verdicts are about all functions, whatever is shown; self and total costs are tested together, as in `wick diff`.
  let verdicts: Int8Array | null = null;
  if (before !== null && noise !== null) {
    verdicts = new Int8Array(keys);
    const self = new Float64Array(keys);
    for (const k of rows) {
      self[k] = noise.test(now.self[k]!, now.selfSamples[k]!, before.self[k]!, before.selfSamples[k]!);
      const isLeaf = now.self[k] === now.total[k] && before.self[k] === before.total[k];
      if (!isLeaf) noise.test(now.total[k]!, now.samples[k]!, before.total[k]!, before.samples[k]!);
    }
    noise.finish();
    for (const k of rows) verdicts[k] = noise.verdict(self[k]!, now.self[k]!, before.self[k]!);
  }

  let shownRows = rows;
  if (options.pattern !== "") {
    const matches = names.match(options.pattern);
    shownRows = rows.filter((k) => matches[k] === 1);
  }
  const sign = options.descending ? -1 : 1;
  // The largest changes first, whether more or less; what noise explains comes last.
  const change = (side: "self" | "total"): Float64Array => {
    const out = new Float64Array(keys);
    for (const k of rows) out[k] = Math.abs(now[side][k]! - (before === null ? 0 : scale * before[side][k]!));
    return out;
  };
  const bySize = (first: Float64Array, second: Float64Array) => (a: number, b: number): number =>
    sign * (first[a]! - first[b]!) || sign * (second[a]! - second[b]!) || names.compare(a, b);
  const orders: Record<FunctionSort, () => (a: number, b: number) => number> = {
    self: () => bySize(now.self, now.total),
    total: () => bySize(now.total, now.self),
    name: () => (a, b) => sign * names.compare(a, b),
    module: () => (a, b) => {
      const x = names.moduleName(a), y = names.moduleName(b);
      return x !== y ? (x < y ? -sign : sign) : now.self[b]! - now.self[a]! || names.compare(a, b);
    },
    delta: () => {
      const size = bySize(change("self"), change("total"));
      return verdicts === null ? size : (a, b) => (verdicts![a] !== 0 ? (verdicts![b] !== 0 ? size(a, b) : sign) : verdicts![b] !== 0 ? -sign : size(a, b));
    },
  };
  shownRows.sort((orders[options.sort] ?? orders.self)());
  if (options.limit > 0 && shownRows.length > options.limit) shownRows = shownRows.slice(0, options.limit);

  const pick = (from: Float64Array, by = 1): Float64Array => {
    const out = new Float64Array(shownRows.length);
    for (let i = 0; i < out.length; ++i) out[i] = from[shownRows[i]!]! * by;
    return out;
  };
  return {
    count: shownRows.length, all, key: Uint32Array.from(shownRows), self: pick(now.self), total: pick(now.total), samples: pick(now.samples),
    selfSamples: pick(now.selfSamples), baseSelf: before === null ? null : pick(before.self, scale), baseTotal: before === null ? null : pick(before.total, scale),
    verdict: verdicts === null ? null : Int8Array.from(shownRows, (k) => verdicts![k]!),
    inlined: Uint8Array.from(shownRows, (k) => inlinedOf(now.inlining[k]! | (before?.inlining[k] ?? 0))),
  };
}

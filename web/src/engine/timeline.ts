// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Costs over time: tracks of threads, threads by cost, and the heat map.

import { kNone, type HeatMap, type Selection, type ThreadCosts, type Tracks } from "./api";
import type { Profile } from "./payload";
import { lowerBound, sliceSegments } from "./selection";

// Adds samples [begin, end) to the bin of their time. All times are at or after `from`; bins are `length` long.
function addToBins(profile: Profile, begin: number, end: number, from: number, length: number, bins: Float64Array): void {
  const time = profile.sampleTime, weight = profile.sampleWeight;
  const times = time.array, weights = weight.array, last = bins.length - 1;
  const binOf = (at: number): number => Math.min(last, Math.floor((at - from) / length));
  if (times === null) {
    const bin = binOf(time.constant!);
    for (let i = begin; i < end; ++i) bins[bin] += weights === null ? weight.constant! : weights[i]!;
    return;
  }
  // Samples are sorted: most are in the bin of the one before, which needs no division. `until` is a bit before the end of that bin,
  // whatever rounding does.
  let bin = 0, until = -Infinity, sum = 0;
  for (let i = begin; i < end; ++i) {
    const at = times[i]!;
    if (at >= until) {
      bins[bin] += sum;
      sum = 0;
      bin = binOf(at);
      until = from + (bin + 1) * length * (1 - 1e-9) - 1e-9 * Math.abs(from);
    }
    sum += weights === null ? weight.constant! : weights[i]!;
  }
  bins[bin] += sum;
}

// The kind of code that each stack ends in.
export function kindsOfStacks({ meta, stackFrame, frameFunction, functionKind }: Profile): Uint8Array {
  const unknown = Math.max(0, meta.kinds.indexOf("unknown"));
  const kinds = new Uint8Array(stackFrame.length);
  for (let i = 0; i < kinds.length; ++i) kinds[i] = stackFrame[i] === kNone ? unknown : functionKind[frameFunction[stackFrame[i]!]!]!;
  return kinds;
}

// The colors of a track are coarser than its height, and of a bin with more samples some are looked at: 10 million take too long.
const kKindBins = 100;
const kLookedAt = 32;

// Adds the cost of samples [begin, end) to bins of their kind: those of one kind after those of the other.
function addKinds(profile: Profile, kindOfStack: Uint8Array, begin: number, end: number, range: readonly [number, number], count: number, bins: Float64Array): void {
  const { sampleStack, sampleTime, sampleWeight } = profile;
  const weights = sampleWeight.array;
  let random = 1;
  for (let bin = 0, i = begin; i < end; ++bin) {
    const next = bin === count - 1 ? end : lowerBound(sampleTime, i, end, range[0] + ((bin + 1) * (range[1] - range[0])) / count);
    const step = Math.max(1, Math.floor((next - i) / kLookedAt));
    while (i < next) {
      // A random one stands for its neighbors: of kinds that come in turns, equal steps might meet only one.
      const length = Math.min(step, next - i);
      random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
      const at = i + Math.floor((random / 2 ** 32) * length);
      bins[kindOfStack[sampleStack[at]!]! * count + bin] += length * (weights === null ? sampleWeight.constant! : weights[at]!);
      i += length;
    }
  }
}

export function makeTracks(profile: Profile, kindOfStack: Uint8Array, event: number, threads: readonly number[], range: readonly [number, number], bins: number): Tracks {
  bins = Math.max(1, Math.min(Math.floor(bins) || 1, 1 << 16));
  const rows = new Map<number, number[]>();
  threads.forEach((thread, row) => {
    const same = rows.get(thread);
    if (same === undefined) rows.set(thread, [row]);
    else same.push(row);
  });
  const kinds = Math.max(1, profile.meta.kinds.length);
  const kindBins = Math.min(bins, kKindBins);
  const cost = new Float32Array(threads.length * bins), costOfKinds = new Float32Array(threads.length * kinds * kindBins);
  const sums = new Float64Array(bins), sumsOfKinds = new Float64Array(kinds * kindBins);
  const from = range[0], length = (range[1] - range[0]) / bins;
  let max = 0;
  if (length > 0) {
    const byThread = new Map<number, number[]>();
    profile.segmentThread.forEach((thread, s) => {
      if (profile.segmentEvent[s] !== event || !rows.has(thread)) return;
      const same = byThread.get(thread);
      if (same === undefined) byThread.set(thread, [s]);
      else same.push(s);
    });
    for (const [thread, segments] of byThread) {
      sums.fill(0);
      sumsOfKinds.fill(0);
      for (const s of segments) {
        const a = lowerBound(profile.sampleTime, profile.segmentFirst[s]!, profile.segmentFirst[s + 1]!, range[0]);
        const b = lowerBound(profile.sampleTime, a, profile.segmentFirst[s + 1]!, range[1]);
        addToBins(profile, a, b, from, length, sums);
        addKinds(profile, kindOfStack, a, b, range, kindBins, sumsOfKinds);
      }
      for (const row of rows.get(thread)!) {
        cost.set(sums, row * bins);
        costOfKinds.set(sumsOfKinds, row * kinds * kindBins);
      }
      for (let i = 0; i < bins; ++i) max = Math.max(max, sums[i]!);
    }
  }
  return { threads: Uint32Array.from(threads), bins, cost, kindBins, costOfKinds, max };
}

export function sumThreads(profile: Profile, event: number, range: readonly [number, number] | null): ThreadCosts {
  const threads = profile.meta.threads.length;
  const weight = new Float64Array(threads), samples = new Float64Array(threads);
  const { begin, end } = sliceSegments(profile, { event, threads: null, range });
  for (let s = 0; s < begin.length; ++s) {
    const thread = profile.segmentThread[s]!;
    weight[thread] += profile.weightSums.sum(begin[s]!, end[s]!);
    samples[thread] += profile.countSums.sum(begin[s]!, end[s]!);
  }
  let busiest = -1;
  for (let t = 0; t < threads; ++t) if (weight[t]! > 0 && (busiest < 0 || weight[t]! > weight[busiest]!)) busiest = t;
  return { weight, samples, busiest };
}

// 1, 2 or 5 times a power of ten, at least `x`.
function roundUp(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  for (const factor of [1, 2, 5, 10]) if (factor * power >= x * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

export function endOfTimes(profile: Profile): number {
  let end = profile.meta.durationNs / profile.meta.timeUnitNs;
  const { constant, array } = profile.sampleTime;
  if (constant !== null) return Math.max(end, constant + 1);
  for (let s = 0; s + 1 < profile.segmentFirst.length; ++s) {
    const last = profile.segmentFirst[s + 1]!;
    if (last > profile.segmentFirst[s]!) end = Math.max(end, array![last - 1]! + 1);
  }
  return end;
}

export function makeHeatMap(profile: Profile, selection: Selection, columns: number, rows: number): HeatMap {
  columns = Math.max(1, Math.min(Math.floor(columns) || 1, 1 << 14));
  rows = Math.max(1, Math.min(Math.floor(rows) || 1, 1 << 10));
  const end = endOfTimes(profile), second = 1e9 / profile.meta.timeUnitNs;
  // Columns of a second; shorter ones if a recording has few seconds.
  const least = end >= 20 * second ? second : Math.max(1, roundUp(Math.max(1, end) / 50));
  const columnTime = Math.max(least, end / columns > least ? roundUp(end / columns / second) * second : 0);
  const count = Math.max(1, Math.min(columns, Math.ceil(end / columnTime)));
  const bins = new Float64Array(count * rows);
  const { begin, end: ends } = sliceSegments(profile, selection);
  for (let s = 0; s < begin.length; ++s) addToBins(profile, begin[s]!, ends[s]!, 0, columnTime / rows, bins);
  let max = 0;
  for (let i = 0; i < bins.length; ++i) max = Math.max(max, bins[i]!);
  return { columns: count, rows, columnTime, cost: Float32Array.from(bins), max };
}

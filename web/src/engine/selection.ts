// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The samples of a view. A selection is one slice of each segment (an event of a thread), since samples are sorted by time there.

import type { Selection } from "./api";
import type { Checkpoints } from "./checkpoints";
import type { Profile, Values } from "./payload";

export type Counts = Uint32Array | Float64Array;

// The first sample in [begin, end) at or after `time`.
export function lowerBound(times: Values, begin: number, end: number, time: number): number {
  const { constant, array } = times;
  if (constant !== null) return constant >= time ? begin : end;
  while (begin < end) {
    const middle = (begin + end) >>> 1;
    if (array![middle]! < time) begin = middle + 1;
    else end = middle;
  }
  return begin;
}

export interface Slices {
  readonly begin: Uint32Array; // by segment; begin == end: nothing
  readonly end: Uint32Array;
}

export function sliceSegments(profile: Profile, selection: Selection): Slices {
  const { segmentEvent, segmentThread, segmentFirst, sampleTime } = profile;
  const n = segmentEvent.length;
  const begin = new Uint32Array(n), end = new Uint32Array(n);
  let wanted: Uint8Array | null = null;
  if (selection.threads !== null) {
    wanted = new Uint8Array(profile.meta.threads.length);
    for (const t of selection.threads) wanted[t] = 1;
  }
  for (let s = 0; s < n; ++s) {
    if (segmentEvent[s] !== selection.event || (wanted !== null && wanted[segmentThread[s]!] !== 1)) continue;
    let a = segmentFirst[s]!, b = segmentFirst[s + 1]!;
    if (selection.range !== null) {
      a = lowerBound(sampleTime, a, b, selection.range[0]);
      b = lowerBound(sampleTime, a, b, selection.range[1]);
    }
    begin[s] = a;
    end[s] = b;
  }
  return { begin, end };
}

// A column for sums of counts.
export function makeCounts(profile: Profile, length: number): Counts {
  return profile.counts < 2 ** 32 ? new Uint32Array(length) : new Float64Array(length);
}

// How many samples are in one of two selections only.
function countChanged(from: Slices, to: Slices): number {
  let changed = 0;
  for (let s = 0; s < to.begin.length; ++s) {
    const a = to.begin[s]!, b = to.end[s]!, c = from.begin[s]!, d = from.end[s]!;
    changed += b - a + (d - c) - 2 * Math.max(0, Math.min(b, d) - Math.max(a, c));
  }
  return changed;
}

// Costs of a selection by stack. They are computed from the sums that are known (of the last selection, at checkpoints) with the
// fewest samples to add and remove: sums of integers are exact in any order.
export class StackSums {
  readonly weight: Float64Array;
  readonly count: Counts;
  version = 0; // differs for different selections
  private slices: Slices | null = null;

  constructor(private readonly profile: Profile) {
    this.weight = new Float64Array(profile.stacks);
    this.count = makeCounts(profile, profile.stacks);
  }

  select(selection: Selection, checkpoints: Checkpoints | null): void {
    const { profile, weight, count } = this;
    const next = sliceSegments(profile, selection), none: Slices = { begin: next.begin, end: next.begin };
    const last = this.slices ?? none;
    const isFirst = this.slices === null;
    this.slices = next;
    let from = last, least = countChanged(last, next);
    if (least === 0 && !isFirst) return;
    ++this.version;
    if (isFirst || !profile.exact) least = Infinity;
    const empty = countChanged(none, next) + profile.stacks / 8;
    if (empty < least) {
      from = none;
      least = empty;
    }
    const known = profile.exact ? checkpoints?.nearest(next) ?? null : null;
    if (known !== null && countChanged(known.slices, next) + profile.stacks / 4 < least) {
      from = known.slices;
      known.write(weight, count);
    } else if (from === none && !isFirst) {
      weight.fill(0);
      count.fill(0);
    }
    for (let s = 0; s < next.begin.length; ++s) this.change(from.begin[s]!, from.end[s]!, next.begin[s]!, next.end[s]!);
  }

  // From the samples [c, d) to [a, b).
  private change(c: number, d: number, a: number, b: number): void {
    if (b <= c || d <= a) {
      this.subtract(c, d);
      this.add(a, b);
      return;
    }
    if (a < c) this.add(a, c);
    else this.subtract(c, a);
    if (b > d) this.add(d, b);
    else this.subtract(b, d);
  }
  private add(begin: number, end: number): void {
    addSamples(this.profile, begin, end, this.weight, this.count, 1);
  }
  private subtract(begin: number, end: number): void {
    addSamples(this.profile, begin, end, this.weight, this.count, -1);
  }
}

export function addSamples(profile: Profile, begin: number, end: number, weight: Float64Array, count: Counts, sign: 1 | -1): void {
  const stack = profile.sampleStack, w = profile.sampleWeight, c = profile.sampleCount;
  if (w.constant !== null && c.constant !== null) {
    const each = sign * w.constant, one = sign * c.constant;
    for (let i = begin; i < end; ++i) {
      const s = stack[i]!;
      weight[s] += each;
      count[s] += one;
    }
  } else if (w.constant === null && c.constant === null) {
    const ws = w.array!, cs = c.array!;
    for (let i = begin; i < end; ++i) {
      const s = stack[i]!;
      weight[s] += sign * ws[i]!;
      count[s] += sign * cs[i]!;
    }
  } else if (w.constant === null) {
    const ws = w.array!, one = sign * c.constant!;
    for (let i = begin; i < end; ++i) {
      const s = stack[i]!;
      weight[s] += sign * ws[i]!;
      count[s] += one;
    }
  } else {
    const each = sign * w.constant, cs = c.array!;
    for (let i = begin; i < end; ++i) {
      const s = stack[i]!;
      weight[s] += each;
      count[s] += sign * cs[i]!;
    }
  }
}

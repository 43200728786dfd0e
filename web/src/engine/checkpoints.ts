// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Sums by stack of all samples of an event before some moments. With them a selection costs the samples between its ends and the
// nearest moments, not all that it has. They are computed in small steps, while the page asks for nothing.

import { freeColumns } from "./buffers";
import type { Profile } from "./payload";
import { addSamples, lowerBound, makeCounts, type Counts, type Slices } from "./selection";

const kLimits = {
  bytes: 24 << 20,
  checkpoints: 16,
  between: 1 << 18, // samples, at least
  step: 1 << 19, // samples
};

interface Sums {
  readonly position: Uint32Array; // by segment: the first sample that is not summed up
  readonly weight: Float64Array;
  readonly count: Counts;
}

interface Checkpoint {
  readonly position: Uint32Array;
  readonly weight: Packed;
  readonly count: Counts;
}

// Sums of integers in 4 bytes each. The few that need more have the rest beside them.
export class Packed {
  private readonly low: Uint32Array;
  private readonly rows: Uint32Array;
  private readonly high: Float64Array;

  constructor(values: Float64Array) {
    const low = (this.low = new Uint32Array(values.length));
    const rows: number[] = [], high: number[] = [];
    for (let i = 0; i < values.length; ++i) {
      const value = values[i]!, part = value >>> 0;
      low[i] = part;
      if (part === value) continue;
      rows.push(i);
      high.push(value - part);
    }
    this.rows = Uint32Array.from(rows);
    this.high = Float64Array.from(high);
  }
  write(to: Float64Array): void {
    to.set(this.low);
    this.rows.forEach((row, i) => (to[row] += this.high[i]!));
  }
  subtractFrom(to: Float64Array): void {
    const { low } = this;
    for (let i = 0; i < low.length; ++i) to[i] -= low[i]!;
    this.rows.forEach((row, i) => (to[row] -= this.high[i]!));
  }
  free(): void {
    freeColumns(this.low, this.rows, this.high);
  }
}

export class Checkpoints {
  private readonly first: Uint32Array; // by segment: where all sums begin
  private readonly moments: number[]; // still to be done, the last one first
  private readonly done: Checkpoint[] = [];
  private next: Sums | null = null; // being computed
  private target: Uint32Array; // of `next`
  private segment = 0; // where `next` is

  constructor(
    private readonly profile: Profile,
    readonly event: number,
    private readonly limits = kLimits,
  ) {
    this.first = profile.segmentFirst.slice(0, -1);
    this.target = this.first;
    this.moments = chooseMoments(profile, event, limits).reverse();
  }

  // Computes a part of what is left to do. False: nothing was.
  step(): boolean {
    if (this.next === null) {
      const moment = this.moments.pop();
      if (moment === undefined) return false;
      const { profile } = this, last = this.done[this.done.length - 1];
      this.target = this.positionsAt(moment);
      const weight = new Float64Array(profile.stacks);
      last?.weight.write(weight);
      this.next = { position: (last?.position ?? this.first).slice(), weight, count: last?.count.slice() ?? makeCounts(profile, profile.stacks) };
      this.segment = 0;
    }
    const { position, weight, count } = this.next;
    let room = this.limits.step;
    for (; this.segment < position.length; ++this.segment) {
      const s = this.segment, begin = position[s]!, end = Math.min(this.target[s]!, begin + room);
      addSamples(this.profile, begin, end, weight, count, 1);
      position[s] = end;
      room -= end - begin;
      if (end < this.target[s]!) return true;
    }
    this.done.push({ position, weight: new Packed(weight), count });
    freeColumns(weight);
    this.next = null;
    return true;
  }

  // A selection similar to this one whose sums are known; null if there is none.
  nearest(wanted: Slices): { readonly slices: Slices; write(weight: Float64Array, count: Counts): void } | null {
    const begin = this.nearestTo(wanted, wanted.begin), end = this.nearestTo(wanted, wanted.end);
    if (end === null || begin === end) return null;
    return {
      slices: { begin: begin?.position ?? this.first, end: end.position },
      write(weight, count) {
        end.weight.write(weight);
        count.set(end.count);
        if (begin === null) return;
        begin.weight.subtractFrom(weight);
        for (let i = 0; i < count.length; ++i) count[i] -= begin.count[i]!;
      },
    };
  }

  // The checkpoint with the fewest samples between it and these positions; null: the beginning.
  private nearestTo(wanted: Slices, position: Uint32Array): Checkpoint | null {
    const distance = (to: Uint32Array): number => {
      let sum = 0;
      for (let s = 0; s < to.length; ++s) if (wanted.begin[s]! < wanted.end[s]!) sum += Math.abs(to[s]! - position[s]!);
      return sum;
    };
    let best: Checkpoint | null = null, least = distance(this.first);
    for (const checkpoint of this.done) {
      const samples = distance(checkpoint.position);
      if (samples >= least) continue;
      least = samples;
      best = checkpoint;
    }
    return best;
  }

  free(): void {
    for (const { weight, count } of this.done) {
      weight.free();
      freeColumns(count);
    }
    if (this.next !== null) freeColumns(this.next.weight, this.next.count);
  }

  private positionsAt(moment: number): Uint32Array {
    const { segmentEvent, segmentFirst, sampleTime } = this.profile;
    return this.first.map((first, s) => (segmentEvent[s] === this.event ? lowerBound(sampleTime, first, segmentFirst[s + 1]!, moment) : first));
  }
}

// As many samples between each two of them, about; the last one is after all samples.
function chooseMoments(profile: Profile, event: number, limits: typeof kLimits): number[] {
  if (!profile.exact) return []; // sums would depend on the order
  const { segmentEvent, segmentFirst, sampleTime, stacks } = profile;
  let samples = 0;
  segmentEvent.forEach((of, s) => (samples += of === event ? segmentFirst[s + 1]! - segmentFirst[s]! : 0));
  const size = stacks * (8 + makeCounts(profile, 0).BYTES_PER_ELEMENT);
  const count = Math.min(limits.checkpoints, Math.floor(samples / limits.between), Math.floor(limits.bytes / size));
  if (count <= 0) return [];
  const moments = [Infinity];
  if (sampleTime.array !== null) {
    const times: number[] = [], stride = Math.ceil(samples / 4096);
    let at = 0; // within the samples of the event
    segmentEvent.forEach((of, s) => {
      if (of !== event) return;
      const begin = segmentFirst[s]!, length = segmentFirst[s + 1]! - begin;
      for (let i = (stride - (at % stride)) % stride; i < length; i += stride) times.push(sampleTime.array![begin + i]!);
      at += length;
    });
    times.sort((a, b) => a - b);
    for (let i = 1; i < count; ++i) moments.push(times[Math.floor((i * times.length) / count)]!);
  }
  return [...new Set(moments)].sort((a, b) => a - b);
}

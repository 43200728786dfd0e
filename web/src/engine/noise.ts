// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// What sampling noise can explain: the tests of src/analyze/diff_noise.h, which says why these. docs/diff.md explains them to users.

import type { Verdict } from "./api";

export const kRunToRun = 0.05;
export const kNoiseLevel = 0.01;

// The cost of a row and the total cost, with their numbers of samples.
export interface Part {
  weight: number;
  samples: number;
  allWeight: number;
  allSamples: number;
}

interface Samples {
  before: number;
  after: number;
  allBefore: number;
  allAfter: number;
  unitBefore: number; // cost of a sample
  unitAfter: number;
}

function toSamples(before: Part, after: Part): Samples {
  const weightBefore = Math.max(before.allWeight, 0), weightAfter = Math.max(after.allWeight, 0);
  let allBefore = before.allSamples, allAfter = after.allSamples;
  const hasBefore = weightBefore > 0 && allBefore > 0, hasAfter = weightAfter > 0 && allAfter > 0;
  if (!hasBefore && !hasAfter) return { before: 0, after: 0, allBefore: 0, allAfter: 0, unitBefore: 1, unitAfter: 1 };
  const unitBefore = hasBefore ? weightBefore / allBefore : weightAfter / allAfter;
  const unitAfter = hasAfter ? weightAfter / allAfter : unitBefore;
  let b = Math.max(before.weight, 0) / unitBefore, a = Math.max(after.weight, 0) / unitAfter;
  // One heavy sample is still one sample.
  const sum = b + a, samples = before.samples + after.samples;
  if (sum > samples) {
    const part = samples / sum;
    b *= part;
    a *= part;
    allBefore *= part;
    allAfter *= part;
  }
  return { before: b, after: a, allBefore, allAfter, unitBefore, unitAfter };
}

// The complementary error function for x >= 0: a series near 0, a continued fraction beyond; relative error below 1e-13.
export function erfc(x: number): number {
  if (x < 0) return 2 - erfc(-x);
  if (x > 27) return 0;
  if (x < 2) {
    let term = x, sum = x;
    for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); ++n) {
      term *= (-x * x) / n;
      sum += term / (2 * n + 1);
      if (n > 200) break;
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * sum;
  }
  let f = 0;
  for (let k = Math.ceil(16 + 400 / (x * x)); k > 0; --k) f = k / 2 / (x + f);
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + f);
}

function term(observed: number, expected: number): number {
  return observed > 0 && expected > 0 ? observed * Math.log(observed / expected) : 0;
}
function probability(g: number): number {
  return g > 0 ? erfc(Math.sqrt(g) / Math.SQRT2) : 1;
}

// Moves the larger of two rates toward the other by the usual difference between runs; null if no difference remains.
function allowForRuns(before: number, after: number, exposureBefore: number, exposureAfter: number): [number, number] | null {
  const rateBefore = before / exposureBefore, rateAfter = after / exposureAfter;
  if (rateAfter > rateBefore) {
    after /= 1 + kRunToRun;
    return after / exposureAfter > rateBefore ? [before, after] : null;
  }
  before /= 1 + kRunToRun;
  return before / exposureBefore > rateAfter ? [before, after] : null;
}

// Counts are discrete, the distribution is continuous.
function correction(difference: number): number {
  const moved = Math.min(0.5, Math.abs(difference));
  return difference < 0 ? -moved : moved;
}

function gOfRates(before: number, after: number, exposureBefore: number, exposureAfter: number): number {
  const sum = before + after, expected = (sum * exposureAfter) / (exposureBefore + exposureAfter);
  const moved = correction(after - expected);
  return 2 * (term(after - moved, expected) + term(before + moved, sum - expected));
}

// How likely noise alone explains this difference of costs. 1: there is none.
export function costNoise(before: Part, after: Part): number {
  const s = toSamples(before, after);
  if (s.before + s.after <= 0) return 1;
  // The cheaper a sample, the more a count says about the cost.
  const x = 1 / s.unitBefore, y = 1 / s.unitAfter;
  const pair = allowForRuns(s.before, s.after, x, y);
  return pair === null ? 1 : probability(gOfRates(pair[0], pair[1], x, y));
}

// The same for the shares of the total.
export function shareNoise(before: Part, after: Part): number {
  const s = toSamples(before, after);
  if (s.before + s.after <= 0 || s.allBefore <= 0 || s.allAfter <= 0) return 1;
  const pair = allowForRuns(s.before, s.after, s.allBefore, s.allAfter);
  if (pair === null) return 1;
  const [b, a] = pair;
  const sum = b + a, all = s.allBefore + s.allAfter;
  const expectedBefore = (sum * s.allBefore) / all, expectedAfter = (sum * s.allAfter) / all;
  const moved = correction(a - expectedAfter);
  const inBefore = b + moved, inAfter = a - moved;
  return probability(2 * (term(inBefore, expectedBefore) + term(inAfter, expectedAfter) +
    term(s.allBefore - inBefore, s.allBefore - expectedBefore) + term(s.allAfter - inAfter, s.allAfter - expectedAfter)));
}

// The lowest possible result for rows with this many samples.
export function leastNoise(before: Part, after: Part): number {
  return probability(mostG(before, after));
}
function mostG(before: Part, after: Part): number {
  const s = toSamples(before, after);
  const sum = s.before + s.after;
  if (sum <= 0) return 0;
  const x = 1 / s.unitBefore, y = 1 / s.unitAfter;
  return Math.max(gOfRates(0, sum, x, y), gOfRates(sum, 0, x, y));
}
// probability(kLeastG) is kNoiseLevel.
const kLeastG = 6.6348966010212145;

// Holm's correction for testing many rows, as a limit: rows with at most this probability changed. -1: none.
export function significanceLimit(probabilities: number[]): number {
  probabilities.sort((a, b) => a - b);
  let limit = -1;
  for (let i = 0; i < probabilities.length; ++i) {
    if (probabilities[i]! * (probabilities.length - i) >= kNoiseLevel) break;
    limit = probabilities[i]!;
  }
  return limit;
}

// Tests pairs of costs of one comparison, then tells which of them changed.
export class NoiseTest {
  private readonly tested: number[] = [];
  private limit: number | null = null;

  constructor(
    private readonly normalized: boolean,
    private readonly all: { weight: number; samples: number; baseWeight: number; baseSamples: number },
  ) {}

  // NaN: too few samples to ever be significant.
  noise(weight: number, samples: number, baseWeight: number, baseSamples: number): number {
    const before: Part = { weight: baseWeight, samples: baseSamples, allWeight: this.all.baseWeight, allSamples: this.all.baseSamples };
    const after: Part = { weight, samples, allWeight: this.all.weight, allSamples: this.all.samples };
    if (mostG(before, after) < kLeastG) return NaN;
    return this.normalized ? shareNoise(before, after) : costNoise(before, after);
  }
  // The same; counts for the correction. Only before finish().
  test(weight: number, samples: number, baseWeight: number, baseSamples: number): number {
    const p = this.noise(weight, samples, baseWeight, baseSamples);
    if (!Number.isNaN(p)) this.tested.push(p);
    return p;
  }
  get isFinished(): boolean {
    return this.limit !== null;
  }
  finish(): void {
    this.limit ??= significanceLimit(this.tested);
  }
  // Finishes, if that has not been done.
  verdict(noise: number, weight: number, baseWeight: number): Verdict {
    this.finish();
    if (!(noise <= this.limit!)) return 0;
    const share = (part: number, whole: number) => (whole > 0 ? part / whole : 0);
    const change = this.normalized ? share(weight, this.all.weight) - share(baseWeight, this.all.baseWeight) : weight - baseWeight;
    return change > 0 ? 1 : change < 0 ? -1 : 0;
  }
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

import type { Values } from "./payload";

const kBlock = 1024;

// Sums of any slice of a column, from the sums before each block of it.
export class PrefixSums {
  private before: Float64Array | null = null;

  // `exact`: sums do not depend on the order of the values.
  constructor(
    private readonly values: Values,
    private readonly exact: boolean,
  ) {}

  sum(begin: number, end: number): number {
    const { constant, array } = this.values;
    if (constant !== null) return constant * (end - begin);
    const first = Math.ceil(begin / kBlock), last = Math.floor(end / kBlock);
    if (!this.exact || first >= last) return sumOf(array!, begin, end);
    this.before ??= sumBlocks(array!);
    return sumOf(array!, begin, first * kBlock) + (this.before[last]! - this.before[first]!) + sumOf(array!, last * kBlock, end);
  }
}

function sumOf(array: NonNullable<Values["array"]>, begin: number, end: number): number {
  let sum = 0;
  for (let i = begin; i < end; ++i) sum += array[i]!;
  return sum;
}

function sumBlocks(array: NonNullable<Values["array"]>): Float64Array {
  const before = new Float64Array(Math.floor(array.length / kBlock) + 1);
  for (let i = 1; i < before.length; ++i) before[i] = before[i - 1]! + sumOf(array, (i - 1) * kBlock, i * kBlock);
  return before;
}

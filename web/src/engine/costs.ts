// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Costs by node of a tree.

import { kNone } from "./api";
import type { Profile } from "./payload";
import { makeCounts, type Counts, type StackSums } from "./selection";
import type { Tree } from "./tree";

export class NodeCosts {
  self: Float64Array;
  total: Float64Array;
  selfCount: Counts;
  totalCount: Counts;

  constructor(
    private readonly profile: Profile,
    capacity: number,
  ) {
    this.self = new Float64Array(capacity);
    this.total = new Float64Array(capacity);
    this.selfCount = makeCounts(profile, capacity);
    this.totalCount = makeCounts(profile, capacity);
  }

  // Adds up the costs of the stacks of each node, and of its callees. Stacks without a node are left out.
  fill(tree: Tree, nodeOfStack: Uint32Array, sums: StackSums): void {
    const n = tree.size;
    if (this.self.length < n) {
      this.self = new Float64Array(n);
      this.total = new Float64Array(n);
      this.selfCount = makeCounts(this.profile, n);
      this.totalCount = makeCounts(this.profile, n);
    }
    const { self, total, selfCount, totalCount } = this;
    self.fill(0, 0, n);
    selfCount.fill(0, 0, n);
    const { weight, count } = sums;
    for (let i = 0; i < nodeOfStack.length; ++i) {
      const w = weight[i]!, c = count[i]!;
      if (w === 0 && c === 0) continue;
      const node = nodeOfStack[i]!;
      if (node === kNone) continue;
      self[node] += w;
      selfCount[node] += c;
    }
    total.set(self.subarray(0, n));
    totalCount.set(selfCount.subarray(0, n));
    const { parent } = tree;
    for (let i = n - 1; i > 0; --i) {
      const w = total[i]!, c = totalCount[i]!;
      if (w === 0 && c === 0) continue;
      const p = parent[i]!;
      total[p] += w;
      totalCount[p] += c;
    }
  }

  isEmpty(node: number): boolean {
    return this.total[node] === 0 && this.totalCount[node] === 0;
  }
}

// What a view shows: a tree, its costs, and in a comparison those before.
export interface Shown {
  readonly tree: Tree;
  readonly now: NodeCosts;
  readonly before: NodeCosts | null;
  readonly scale: number; // for costs before
  readonly normalized: boolean;
  readonly groups: boolean; // whether the level of processes is shown
  readonly tops: readonly number[]; // nodes whose children are the outermost ones
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Trees as views open them: branch by branch, heaviest first, so that a tree of a million nodes costs only what is visible. From
// the outermost callers, or from the leaves (or a function) to its callers.

import { kNone } from "./api";
import type { Buffers } from "./buffers";
import type { Shown } from "./costs";
import { inlinedOf } from "./tree";
import type { Names } from "./names";
import type { Counts } from "./selection";

export class Branch {
  self = 0;
  selfSamples = 0;
  total = 0;
  samples = 0;
  baseSelf = 0; // as recorded, not scaled
  baseSelfSamples = 0;
  baseTotal = 0;
  baseSamples = 0;
  inlining = 0;
  size = 0; // total and scaled base: the width in pictures
  // Forward: one node, or several.
  node = -1;
  nodes: Uint32Array | null = null;
  // Inverted: a range of the entries.
  begin = 0;
  end = 0;

  constructor(readonly key: number) {}

  get inlined(): number {
    return inlinedOf(this.inlining);
  }
}

// Children too small to be opened.
export interface Hidden {
  size: number;
  count: number;
}

export interface Branches {
  readonly root: Branch;
  // The children of at least this size (and more than 0), heaviest first; -Infinity: all with a cost. To be called once for each
  // branch, callers first. Inverted branches know their self cost only then.
  open(branch: Branch, least: number, hidden: Hidden): Branch[];
  // The number of children of a branch that is not opened. As open() for self costs.
  inspect(branch: Branch): number;
  // To be called in the end.
  close(): void;
}

// Sums by key, cleared after each use. Most keys are too small to become branches, so there are no objects for them.
class Scratch {
  length = 0; // keys in use
  private readonly slots: Int32Array; // by key: a row of the columns below, plus one
  readonly key: Uint32Array;
  readonly entries: Uint32Array;
  readonly total: Float64Array;
  readonly samples: Float64Array;
  readonly self: Float64Array;
  readonly selfSamples: Float64Array;
  readonly baseTotal: Float64Array;
  readonly baseSamples: Float64Array;
  readonly baseSelf: Float64Array;
  readonly baseSelfSamples: Float64Array;
  readonly inlining: Uint8Array;

  constructor(keys: number) {
    this.slots = new Int32Array(keys);
    this.key = new Uint32Array(keys);
    this.entries = new Uint32Array(keys);
    this.inlining = new Uint8Array(keys);
    const column = () => new Float64Array(keys);
    [this.total, this.samples, this.self, this.selfSamples] = [column(), column(), column(), column()];
    [this.baseTotal, this.baseSamples, this.baseSelf, this.baseSelfSamples] = [column(), column(), column(), column()];
  }
  // The row of a key; -1 if it has none.
  find(key: number): number {
    return this.slots[key]! - 1;
  }
  row(key: number): number {
    const slot = this.slots[key]!;
    if (slot !== 0) return slot - 1;
    const row = this.length++;
    this.slots[key] = row + 1;
    this.key[row] = key;
    this.entries[row] = 0;
    this.inlining[row] = 0;
    this.total[row] = this.samples[row] = this.self[row] = this.selfSamples[row] = 0;
    this.baseTotal[row] = this.baseSamples[row] = this.baseSelf[row] = this.baseSelfSamples[row] = 0;
    return row;
  }
  isEmpty(row: number): boolean {
    return this.total[row] === 0 && this.samples[row] === 0 && this.baseTotal[row] === 0 && this.baseSamples[row] === 0;
  }
  countBranches(): number {
    let count = 0;
    for (let row = 0; row < this.length; ++row) if (!this.isEmpty(row)) ++count;
    return count;
  }
  // null if it is not wanted.
  branch(row: number, scale: number, least: number, hidden: Hidden): Branch | null {
    const size = this.total[row]! + scale * this.baseTotal[row]!;
    if (this.isEmpty(row) || !isWanted(size, least, hidden)) return null;
    const branch = new Branch(this.key[row]!);
    branch.total = this.total[row]!;
    branch.samples = this.samples[row]!;
    branch.self = this.self[row]!;
    branch.selfSamples = this.selfSamples[row]!;
    branch.baseTotal = this.baseTotal[row]!;
    branch.baseSamples = this.baseSamples[row]!;
    branch.baseSelf = this.baseSelf[row]!;
    branch.baseSelfSamples = this.baseSelfSamples[row]!;
    branch.inlining = this.inlining[row]!;
    branch.size = size;
    return branch;
  }
  clear(): void {
    for (let row = 0; row < this.length; ++row) this.slots[this.key[row]!] = 0;
    this.length = 0;
  }
}

// What all branches of a profile share.
export class BranchContext {
  readonly scratch: Scratch;
  constructor(
    readonly names: Names,
    readonly buffers: Buffers,
    readonly functions: number,
    readonly groups: number,
    keys: number,
  ) {
    this.scratch = new Scratch(keys);
  }
}

function heaviestFirst(names: Names): (a: Branch, b: Branch) => number {
  return (a, b) => (a.size !== b.size ? b.size - a.size : names.compare(a.key, b.key));
}

function isWanted(size: number, least: number, hidden: Hidden): boolean {
  if (least === -Infinity || (size > 0 && size >= least)) return true;
  if (size > 0) {
    hidden.size += size;
    ++hidden.count;
  }
  return false;
}

// From the outermost callers to the leaves, or from some nodes on: `from`.
export class ForwardBranches implements Branches {
  readonly root: Branch;
  private readonly scratch: Scratch;
  private readonly order: (a: Branch, b: Branch) => number;

  constructor(
    private readonly shown: Shown,
    context: BranchContext,
    from: readonly number[] | Uint32Array,
    rootKey: number = kNone,
  ) {
    this.scratch = context.scratch;
    this.order = heaviestFirst(context.names);
    this.root = new Branch(rootKey);
    for (const node of from) this.include(this.root, node);
    this.finish(this.root);
    this.root.nodes = Uint32Array.from(from);
    this.root.node = from.length === 1 ? from[0]! : -1;
  }

  open(branch: Branch, least: number, hidden: Hidden): Branch[] {
    const { tree, now, before, scale } = this.shown;
    const children: Branch[] = [];
    if (branch.node >= 0) {
      const until = tree.end[branch.node]!;
      for (let c = branch.node + 1; c < until; c = tree.end[c]!) {
        // Most nodes are too small: no objects for them.
        const size = now.total[c]! + (before === null ? 0 : scale * before.total[c]!);
        if (!isWanted(size, least, hidden) || this.isEmpty(c)) continue;
        const child = new Branch(tree.key[c]!);
        child.node = c;
        this.include(child, c);
        this.finish(child);
        children.push(child);
      }
    } else {
      this.gather(branch);
      const { scratch } = this;
      const wanted = new Map<number, { child: Branch; at: number }>();
      for (let row = 0; row < scratch.length; ++row) {
        const child = scratch.branch(row, scale, least, hidden);
        if (child === null) continue;
        child.nodes = new Uint32Array(scratch.entries[row]!);
        wanted.set(child.key, { child, at: 0 });
        children.push(child);
      }
      scratch.clear();
      for (const node of branch.nodes!) {
        for (let c = node + 1; c < tree.end[node]!; c = tree.end[c]!) {
          const place = this.isEmpty(c) ? undefined : wanted.get(tree.key[c]!);
          if (place !== undefined) place.child.nodes![place.at++] = c;
        }
      }
      for (const child of children) if (child.nodes!.length === 1) child.node = child.nodes![0]!;
    }
    return children.sort(this.order);
  }

  inspect(branch: Branch): number {
    const { tree } = this.shown;
    if (branch.node >= 0) {
      let count = 0;
      for (let c = branch.node + 1; c < tree.end[branch.node]!; c = tree.end[c]!) if (!this.isEmpty(c)) ++count;
      return count;
    }
    this.gather(branch);
    const count = this.scratch.countBranches();
    this.scratch.clear();
    return count;
  }

  close(): void {}

  private gather(branch: Branch): void {
    const { tree, now, before } = this.shown;
    const { scratch } = this;
    for (const node of branch.nodes!) {
      for (let c = node + 1; c < tree.end[node]!; c = tree.end[c]!) {
        if (this.isEmpty(c)) continue;
        const row = scratch.row(tree.key[c]!);
        ++scratch.entries[row];
        scratch.total[row] += now.total[c]!;
        scratch.samples[row] += now.totalCount[c]!;
        scratch.self[row] += now.self[c]!;
        scratch.selfSamples[row] += now.selfCount[c]!;
        scratch.inlining[row] |= tree.inlining[c]!;
        if (before === null) continue;
        scratch.baseTotal[row] += before.total[c]!;
        scratch.baseSamples[row] += before.totalCount[c]!;
        scratch.baseSelf[row] += before.self[c]!;
        scratch.baseSelfSamples[row] += before.selfCount[c]!;
      }
    }
  }

  private isEmpty(node: number): boolean {
    const { now, before } = this.shown;
    return now.isEmpty(node) && (before === null || before.isEmpty(node));
  }

  private include(branch: Branch, node: number): void {
    const { tree, now, before } = this.shown;
    branch.self += now.self[node]!;
    branch.selfSamples += now.selfCount[node]!;
    branch.total += now.total[node]!;
    branch.samples += now.totalCount[node]!;
    branch.inlining |= tree.inlining[node]!;
    if (before === null) return;
    branch.baseSelf += before.self[node]!;
    branch.baseSelfSamples += before.selfCount[node]!;
    branch.baseTotal += before.total[node]!;
    branch.baseSamples += before.totalCount[node]!;
  }
  private finish(branch: Branch): void {
    branch.size = branch.total + this.shown.scale * branch.baseTotal;
  }
}

// What the stacks of an inverted tree cost, by the node where they begin.
interface Costs {
  weight: Float64Array;
  count: Counts;
}

// Writes the rows with a cost in one of two pairs of columns.
function findCosts(out: Uint32Array, size: number, weight: Float64Array, count: Counts, otherWeight: Float64Array, otherCount: Counts): number {
  let found = 0;
  for (let i = 0; i < size; ++i) {
    if (weight[i]! !== 0 || count[i]! !== 0 || otherWeight[i]! !== 0 || otherCount[i]! !== 0) out[found++] = i;
  }
  return found;
}

// From the leaves to their callers. Entries are stacks: which one (`leaf`, for its cost) and its next caller (`next`). Those of a
// branch are a range; opening the branch sorts the range by caller in place.
export class InvertedBranches implements Branches {
  readonly root: Branch;
  private readonly scratch: Scratch;
  private readonly order: (a: Branch, b: Branch) => number;
  private readonly firstGroup: number;
  private readonly lastGroup: number;
  private readonly newLeaf: Uint32Array;
  private readonly newNext: Uint32Array;

  private constructor(
    private readonly shown: Shown,
    private readonly context: BranchContext,
    private readonly leaf: Uint32Array,
    private readonly next: Uint32Array,
    count: number,
    private readonly now: Costs,
    private readonly before: Costs | null,
    rootKey: number,
  ) {
    this.scratch = context.scratch;
    this.order = heaviestFirst(context.names);
    this.firstGroup = shown.groups ? Infinity : context.functions;
    this.lastGroup = context.functions + context.groups - 1;
    this.newLeaf = context.buffers.u32(count);
    this.newNext = context.buffers.u32(count);
    const root = new Branch(rootKey);
    root.end = count;
    for (let i = 0; i < count; ++i) {
      const at = leaf[i]!;
      root.total += now.weight[at]!;
      root.samples += now.count[at]!;
      if (before === null) continue;
      root.baseTotal += before.weight[at]!;
      root.baseSamples += before.count[at]!;
    }
    root.size = root.total + shown.scale * root.baseTotal;
    this.root = root;
  }

  static ofLeaves(shown: Shown, context: BranchContext): InvertedBranches {
    const { tree, now, before } = shown;
    const { self, selfCount } = now;
    const leaf = context.buffers.u32(tree.size), next = context.buffers.u32(tree.size);
    const other = before ?? now;
    const count = findCosts(leaf, tree.size, self, selfCount, other.self, other.selfCount);
    next.set(leaf.subarray(0, count));
    return new InvertedBranches(shown, context, leaf, next, count, { weight: self, count: selfCount },
      before === null ? null : { weight: before.self, count: before.selfCount }, kNone);
  }

  // The callers of a function; its outermost nodes are given. A sample counts once, where the function is first entered.
  static ofCallers(shown: Shown, context: BranchContext, key: number, nodes: Uint32Array): InvertedBranches {
    const { tree, now, before } = shown;
    const parents = nodes.map((node) => tree.parent[node]!);
    const branches = new InvertedBranches({ ...shown, groups: false }, context, nodes.slice(), parents, nodes.length, { weight: now.total, count: now.totalCount },
      before === null ? null : { weight: before.total, count: before.totalCount }, key);
    for (const node of nodes) {
      if (!now.isEmpty(node) || (before !== null && !before.isEmpty(node))) branches.root.inlining |= tree.inlining[node]!;
    }
    return branches;
  }

  close(): void {
    this.context.buffers.give(this.leaf, this.next, this.newLeaf, this.newNext);
  }

  open(branch: Branch, least: number, hidden: Hidden): Branch[] {
    const { leaf, next, scratch, newLeaf, newNext } = this;
    const { parent, key } = this.shown.tree;
    this.gather(branch);
    // Ranges of the wanted branches; the others are left behind. `entries` becomes where the next one of a branch goes.
    const children: Branch[] = [];
    const { entries } = scratch;
    let size = 0;
    for (let row = 0; row < scratch.length; ++row) {
      const child = scratch.branch(row, this.shown.scale, least, hidden);
      const count = entries[row]!;
      entries[row] = child === null ? kNone : size;
      if (child === null) continue;
      child.begin = branch.begin + size;
      size += count;
      child.end = branch.begin + size;
      children.push(child);
    }
    if (size > 0) {
      for (let i = branch.begin; i < branch.end; ++i) {
        const at = next[i]!;
        if (this.isEnd(at)) continue;
        const row = scratch.find(key[at]!);
        const place = entries[row]!;
        if (place === kNone) continue;
        entries[row] = place + 1;
        newLeaf[place] = leaf[i]!;
        newNext[place] = parent[at]!;
      }
      leaf.set(newLeaf.subarray(0, size), branch.begin);
      next.set(newNext.subarray(0, size), branch.begin);
    }
    scratch.clear();
    return children.sort(this.order);
  }

  inspect(branch: Branch): number {
    this.gather(branch);
    const count = this.scratch.countBranches();
    this.scratch.clear();
    return count;
  }

  private isEnd(node: number): boolean {
    if (node === 0) return true;
    const key = this.shown.tree.key[node]!;
    return key >= this.firstGroup && key <= this.lastGroup;
  }

  private gather(branch: Branch): void {
    const { leaf, next, now, before, scratch } = this;
    const { key, inlining } = this.shown.tree;
    branch.self = branch.selfSamples = branch.baseSelf = branch.baseSelfSamples = 0;
    for (let i = branch.begin; i < branch.end; ++i) {
      const at = next[i]!, from = leaf[i]!;
      if (this.isEnd(at)) {
        branch.self += now.weight[from]!;
        branch.selfSamples += now.count[from]!;
        if (before === null) continue;
        branch.baseSelf += before.weight[from]!;
        branch.baseSelfSamples += before.count[from]!;
        continue;
      }
      const row = scratch.row(key[at]!);
      ++scratch.entries[row];
      scratch.total[row] += now.weight[from]!;
      scratch.samples[row] += now.count[from]!;
      scratch.inlining[row] |= inlining[at]!;
      if (before === null) continue;
      scratch.baseTotal[row] += before.weight[from]!;
      scratch.baseSamples[row] += before.count[from]!;
    }
  }
}

export const nothingHidden = (): Hidden => ({ size: 0, count: 0 });

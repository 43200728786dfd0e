// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The tree of functions: stacks merged by function, whatever their addresses and lines. It is built once, of all stacks, without
// costs. Nodes are in depth-first order, so that a subtree is a range of rows, and one pass over the rows visits callers before
// callees (or, backward, callees before callers) without a stack.

import { kNone } from "./api";
import { freeColumns } from "./buffers";
import type { Profile } from "./payload";

export const kCalled = 1; // flags of Tree.inlining
export const kInlined = 2;

// For the page: 0 never inlined, 1 sometimes, 2 always.
export function inlinedOf(flags: number): number {
  return (flags & kInlined) === 0 ? 0 : (flags & kCalled) !== 0 ? 1 : 2;
}

export interface Tree {
  readonly size: number; // columns may be longer
  readonly key: Uint32Array; // kNone for the root, which is row 0
  readonly parent: Uint32Array; // 0 for the root
  readonly end: Uint32Array; // the first row after the subtree
  readonly inlining: Uint8Array;
}

// Merges by parent and key. Parents are added before their children.
export class TreeBuilder {
  size = 1;
  private readonly key: Uint32Array;
  private readonly parent: Uint32Array;
  private readonly inlining: Uint8Array;
  private readonly table: Uint32Array; // open addressing; 0: free
  private readonly mask: number;

  constructor(capacity: number) {
    this.key = new Uint32Array(capacity + 1);
    this.parent = new Uint32Array(capacity + 1);
    this.inlining = new Uint8Array(capacity + 1);
    let slots = 16;
    while (slots < capacity * 1.5) slots *= 2;
    this.table = new Uint32Array(slots);
    this.mask = slots - 1;
    this.key[0] = kNone;
  }

  add(parent: number, key: number, inlining: number): number {
    const { table, mask } = this;
    let slot = Math.imul(parent ^ Math.imul(key, 0x9e3779b1), 0x85ebca6b);
    slot = (slot ^ (slot >>> 15)) & mask;
    for (;;) {
      const node = table[slot]!;
      if (node === 0) break;
      if (this.parent[node] === parent && this.key[node] === key) {
        this.inlining[node] |= inlining;
        return node;
      }
      slot = (slot + 1) & mask;
    }
    const node = this.size++;
    table[slot] = node;
    this.parent[node] = parent;
    this.key[node] = key;
    this.inlining[node] = inlining;
    return node;
  }

  // Also the row of each node, by the number that add() returned. The builder is of no use afterwards.
  finish(): { tree: Tree; row: Uint32Array } {
    const n = this.size;
    const size = new Uint32Array(n).fill(1);
    for (let i = n - 1; i > 0; --i) size[this.parent[i]!] += size[i]!;
    const row = new Uint32Array(n), next = new Uint32Array(n);
    next[0] = 1;
    for (let i = 1; i < n; ++i) {
      const parent = this.parent[i]!;
      const at = next[parent]!;
      row[i] = at;
      next[parent] = at + size[i]!;
      next[i] = at + 1;
    }
    const key = next; // no longer needed
    const parent = new Uint32Array(n), end = new Uint32Array(n), inlining = new Uint8Array(n);
    for (let i = 0; i < n; ++i) {
      const at = row[i]!;
      parent[at] = row[this.parent[i]!]!;
      end[at] = at + size[i]!;
      inlining[at] = this.inlining[i]!;
    }
    for (let i = 0; i < n; ++i) key[row[i]!] = this.key[i]!;
    freeColumns(this.key, this.parent, this.inlining, this.table, size);
    return { tree: { size: n, key, parent, end, inlining }, row };
  }
}

// The tree of all stacks, below one node for each process name; and the node of each stack.
export function buildTree(profile: Profile): { tree: Tree; nodeOfStack: Uint32Array } {
  const { stacks, stackCaller, stackFrame, frameFunction, frameInlined, functions } = profile;
  const builder = new TreeBuilder(stacks);
  const nodeOfStack = new Uint32Array(stacks);
  const groups = profile.meta.groups.length;
  for (let i = 0; i < groups; ++i) nodeOfStack[i] = builder.add(0, functions + i, 0);
  for (let i = groups; i < stacks; ++i) {
    const frame = stackFrame[i]!;
    nodeOfStack[i] = builder.add(nodeOfStack[stackCaller[i]!]!, frameFunction[frame]!, frameInlined[frame] === 1 ? kInlined : kCalled);
  }
  const { tree, row } = builder.finish();
  for (let i = 0; i < stacks; ++i) nodeOfStack[i] = row[nodeOfStack[i]!]!;
  freeColumns(row);
  return { tree, nodeOfStack };
}

// Sorted rows with this property.
export function rowsWhere(tree: Tree, is: (row: number) => boolean): Uint32Array {
  let count = 0;
  for (let i = 0; i < tree.size; ++i) if (is(i)) ++count;
  const rows = new Uint32Array(count);
  for (let i = 0, at = 0; at < count; ++i) if (is(i)) rows[at++] = i;
  return rows;
}

// The rows of a function; `outermost`: those that are not below another one of them.
export function rowsOfKey(tree: Tree, key: number, outermost: boolean): Uint32Array {
  const { key: keys, end, size } = tree;
  const rows: number[] = [];
  for (let i = 1; i < size; ) {
    if (keys[i] !== key) {
      ++i;
      continue;
    }
    rows.push(i);
    i = outermost ? end[i]! : i + 1;
  }
  return Uint32Array.from(rows);
}

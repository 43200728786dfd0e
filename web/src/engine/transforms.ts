// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Transforms make a tree of another, whatever the selection: a new node for each old one, or none where samples are dropped. Costs
// follow later. Most change little, so parts of the tree that stay as they are get copied as ranges.

import { kNone, type Transform } from "./api";
import type { Buffers } from "./buffers";
import type { Names } from "./names";
import { kCalled, rowsOfKey, rowsWhere, TreeBuilder, type Tree } from "./tree";

export interface Transformed {
  readonly tree: Tree;
  readonly map: Uint32Array; // node of the new tree by node of the old one; kNone: dropped
}

// What happens to a node.
const enum Fate {
  Keep,
  Merge, // its cost and its children become its caller's
  Leaf, // it gets the cost of all that it calls
  Skip, // merged into an outer node already (Head)
  Head, // it takes in the `Skip` nodes below it, and their children
  Module, // its key becomes the module's
}

export class Transformer {
  constructor(
    private readonly names: Names,
    private readonly buffers: Buffers,
    private readonly keys: number,
  ) {}

  apply(tree: Tree, transform: Transform): Transformed {
    switch (transform.op) {
      case "focus-function":
        return this.rebuild(tree, null, rowsOfKey(tree, transform.key, true));
      case "focus-subtree":
        return transform.inverted ? this.focusInverted(tree, transform.path) : this.rebuild(tree, null, Uint32Array.from(this.findPath(tree, transform.path)));
      case "focus-self":
        return { tree, map: this.identity(tree, (i) => tree.key[i] === transform.key) };
      case "merge-function":
        return this.rebuild(tree, this.fates(tree, rowsOfKey(tree, transform.key, false), () => Fate.Merge), null);
      case "merge-node":
        return transform.inverted ? this.mergeInverted(tree, transform.path) : this.rebuild(tree, this.fates(tree, Uint32Array.from(this.findPath(tree, transform.path)), () => Fate.Merge), null);
      case "drop-function":
        return this.dropBelow(tree, (key) => key === transform.key);
      case "collapse-subtree":
        return this.rebuild(tree, this.fates(tree, rowsOfKey(tree, transform.key, true), () => Fate.Leaf), null);
      case "collapse-recursion": {
        let until = 0;
        return this.rebuild(tree, this.fates(tree, rowsOfKey(tree, transform.key, false), (i) => {
          if (i < until) return Fate.Skip;
          until = tree.end[i]!;
          return Fate.Head;
        }), null);
      }
      case "collapse-direct-recursion": {
        const { key } = transform;
        return this.rebuild(tree, this.fates(tree, rowsOfKey(tree, key, false), (i) => (tree.key[tree.parent[i]!] === key ? Fate.Merge : Fate.Keep)), null);
      }
      case "collapse-module": {
        const wanted = this.keysOfModule(transform.module);
        const isOf = (i: number) => i > 0 && wanted[tree.key[i]!] === 1;
        const fates = this.fates(tree, rowsWhere(tree, isOf), (i) => (isOf(tree.parent[i]!) ? Fate.Merge : Fate.Module));
        return this.rebuild(tree, fates, null, this.names.keyOfModule(transform.module));
      }
      case "keep-matching": {
        const matches = this.names.match(transform.pattern);
        return this.keepBelow(tree, (key) => matches[key] === 1);
      }
      case "drop-matching": {
        const matches = this.names.match(transform.pattern);
        return this.dropBelow(tree, (key) => matches[key] === 1);
      }
      case "keep-module": {
        const wanted = this.keysOfModule(transform.module);
        return this.keepBelow(tree, (key) => wanted[key] === 1);
      }
      case "drop-module": {
        const wanted = this.keysOfModule(transform.module);
        return this.dropBelow(tree, (key) => wanted[key] === 1);
      }
      default:
        throw new Error(`unknown transform ${String((transform as { op: unknown }).op)}`);
    }
  }

  private keysOfModule(module: number): Uint8Array {
    const wanted = new Uint8Array(this.keys);
    for (let key = 0; key < this.keys; ++key) if (this.names.module(key) === module) wanted[key] = 1;
    return wanted;
  }

  // The nodes of a path. One that does not begin with a process is looked for in all of them.
  private findPath(tree: Tree, path: readonly number[]): number[] {
    if (path.length === 0) return [];
    const children = (node: number): number[] => {
      const found: number[] = [];
      for (let c = node + 1; c < tree.end[node]!; c = tree.end[c]!) found.push(c);
      return found;
    };
    let nodes = children(0);
    const { names } = this;
    if (!names.isGroup(path[0]!)) nodes = nodes.flatMap((node) => (names.isGroup(tree.key[node]!) ? children(node) : [node]));
    nodes = nodes.filter((node) => tree.key[node] === path[0]);
    for (const key of path.slice(1)) nodes = nodes.flatMap((node) => children(node).filter((c) => tree.key[c] === key));
    return nodes;
  }

  // Leaves that end like `path`, which begins at the leaf; and the node of the last key.
  private *findInverted(tree: Tree, path: readonly number[]): Generator<[leaf: number, node: number]> {
    if (path.length === 0) return;
    for (let i = 1; i < tree.size; ++i) {
      if (tree.key[i] !== path[0]) continue;
      let node = i, at = 1;
      for (; at < path.length; ++at) {
        node = tree.parent[node]!;
        if (node === 0 || tree.key[node] !== path[at]) break;
      }
      if (at === path.length) yield [i, node];
    }
  }

  // The stacks that end like the path, without what the path's last node calls.
  private focusInverted(tree: Tree, path: readonly number[]): Transformed {
    const map = this.buffers.u32(tree.size).fill(kNone);
    for (const [leaf, node] of this.findInverted(tree, path)) map[leaf] = node;
    return { tree, map };
  }

  private mergeInverted(tree: Tree, path: readonly number[]): Transformed {
    if (path.length <= 1) {
      const map = this.identity(tree, () => true);
      for (const [leaf] of this.findInverted(tree, path)) map[leaf] = tree.parent[leaf]!;
      return { tree, map };
    }
    // Only stacks that end here change; what else goes through these nodes stays.
    const moved = [...this.findInverted(tree, path)];
    const builder = new TreeBuilder(tree.size + moved.length * path.length);
    const map = new Uint32Array(tree.size);
    for (let i = 1; i < tree.size; ++i) map[i] = builder.add(map[tree.parent[i]!]!, tree.key[i]!, tree.inlining[i]!);
    const targets = moved.map(([leaf, node]) => {
      const below: number[] = [];
      for (let at = leaf; at !== node; at = tree.parent[at]!) below.push(at);
      let to = map[tree.parent[node]!]!;
      for (const at of below.reverse()) to = builder.add(to, tree.key[at]!, tree.inlining[at]!);
      return to;
    });
    moved.forEach(([leaf], i) => (map[leaf] = targets[i]!));
    const { tree: built, row } = builder.finish();
    for (let i = 0; i < tree.size; ++i) map[i] = row[map[i]!]!;
    return { tree: built, map };
  }

  private fates(tree: Tree, rows: Uint32Array, of: (row: number) => Fate): Changed {
    const fate = this.buffers.u8(tree.size).fill(0);
    for (const row of rows) fate[row] = of(row);
    return { rows: rows.slice().sort(), fate };
  }

  private identity(tree: Tree, keep: (row: number) => boolean): Uint32Array {
    const map = this.buffers.u32(tree.size);
    for (let i = 0; i < tree.size; ++i) map[i] = keep(i) ? i : kNone;
    return map;
  }

  private dropBelow(tree: Tree, matches: (key: number) => boolean): Transformed {
    const map = this.buffers.u32(tree.size);
    map[0] = 0;
    for (let i = 1; i < tree.size; ) {
      if (matches(tree.key[i]!)) {
        map.fill(kNone, i, tree.end[i]);
        i = tree.end[i]!;
      } else {
        map[i] = i;
        ++i;
      }
    }
    return { tree, map };
  }

  private keepBelow(tree: Tree, matches: (key: number) => boolean): Transformed {
    const map = this.buffers.u32(tree.size).fill(kNone);
    for (let i = 1; i < tree.size; ) {
      if (matches(tree.key[i]!)) {
        const end = tree.end[i]!;
        for (; i < end; ++i) map[i] = i;
      } else {
        ++i;
      }
    }
    return { tree, map };
  }

  // `from`: these nodes, merged, become the outermost one; all else is dropped. null: the whole tree.
  private rebuild(tree: Tree, changed: Changed | null, from: Uint32Array | null, moduleKey = 0): Transformed {
    const { key, end } = tree;
    const n = tree.size;
    const { buffers } = this;
    const map = buffers.u32(n).fill(kNone);
    const out = { key: buffers.u32(n + 1), parent: buffers.u32(n + 1), inlining: buffers.u8(n + 1) };
    out.key[0] = kNone;
    out.parent[0] = out.inlining[0] = 0;
    let size = 1;
    const fate = changed?.fate ?? null, rows = changed?.rows ?? null;

    // Old nodes that become one new node are a list through `link`.
    const link = buffers.u32(n);
    const slot = new Int32Array(this.keys); // by key: index of the pending list, plus one
    const pendingHead: number[] = [], pendingKey: number[] = [], pendingParent: number[] = [];
    const walk: number[] = [];

    const pushChild = (c: number, parent: number, base: number): void => {
      const k = fate !== null && fate[c] === Fate.Module ? moduleKey : key[c]!;
      const known = slot[k]!;
      if (known > base) {
        link[c] = pendingHead[known - 1]!;
        pendingHead[known - 1] = c;
        return;
      }
      link[c] = kNone;
      pendingHead.push(c);
      pendingKey.push(k);
      pendingParent.push(parent);
      slot[k] = pendingHead.length;
    };
    // Children of the old nodes from `head` on, whose new node is `parent`.
    const pushChildren = (head: number, parent: number): void => {
      const base = pendingHead.length;
      for (let node = head; node !== kNone; node = link[node]!) {
        if (fate !== null && fate[node] === Fate.Leaf) continue;
        walk.push(node);
        while (walk.length > 0) {
          const at = walk.pop()!;
          for (let c = at + 1, until = end[at]!; c < until; c = end[c]!) {
            const f = fate === null ? Fate.Keep : fate[c]!;
            if (f === Fate.Merge) {
              map[c] = parent;
              if (key[c] === out.key[parent]) out.inlining[parent] |= tree.inlining[c]!;
              walk.push(c);
            } else if (f !== Fate.Skip) {
              pushChild(c, parent, base);
            }
          }
        }
      }
      for (let i = base; i < pendingHead.length; ++i) slot[pendingKey[i]!] = 0;
    };

    if (from === null) {
      map[0] = 0;
      link[0] = kNone;
      pushChildren(0, 0);
    } else {
      for (const node of from) pushChild(node, 0, 0);
      for (const k of pendingKey) slot[k] = 0;
    }
    while (pendingHead.length > 0) {
      let head = pendingHead.pop()!;
      const k = pendingKey.pop()!, parent = pendingParent.pop()!;
      const isOne = link[head] === kNone;
      if (isOne && k === key[head] && (rows === null || !anyWithin(rows, head, end[head]!))) {
        // Nothing in this subtree changes.
        const base = size, until = end[head]!, shift = base - head;
        for (let i = head, at = base; i < until; ++i, ++at) {
          out.key[at] = key[i]!;
          out.parent[at] = tree.parent[i]! + shift;
          out.inlining[at] = tree.inlining[i]!;
          map[i] = at;
        }
        out.parent[base] = parent;
        size += until - head;
        continue;
      }
      const node = size++;
      out.key[node] = k;
      out.parent[node] = parent;
      out.inlining[node] = 0;
      for (let at = head; at !== kNone; at = link[at]!) {
        map[at] = node;
        out.inlining[node] |= k === key[at] ? tree.inlining[at]! : kCalled;
        if (fate === null) continue;
        if (fate[at] === Fate.Leaf) map.fill(node, at, end[at]);
      }
      if (fate !== null && fate[head] === Fate.Head) {
        // All of the list are heads, since they have one key. Their inner occurrences join them.
        for (let at = head; at !== kNone; at = link[at]!) {
          if (fate[at] !== Fate.Head) continue;
          for (let j = firstAfter(rows!, at); j < rows!.length && rows![j]! < end[at]!; ++j) {
            const inner = rows![j]!;
            map[inner] = node;
            out.inlining[node] |= tree.inlining[inner]!;
            link[inner] = head;
            head = inner;
          }
        }
      }
      pushChildren(head, node);
    }

    const outEnd = buffers.u32(n + 1).fill(0, 0, size);
    for (let i = size - 1; i >= 0; --i) {
      if (outEnd[i] === 0) outEnd[i] = i + 1;
      const p = out.parent[i]!;
      if (i > 0 && outEnd[p]! < outEnd[i]!) outEnd[p] = outEnd[i]!;
    }
    buffers.give(link);
    if (fate !== null) buffers.give(fate);
    return { tree: { size, key: out.key, parent: out.parent, end: outEnd, inlining: out.inlining }, map };
  }
}

interface Changed {
  readonly rows: Uint32Array; // sorted
  readonly fate: Uint8Array; // by node
}

// The index of the first of the sorted rows after `row`.
function firstAfter(rows: Uint32Array, row: number): number {
  let begin = 0, end = rows.length;
  while (begin < end) {
    const middle = (begin + end) >>> 1;
    if (rows[middle]! <= row) begin = middle + 1;
    else end = middle;
  }
  return begin;
}
function anyWithin(rows: Uint32Array, first: number, end: number): boolean {
  const at = firstAfter(rows, first - 1);
  return at < rows.length && rows[at]! < end;
}

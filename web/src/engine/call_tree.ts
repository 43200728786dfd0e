// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The rows of a call tree that are open.

import type { TreeRow } from "./api";
import { nothingHidden, type Branch, type Branches } from "./branches";
import type { NoiseTest } from "./noise";

// Paths that are open, as a tree of keys.
interface Open extends Map<number, Open> {}

function openPaths(paths: readonly (readonly number[])[]): Open {
  const root: Open = new Map();
  for (const path of paths) {
    let at = root;
    for (const key of path) {
      let next = at.get(key);
      if (next === undefined) at.set(key, (next = new Map()));
      at = next;
    }
  }
  return root;
}

export interface CallTreeOptions {
  open: readonly (readonly number[])[];
  heaviest: boolean;
  limit: number;
  scale: number;
  noise: NoiseTest | null;
}

export function listCallTree(branches: Branches, options: CallTreeOptions): { rows: TreeRow[]; cut: boolean } {
  const { scale, noise } = options;
  const limit = options.limit > 0 ? options.limit : Infinity;
  const rows: TreeRow[] = [];
  // `open`: undefined for closed rows. `heavy`: all callers are on the heaviest path.
  const todo: { branch: Branch; depth: number; open: Open | undefined; heavy: boolean }[] = [];
  const expand = (branch: Branch, depth: number, open: Open | undefined, heavy: boolean): number => {
    const children = branches.open(branch, -Infinity, nothingHidden());
    // Siblings are sorted by size: only the first may be more than half of its caller.
    for (let i = children.length - 1; i >= 0; --i) {
      const child = children[i]!;
      todo.push({ branch: child, depth, open: open?.get(child.key), heavy: heavy && i === 0 && child.size * 2 > branch.size });
    }
    return children.length;
  };
  expand(branches.root, 0, openPaths(options.open), options.heaviest);
  while (todo.length > 0) {
    if (rows.length >= limit) return { rows, cut: true };
    const { branch, depth, open, heavy } = todo.pop()!;
    const isOpen = heavy || open !== undefined;
    const children = isOpen ? expand(branch, depth + 1, open, heavy) : branches.inspect(branch);
    const p = noise === null ? NaN : noise.noise(branch.total, branch.samples, branch.baseTotal, branch.baseSamples);
    rows.push({
      key: branch.key, depth, self: branch.self, total: branch.total, samples: branch.samples, baseSelf: branch.baseSelf * scale,
      baseTotal: branch.baseTotal * scale, verdict: noise === null ? 0 : noise.verdict(p, branch.total, branch.baseTotal),
      inlined: branch.inlined, children, open: isOpen && children > 0,
    });
  }
  return { rows, cut: false };
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

import type { SearchResult } from "./api";
import type { NodeCosts, Shown } from "./costs";
import type { Tree } from "./tree";

// The cost of samples with a matching function, each once: that of the outermost matching nodes.
function matchedWeight(tree: Tree, costs: NodeCosts, matches: Uint8Array): number {
  const { key, end, size } = tree;
  let weight = 0;
  for (let i = 1; i < size; ) {
    if (costs.isEmpty(i)) {
      i = end[i]!;
    } else if (matches[key[i]!] === 1) {
      weight += costs.total[i]!;
      i = end[i]!;
    } else {
      ++i;
    }
  }
  return weight;
}

export function searchTree(shown: Shown, matches: Uint8Array): SearchResult {
  const { tree, now, before, scale } = shown;
  const found = new Uint8Array(matches.length);
  let functions = 0;
  for (let i = 1; i < tree.size; ) {
    if (now.isEmpty(i) && (before === null || before.isEmpty(i))) {
      i = tree.end[i]!;
      continue;
    }
    const key = tree.key[i]!;
    if (matches[key] === 1 && found[key] === 0) {
      found[key] = 1;
      ++functions;
    }
    ++i;
  }
  return {
    keys: matches, functions, weight: matchedWeight(tree, now, matches),
    baseWeight: before === null ? 0 : scale * matchedWeight(tree, before, matches),
  };
}

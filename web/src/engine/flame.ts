// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The layout of flame graphs. A box is as wide as its total cost; in a comparison as its cost now plus its (scaled) cost before, so
// that vanished boxes stay visible and widths add up. Self costs leave space at the right.

import type { FlameBoxes, Viewport } from "./api";
import { nothingHidden, type Branch, type Branches } from "./branches";
import type { NoiseTest } from "./noise";

const kLeastPixels = 0.5;
// Deep and wide trees of damaged profiles must not fill the memory.
const kMostBoxes = 400_000;

export interface FlameOptions {
  viewport: Viewport;
  levels: number;
  scale: number;
  noise: NoiseTest | null; // in a comparison
}

// For verdicts, boxes that are at least this part of the root are tested, whatever is visible: zooming does not change what counts
// as noise.
const kTestedPart = 1 / 2048;

export function testBranches(branches: Branches, noise: NoiseTest): void {
  const { root } = branches;
  const todo = root.size > 0 ? [root] : [];
  while (todo.length > 0) {
    const branch = todo.pop()!;
    if (branch !== root) noise.test(branch.total, branch.samples, branch.baseTotal, branch.baseSamples);
    for (const child of branches.open(branch, root.size * kTestedPart, nothingHidden())) todo.push(child);
  }
  noise.finish();
}
// Whether a layout opens all that testBranches would, and can test by itself.
export function showsTested(viewport: Viewport): boolean {
  return viewport.from === 0 && viewport.to === 1 && kLeastPixels / viewport.pixels <= kTestedPart;
}

export function layoutFlame(branches: Branches, options: FlameOptions): FlameBoxes {
  const { viewport, scale, noise } = options;
  const { root } = branches;
  const boxes: Branch[] = [];
  const lefts: number[] = [], parents: number[] = [], depths: number[] = [], noises: number[] = [];
  const isTesting = noise !== null && !noise.isFinished;
  const unit = root.size > 0 ? 1 / root.size : 0;
  const least = root.size > 0 ? (kLeastPixels * (viewport.to - viewport.from) * root.size) / Math.max(1, viewport.pixels) : Infinity;
  let hiddenWeight = 0, hiddenBoxes = 0;

  const todo: { branch: Branch; x: number; parent: number; depth: number }[] = [{ branch: root, x: 0, parent: -1, depth: 0 }];
  while (todo.length > 0) {
    const at = todo.pop()!;
    const { branch } = at;
    const hidden = nothingHidden();
    const children = branches.open(branch, least, hidden);
    const row = boxes.push(branch) - 1;
    lefts.push(at.x);
    parents.push(at.parent);
    depths.push(at.depth);
    if (noise !== null) {
      const tested = isTesting && at.parent >= 0 && branch.size >= root.size * kTestedPart;
      noises.push(noise[tested ? "test" : "noise"](branch.total, branch.samples, branch.baseTotal, branch.baseSamples));
    }
    let right = at.x;
    const first = todo.length;
    for (const child of children) {
      const left = right;
      right += child.size;
      if (left * unit >= viewport.to || right * unit <= viewport.from) continue;
      if (boxes.length + todo.length >= kMostBoxes) {
        hidden.size += child.size;
        ++hidden.count;
        continue;
      }
      todo.push({ branch: child, x: left, parent: row, depth: at.depth + 1 });
    }
    for (let i = first, j = todo.length - 1; i < j; ++i, --j) [todo[i], todo[j]] = [todo[j]!, todo[i]!];
    if (hidden.count > 0) {
      // They are at the right of the others; only the part within the viewport counts.
      const from = Math.max(right * unit, viewport.from), to = Math.min((right + hidden.size) * unit, viewport.to);
      const part = hidden.size > 0 ? Math.max(0, Math.min(1, (to - from) / (hidden.size * unit))) : 0;
      hiddenWeight += hidden.size * part;
      hiddenBoxes += Math.ceil(hidden.count * part);
    }
  }
  noise?.finish();
  const count = boxes.length;
  const column = () => new Float64Array(count);
  const out: FlameBoxes = {
    count, levels: options.levels, key: new Uint32Array(count), parent: Int32Array.from(parents), depth: Uint32Array.from(depths), x: column(), width: column(),
    self: column(), total: column(), samples: column(), baseSelf: noise === null ? null : column(), baseTotal: noise === null ? null : column(),
    verdict: noise === null ? null : new Int8Array(count), inlined: new Uint8Array(count), hiddenWeight, hiddenBoxes,
  };
  for (let i = 0; i < count; ++i) {
    const branch = boxes[i]!;
    out.key[i] = branch.key;
    out.x[i] = lefts[i]! * unit;
    out.width[i] = i === 0 ? 1 : branch.size * unit;
    out.self[i] = branch.self;
    out.total[i] = branch.total;
    out.samples[i] = branch.samples;
    out.inlined[i] = branch.inlined;
    if (noise === null) continue;
    out.baseSelf![i] = branch.baseSelf * scale;
    out.baseTotal![i] = branch.baseTotal * scale;
    out.verdict![i] = noise.verdict(noises[i]!, branch.total, branch.baseTotal);
  }
  return out;
}

// Where a path of keys is, in parts of the root.
export function locatePath(branches: Branches, path: readonly number[]): { x: number; width: number; depth: number } | null {
  let branch = branches.root;
  if (branch.size <= 0) return null;
  let x = 0;
  for (const key of path) {
    let found: Branch | null = null;
    for (const child of branches.open(branch, 0, nothingHidden())) {
      if (child.key === key) {
        found = child;
        break;
      }
      x += child.size;
    }
    if (found === null) return null;
    branch = found;
  }
  return { x: x / branches.root.size, width: path.length === 0 ? 1 : branch.size / branches.root.size, depth: path.length };
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Costs of one function by source line and by instruction.

import { kNone, type LineCosts } from "./api";
import type { Buffers } from "./buffers";
import type { Profile } from "./payload";
import type { StackSums } from "./selection";

// `nodeOfStack`: kNone for stacks that transforms dropped.
export function sumLines(profile: Profile, buffers: Buffers, sums: StackSums, nodeOfStack: Uint32Array, key: number): LineCosts {
  const { stacks, stackCaller, stackFrame, frameFunction, frameFile, frameLine, frameAddress, frameInlined } = profile;
  const groups = profile.meta.groups.length;
  // The rows of the function are a forest: `outer` is the next one among the callers. `first`: the outermost one of the same
  // physical frame, of which all have one address.
  const nearest = buffers.u32(stacks).fill(kNone, 0, groups); // the innermost row of the function up to here
  const within = buffers.u8(stacks).fill(0, 0, groups); // 1: that one is in the same physical frame
  const rows: number[] = [], outer: number[] = [], first: number[] = [];
  for (let s = groups; s < stacks; ++s) {
    const caller = stackCaller[s]!, frame = stackFrame[s]!;
    const inside = frameInlined[frame] === 1 && within[caller] === 1;
    if (frameFunction[frame] !== key) {
      nearest[s] = nearest[caller]!;
      within[s] = inside ? 1 : 0;
      continue;
    }
    within[s] = 1;
    nearest[s] = rows.length;
    first.push(inside ? first[nearest[caller]!]! : rows.length);
    outer.push(nearest[caller]!);
    rows.push(s);
  }
  // `own`: cost of the stacks that end in a frame, or in what is inlined into it: what its instruction costs itself.
  const total = new Float64Array(rows.length), own = new Float64Array(rows.length);
  for (let s = groups; s < stacks; ++s) {
    const row = nearest[s]!, weight = sums.weight[s]!;
    if (row === kNone || weight === 0 || nodeOfStack[s] === kNone) continue;
    total[row] += weight;
    if (within[s] === 1) own[first[row]!] += weight;
  }
  buffers.give(nearest, within);
  for (let i = rows.length - 1; i >= 0; --i) if (outer[i] !== kNone) total[outer[i]!] += total[i]!;

  const lineIds = new Map<string, number>(), addressIds = new Map<number, number>();
  const file: number[] = [], line: number[] = [], address: number[] = [];
  const lineOf = new Int32Array(rows.length), addressOf = new Int32Array(rows.length).fill(-1);
  rows.forEach((s, i) => {
    const frame = stackFrame[s]!;
    const name = `${frameFile[frame]!} ${frameLine[frame]!}`;
    let id = lineIds.get(name);
    if (id === undefined) {
      lineIds.set(name, (id = file.push(frameFile[frame]!) - 1));
      line.push(frameLine[frame]!);
    }
    lineOf[i] = id;
    const at = frameAddress[frame]!;
    if (at === 0) return;
    let place = addressIds.get(at);
    if (place === undefined) addressIds.set(at, (place = address.push(at) - 1));
    addressOf[i] = place;
  });
  const self = new Float64Array(file.length), lineTotal = new Float64Array(file.length);
  const addressSelf = new Float64Array(address.length), addressTotal = new Float64Array(address.length);

  // Recursion: a line counts once for each sample, where it is outermost. One counter per line while walking the forest.
  const firstInner = new Int32Array(rows.length + 1).fill(-1), next = new Int32Array(rows.length).fill(-1);
  for (let i = rows.length - 1; i >= 0; --i) {
    const parent = outer[i] === kNone ? rows.length : outer[i]!;
    next[i] = firstInner[parent]!;
    firstInner[parent] = i;
  }
  const openLines = new Uint32Array(file.length), openAddresses = new Uint32Array(address.length);
  const path: number[] = [];
  for (let at = firstInner[rows.length]!; ; ) {
    if (at >= 0) {
      const s = rows[at]!, l = lineOf[at]!, a = addressOf[at]!;
      if (nodeOfStack[s] !== kNone) self[l] += sums.weight[s]!;
      if (openLines[l]++ === 0) lineTotal[l] += total[at]!;
      if (a >= 0) {
        addressSelf[a] += own[at]!;
        if (openAddresses[a]++ === 0) addressTotal[a] += total[at]!;
      }
      path.push(at);
      at = firstInner[at]!;
    } else if (path.length > 0) {
      const done = path.pop()!;
      --openLines[lineOf[done]!];
      if (addressOf[done]! >= 0) --openAddresses[addressOf[done]!];
      at = next[done]!;
    } else {
      break;
    }
  }

  const lines = file.map((_, i) => i).filter((i) => self[i] !== 0 || lineTotal[i] !== 0).sort((a, b) => file[a]! - file[b]! || line[a]! - line[b]!);
  const addresses = address.map((_, i) => i).filter((i) => addressSelf[i] !== 0 || addressTotal[i] !== 0).sort((a, b) => address[a]! - address[b]!);
  return {
    file: Uint32Array.from(lines, (i) => file[i]!), line: Uint32Array.from(lines, (i) => line[i]!), self: Float64Array.from(lines, (i) => self[i]!),
    total: Float64Array.from(lines, (i) => lineTotal[i]!), address: Float64Array.from(addresses, (i) => address[i]!),
    addressSelf: Float64Array.from(addresses, (i) => addressSelf[i]!), addressTotal: Float64Array.from(addresses, (i) => addressTotal[i]!),
  };
}

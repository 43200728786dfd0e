// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The stack chart: the samples of one thread in order of time. Neighbors with the same callers share boxes.

import { kNone, type Ask, type ChartBoxes } from "./api";
import type { Buffers } from "./buffers";
import type { Profile } from "./payload";
import { lowerBound } from "./selection";
import type { Tree } from "./tree";

const kMostBoxes = 400_000;
// A thread that shares its CPU has a gap after almost every sample. Calls that go on after gaps narrower than this are one box, or
// the chart of a long time would have no box wide enough for a name.
const kClosedPixels = 8;
const kMostClosed = 0.01; // of the time that is shown

// What is charted: a tree, and the node of each stack (kNone: transforms dropped its samples).
interface Charted {
  readonly profile: Profile;
  readonly tree: Tree;
  readonly nodeOfStack: Uint32Array;
  readonly event: number;
}

// A node and the time that it is shown for. Where two pieces touch, end and begin are equal.
interface Piece {
  readonly node: number;
  readonly begin: number;
  readonly end: number;
}

export function makeChart(charted: Charted, buffers: Buffers, ask: Ask<"chart">): ChartBoxes {
  const { profile, event } = charted;
  const pixels = Math.max(1, Math.min(Math.floor(ask.pixels) || 1, 1 << 14));
  const [from, to] = ask.range;
  let pieces: Piece[] = [];
  let merged = false;
  for (let s = 0; s < profile.segmentThread.length; ++s) {
    if (profile.segmentThread[s] !== ask.thread || profile.segmentEvent[s] !== event || !(to > from)) continue;
    const first = profile.segmentFirst[s]!, last = profile.segmentFirst[s + 1]!;
    const begin = lowerBound(profile.sampleTime, first, last, from), end = lowerBound(profile.sampleTime, begin, last, to);
    if (end - begin > 2 * pixels) {
      merged = true;
      pieces = pieces.concat(mergedPieces(charted, buffers, first, begin, end, from, to, pixels));
    } else {
      for (let i = begin; i < end; ++i) pieces.push(pieceOf(charted, first, i));
    }
    // A sample is at the end of the time that it stands for, so the first one after the range may reach into it.
    if (end < last) pieces.push(pieceOf(charted, first, end));
  }
  pieces = pieces.filter((p) => p.node !== kNone && p.end > from && p.begin < to).sort((a, b) => a.begin - b.begin);
  const { sampled, ...boxes } = boxesOf(profile, charted.tree, pieces, Math.min(kClosedPixels / pixels, kMostClosed) * (to - from));
  return { ...boxes, merged, sampled: merged ? null : sampled };
}

// From the sample before, but not longer than the sample's cost, or the event's period, tells.
function pieceOf({ profile, nodeOfStack, event }: Charted, first: number, i: number): Piece {
  const { sampleTime, sampleWeight, meta } = profile;
  const time = (at: number) => sampleTime.constant ?? sampleTime.array![at]!;
  const info = meta.events[event]!;
  const end = time(i), before = i > first ? time(i - 1) : -Infinity;
  let length = info.rateHz > 0 ? 1e9 / info.rateHz / meta.timeUnitNs : Infinity;
  if (info.unit === "ns") length = Math.max(0, sampleWeight.constant ?? sampleWeight.array![i]!) / info.divisor / meta.timeUnitNs;
  if (!Number.isFinite(length)) length = i > first ? end - before : 1;
  const begin = end - Math.max(length, 1);
  // Times are rounded down to units: less than one is no gap. Samples of the same moment stay visible.
  return { node: nodeOfStack[profile.sampleStack[i]!]!, begin: Math.min(begin < before + 1 ? before : begin, end - 1), end };
}

// More samples than pixels: each pixel shows the node with the highest cost in it.
function mergedPieces(charted: Charted, buffers: Buffers, first: number, begin: number, end: number, from: number, to: number, pixels: number): Piece[] {
  const { profile, tree, nodeOfStack } = charted;
  const { sampleStack, sampleTime, sampleWeight } = profile;
  const times = sampleTime.array, weights = sampleWeight.array;
  const step = (to - from) / pixels;
  // The same number as the end of a pixel and as the begin of the next.
  const edge = (pixel: number): number => (pixel === pixels ? to : from + pixel * step);
  const pieces: Piece[] = [];
  const costs = buffers.f64(tree.size).fill(0, 0, tree.size), seen = buffers.u8(tree.size).fill(0, 0, tree.size);
  const nodes: number[] = []; // that the pixel has
  let column = -1, shownFrom = 0, shownTo = -Infinity;
  const finish = (): void => {
    let best = kNone, most = -Infinity;
    for (const node of nodes) {
      if (costs[node]! > most) {
        most = costs[node]!;
        best = node;
      }
      costs[node] = seen[node] = 0;
    }
    nodes.length = 0;
    if (best === kNone) return;
    pieces.push({ node: best, begin: shownFrom, end: edge(column + 1) });
    shownTo = edge(column + 1);
  };
  for (let i = begin; i < end; ++i) {
    const at = Math.min(pixels - 1, Math.floor(((times === null ? sampleTime.constant! : times[i]!) - from) / step));
    const node = nodeOfStack[sampleStack[i]!]!;
    if (node === kNone) continue;
    if (at !== column) {
      finish();
      column = at;
      // Where samples are rare, the first of a pixel may stand for time before it.
      shownFrom = Math.max(shownTo, from, Math.min(edge(at), pieceOf(charted, first, i).begin));
    }
    if (seen[node] === 0) {
      seen[node] = 1;
      nodes.push(node);
    }
    costs[node] += weights === null ? sampleWeight.constant! : weights[i]!;
  }
  finish();
  buffers.give(costs, seen);
  return pieces;
}

function boxesOf(profile: Profile, tree: Tree, pieces: Piece[], closed: number): Omit<ChartBoxes, "merged" | "sampled"> & { sampled: Float64Array } {
  const groupFrom = profile.functions, groupTo = profile.functions + profile.meta.groups.length;
  const key: number[] = [], depth: number[] = [], begin: number[] = [], end: number[] = [], sampled: number[] = [];
  let levels = 0, hasClosed = false;
  // The last piece's nodes, outermost first, and their boxes.
  let open: number[] = [], boxes: number[] = [];
  let until = -Infinity;
  for (const piece of pieces) {
    const gap = piece.begin - until;
    if (gap >= closed) {
      open = [];
      boxes = [];
    }
    const path: number[] = [];
    for (let node = piece.node; node !== 0; node = tree.parent[node]!) {
      if (tree.key[node]! < groupFrom || tree.key[node]! >= groupTo) path.push(node);
    }
    path.reverse();
    levels = Math.max(levels, path.length);
    let common = 0;
    while (common < path.length && common < open.length && path[common] === open[common]) ++common;
    boxes.length = common;
    if (gap > 0 && common > 0) hasClosed = true;
    const from = Math.max(piece.begin, until === -Infinity ? piece.begin : Math.min(until, piece.end));
    for (const box of boxes) {
      end[box] = Math.max(end[box]!, piece.end);
      sampled[box] += piece.end - from;
    }
    for (let i = common; i < path.length && key.length < kMostBoxes; ++i) {
      boxes.push(key.length);
      key.push(tree.key[path[i]!]!);
      depth.push(i);
      begin.push(from);
      end.push(piece.end);
      sampled.push(piece.end - from);
    }
    open = path;
    until = Math.max(until, piece.end);
  }
  return { count: key.length, levels, hasClosed, sampled: Float64Array.from(sampled), key: Uint32Array.from(key), depth: Uint32Array.from(depth), begin: Float64Array.from(begin), end: Float64Array.from(end) };
}

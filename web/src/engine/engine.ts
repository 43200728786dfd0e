// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Answers what api.ts describes, one method for each request. What requests have in common is kept from one to the next: sums by
// stack, the transformed tree, and costs by node.

import { kNone, type Answer, type Ask, type FlameBoxes, type Query, type RequestKind, type RequestMessage, type Selection, type SymbolColumns, type Totals, type Transform } from "./api";
import { BranchContext, ForwardBranches, InvertedBranches, type Branches } from "./branches";
import { Buffers, freeColumns } from "./buffers";
import { listCallTree } from "./call_tree";
import { makeChart } from "./chart";
import { Checkpoints } from "./checkpoints";
import { NodeCosts, type Shown } from "./costs";
import { layoutFlame, locatePath, showsTested, testBranches } from "./flame";
import { listFunctions } from "./functions";
import { sumLines } from "./lines";
import { Names } from "./names";
import { NoiseTest } from "./noise";
import { decodeProfile, type Profile } from "./payload";
import { searchTree } from "./search";
import { StackSums } from "./selection";
import { kindsOfStacks, makeHeatMap, makeTracks, sumThreads } from "./timeline";
import { Transformer } from "./transforms";
import { buildTree, rowsOfKey, type Tree } from "./tree";

// A tree after some transforms.
interface Stage {
  readonly applied: readonly string[]; // the transforms as text
  readonly id: number;
  readonly tree: Tree;
  readonly nodeOfStack: Uint32Array;
}

// Costs of a selection in a stage.
class Slot {
  readonly sums: StackSums;
  readonly costs: NodeCosts;
  private stage = -1;
  private version = -1;
  generation = 0; // of the costs

  constructor(profile: Profile, capacity: number) {
    this.sums = new StackSums(profile);
    this.costs = new NodeCosts(profile, capacity);
  }
  update(stage: Stage, selection: Selection, checkpoints: Checkpoints | null): void {
    this.sums.select(selection, checkpoints);
    if (this.stage === stage.id && this.version === this.sums.version) return;
    this.costs.fill(stage.tree, stage.nodeOfStack, this.sums);
    this.stage = stage.id;
    this.version = this.sums.version;
    ++this.generation;
  }
  free(): void {
    freeColumns(this.sums.weight, this.sums.count, this.costs.self, this.costs.total, this.costs.selfCount, this.costs.totalCount);
  }
}

// The columns of a comparison are freed after so many requests without one.
const kMostUnused = 20;

export class Engine {
  readonly profile: Profile;
  readonly names: Names;
  private readonly base: Stage;
  private stage: Stage;
  private stages = 1;
  private readonly now: Slot;
  private before: Slot | null = null;
  private unused = 0; // requests since the last comparison
  private event = -1; // of the last request
  private checkpoints: Checkpoints | null = null;
  private readonly transformer: Transformer;
  private readonly buffers = new Buffers();
  private readonly context: BranchContext;
  private kindOfStack: Uint8Array | null = null;
  private noise: { of: string; test: NoiseTest } | null = null;
  private levels = { of: "", count: 0 };

  constructor(bytes: ArrayBuffer) {
    const profile = decodeProfile(bytes);
    this.profile = profile;
    this.names = new Names(profile);
    const { tree, nodeOfStack } = buildTree(profile);
    this.base = this.stage = { applied: [], id: 0, tree, nodeOfStack };
    this.now = new Slot(profile, tree.size);
    const groups = profile.meta.groups.length;
    this.context = new BranchContext(this.names, this.buffers, profile.functions, groups, profile.keys);
    this.transformer = new Transformer(this.names, this.buffers, profile.keys);
  }

  // Names and colors for the page; copies, since the columns are parts of one buffer.
  symbols(): SymbolColumns {
    const { profile } = this;
    const file = new Uint32Array(profile.functions).fill(kNone), line = new Uint32Array(profile.functions);
    for (let i = 0; i < profile.frames; ++i) {
      const f = profile.frameFunction[i]!;
      if (profile.frameFile[i] === kNone) continue;
      if (file[f] === kNone) file[f] = profile.frameFile[i]!;
      const at = profile.frameLine[i]!;
      if (file[f] === profile.frameFile[i] && at !== 0 && (line[f] === 0 || at < line[f]!)) line[f] = at;
    }
    return {
      offsets: profile.stringOffset.slice(), bytes: profile.stringBytes.slice(), name: profile.functionName.slice(), module: profile.functionModule.slice(),
      kind: profile.functionKind.slice(), shade: profile.functionShade.slice(), file, line,
    };
  }

  // Does some work for later requests, while there are none. False: nothing is left to do.
  prepare(): boolean {
    if (this.event < 0) return false;
    if (this.checkpoints?.event !== this.event) {
      this.checkpoints?.free();
      this.checkpoints = new Checkpoints(this.profile, this.event);
    }
    return this.checkpoints.step();
  }

  flame({ query, viewport }: Ask<"flame">): Answer<"flame"> {
    const shown = this.show(query);
    const from = Math.min(1, Math.max(0, viewport.from || 0)), to = Math.max(from + 1e-12, Math.min(1, viewport.to));
    const part = { from, to, pixels: viewport.pixels };
    const noise = this.noiseOf(query, shown, showsTested(part));
    const boxes = this.withBranches(query, shown, (branches) => layoutFlame(branches, { viewport: part, levels: this.levelsOf(shown), scale: shown.scale, noise }));
    return { boxes, totals: totalsOf(shown) };
  }

  locate({ query, path }: Ask<"locate">): Answer<"locate"> {
    const shown = this.show(query);
    // A process is only part of paths while its level is shown.
    const visible = shown.groups ? path : path.filter((key) => !this.names.isGroup(key));
    return this.withBranches(query, shown, (branches) => locatePath(branches, visible));
  }

  totals({ query }: Ask<"totals">): Answer<"totals"> {
    return totalsOf(this.show(query));
  }

  tree({ query, open, heaviest, limit }: Ask<"tree">): Answer<"tree"> {
    const shown = this.show(query);
    const noise = this.noiseOf(query, shown, false);
    const { rows, cut } = this.withBranches(query, shown, (branches) => listCallTree(branches, { open, heaviest, limit, scale: shown.scale, noise }));
    return { rows, totals: totalsOf(shown), cut };
  }

  functionTable({ query, ...options }: Ask<"functions">): Answer<"functions"> {
    const shown = this.show(query);
    const noise = shown.before === null ? null : new NoiseTest(shown.normalized, rawTotals(shown));
    return { rows: listFunctions(shown, this.names, this.profile.keys, noise, options), totals: totalsOf(shown) };
  }

  around({ query, key, pixels }: Ask<"around">): Answer<"around"> {
    const shown = this.show(query);
    const noise = this.noiseOf({ ...query, inverted: false }, shown, false);
    const nodes = rowsOfKey(shown.tree, key, true);
    const viewport = { from: 0, to: 1, pixels };
    const layout = (branches: Branches): FlameBoxes => {
      const boxes = layoutFlame(branches, { viewport, levels: 0, scale: shown.scale, noise });
      boxes.levels = boxes.depth.reduce((most, depth) => Math.max(most, depth), 0) + 1;
      branches.close();
      return boxes;
    };
    const callers = InvertedBranches.ofCallers(shown, this.context, key, nodes);
    const callees = new ForwardBranches(shown, this.context, nodes, key);
    return { callers: layout(callers), callees: layout(callees), totals: totalsOf(shown) };
  }

  lines({ query, key }: Ask<"lines">): Answer<"lines"> {
    const shown = this.show(query);
    return { costs: sumLines(this.profile, this.buffers, this.now.sums, this.stage.nodeOfStack, key), totals: totalsOf(shown) };
  }

  search({ query, pattern }: Ask<"search">): Answer<"search"> {
    const shown = this.show(query);
    return { result: searchTree(shown, this.names.match(pattern)), totals: totalsOf(shown) };
  }

  tracks({ event, threads, range, bins }: Ask<"tracks">): Answer<"tracks"> {
    this.kindOfStack ??= kindsOfStacks(this.profile);
    return makeTracks(this.profile, this.kindOfStack, event, threads, range, bins);
  }
  threads({ event, range }: Ask<"threads">): Answer<"threads"> {
    return sumThreads(this.profile, event, range);
  }
  heatmap({ selection, columns, rows }: Ask<"heatmap">): Answer<"heatmap"> {
    return makeHeatMap(this.profile, selection, columns, rows);
  }
  chart(ask: Ask<"chart">): Answer<"chart"> {
    const { tree, nodeOfStack } = this.transform(ask.transforms);
    return makeChart({ profile: this.profile, tree, nodeOfStack, event: ask.event }, this.buffers, ask);
  }

  // ---- what requests have in common

  private show(query: Query): Shown {
    const stage = this.transform(query.transforms);
    this.event = query.selection.event;
    this.now.update(stage, query.selection, this.checkpoints);
    let before: NodeCosts | null = null;
    if (query.base !== null) {
      this.before ??= new Slot(this.profile, stage.tree.size);
      this.before.update(stage, query.base, this.checkpoints);
      before = this.before.costs;
      this.unused = 0;
    } else if (this.before !== null && ++this.unused > kMostUnused) {
      this.before.free();
      this.before = null;
    }
    const now = this.now.costs;
    const normalized = query.normalize && before !== null;
    const scale = normalized && before!.total[0]! > 0 && now.total[0]! > 0 ? now.total[0]! / before!.total[0]! : 1;
    return { tree: stage.tree, now, before, scale, normalized, ...this.topLevel(stage.tree, now, before) };
  }

  // The level of processes is shown if one of the compared selections has several. Otherwise it is skipped, even if the two have
  // different ones: the compared programs may have different names.
  private topLevel(tree: Tree, now: NodeCosts, before: NodeCosts | null): { groups: boolean; tops: number[] } {
    const groups: number[] = [];
    let others = false, several = false;
    const counts = [0, 0];
    for (let c = 1; c < tree.size; c = tree.end[c]!) {
      const has = [!now.isEmpty(c), before !== null && !before.isEmpty(c)];
      if (!has[0] && !has[1]) continue;
      if (this.names.isGroup(tree.key[c]!)) groups.push(c);
      else others = true;
      for (const side of [0, 1]) if (has[side] && ++counts[side]! > 1) several = true;
    }
    if (groups.length === 0 || others || several) return { groups: groups.length > 0, tops: [0] };
    return { groups: false, tops: groups };
  }

  private withBranches<T>(query: Query, shown: Shown, use: (branches: Branches) => T): T {
    const branches = query.inverted ? InvertedBranches.ofLeaves(shown, this.context) : this.forward(shown);
    const result = use(branches);
    branches.close();
    return result;
  }

  private forward(shown: Shown): Branches {
    const branches = new ForwardBranches(shown, this.context, shown.tops);
    // Costs of stacks without any function are the root's.
    const { root } = branches;
    const { now, before } = shown;
    root.total = now.total[0]!;
    root.samples = now.totalCount[0]!;
    root.inlining = 0;
    if (shown.tops[0] !== 0) {
      root.self += now.self[0]!;
      root.selfSamples += now.selfCount[0]!;
    }
    if (before !== null) {
      root.baseTotal = before.total[0]!;
      root.baseSamples = before.totalCount[0]!;
      if (shown.tops[0] !== 0) {
        root.baseSelf += before.self[0]!;
        root.baseSelfSamples += before.selfCount[0]!;
      }
    }
    root.size = root.total + shown.scale * root.baseTotal;
    return branches;
  }

  private transform(transforms: readonly Transform[]): Stage {
    const wanted = transforms.map((t) => JSON.stringify(t));
    const isPrefix = (applied: readonly string[]) => applied.length <= wanted.length && applied.every((t, i) => t === wanted[i]);
    const last = this.stage;
    let stage = isPrefix(last.applied) ? last : this.base;
    for (let i = stage.applied.length; i < wanted.length; ++i) {
      const { tree, map } = this.transformer.apply(stage.tree, transforms[i]!);
      const from = stage.nodeOfStack, nodeOfStack = this.buffers.u32(from.length);
      for (let s = 0; s < this.profile.stacks; ++s) {
        const node = from[s]!;
        nodeOfStack[s] = node === kNone ? kNone : map[node]!;
      }
      this.buffers.give(map);
      // Stages between are not kept.
      if (stage !== last) this.drop(stage, tree, last.tree);
      stage = { applied: wanted.slice(0, i + 1), id: this.stages++, tree, nodeOfStack };
    }
    if (stage !== last) this.drop(last, stage.tree);
    this.stage = stage;
    return stage;
  }
  // `used`: trees that are still used.
  private drop(stage: Stage, ...used: Tree[]): void {
    if (stage === this.base) return;
    this.buffers.give(stage.nodeOfStack);
    const { tree } = stage;
    if (!used.includes(tree) && tree !== this.base.tree) this.buffers.give(tree.key, tree.parent, tree.end, tree.inlining);
  }

  private levelsOf(shown: Shown): number {
    const of = `${this.now.generation} ${shown.before === null ? "" : this.before!.generation}`;
    if (this.levels.of !== of) this.levels = { of, count: countLevels(shown) };
    return this.levels.count;
  }

  // The tests of a comparison, once for all viewports; null without comparison. `later`: the layout makes them.
  private noiseOf(query: Query, shown: Shown, later: boolean): NoiseTest | null {
    if (shown.before === null) return null;
    const of = JSON.stringify(query);
    if (this.noise?.of === of && this.noise.test.isFinished) return this.noise.test;
    const test = new NoiseTest(shown.normalized, rawTotals(shown));
    if (!later) this.withBranches(query, shown, (branches) => testBranches(branches, test));
    this.noise = { of, test };
    return test;
  }
}

function rawTotals({ now, before }: Shown): Totals {
  return { weight: now.total[0]!, samples: now.totalCount[0]!, baseWeight: before?.total[0] ?? 0, baseSamples: before?.totalCount[0] ?? 0 };
}
function totalsOf(shown: Shown): Totals {
  const totals = rawTotals(shown);
  return { ...totals, baseWeight: totals.baseWeight * shown.scale };
}

// Levels with a cost, that of the root included.
function countLevels(shown: Shown): number {
  const { tree, now, before } = shown;
  const { end, size } = tree;
  const ends: number[] = []; // of the open subtrees
  let most = 0;
  for (let i = 1; i < size; ) {
    while (ends.length > 0 && ends[ends.length - 1]! <= i) ends.pop();
    if (now.isEmpty(i) && (before === null || before.isEmpty(i))) {
      i = end[i]!;
      continue;
    }
    ends.push(end[i]!);
    if (ends.length > most) most = ends.length;
    ++i;
  }
  return most + 1 - (shown.tops[0] !== 0 && most > 0 ? 1 : 0);
}

// Runs a request. `open` comes first and makes the engine; in a worker that only matches names, `names`.
export class Requester {
  private engine: Engine | null = null;
  private names: Names | null = null;

  // As Engine.prepare().
  prepare(): boolean {
    return this.engine?.prepare() ?? false;
  }

  answer(kind: RequestKind, ask: unknown, matches: RequestMessage["matches"] = []): unknown {
    if (kind === "open") {
      this.engine = null; // free the old one first
      this.engine = new Engine((ask as Ask<"open">).bytes);
      return { meta: this.engine.profile.meta, symbols: this.engine.symbols() };
    }
    if (kind === "names") {
      const { meta, symbols } = ask as Ask<"names">;
      const functions = symbols.name.length;
      this.names = new Names({
        meta, functions, keys: functions + meta.groups.length + meta.modules.length, functionName: symbols.name, functionModule: symbols.module,
        stringOffset: symbols.offsets, stringBytes: symbols.bytes,
      });
      return null;
    }
    if (kind === "match") return this.names!.match((ask as Ask<"match">).pattern);
    const { engine } = this;
    if (engine === null) throw new Error("no profile is open");
    engine.names.known = new Map(matches);
    switch (kind) {
      case "flame": return engine.flame(ask as Ask<"flame">);
      case "totals": return engine.totals(ask as Ask<"totals">);
      case "locate": return engine.locate(ask as Ask<"locate">);
      case "tree": return engine.tree(ask as Ask<"tree">);
      case "functions": return engine.functionTable(ask as Ask<"functions">);
      case "around": return engine.around(ask as Ask<"around">);
      case "lines": return engine.lines(ask as Ask<"lines">);
      case "search": return engine.search(ask as Ask<"search">);
      case "tracks": return engine.tracks(ask as Ask<"tracks">);
      case "threads": return engine.threads(ask as Ask<"threads">);
      case "heatmap": return engine.heatmap(ask as Ask<"heatmap">);
      case "chart": return engine.chart(ask as Ask<"chart">);
    }
    throw new Error(`unknown request ${String(kind)}`);
  }
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { kNone, type FlameBoxes, type Query, type Transform, type TreeRow } from "../../../web/src/engine/api";
import { Engine } from "../../../web/src/engine/engine";
import { Random } from "./make_payload";
import { makeSmall, randomSelection, randomTransform, Reference, selectStacks, treeOf, type Costs } from "./reference";

// How often each transform was tested on stacks that it changed: a test that changes nothing proves nothing.
const effective = new Map<string, number>();

function randomQuery(random: Random, reference: Reference, transforms: number): Query {
  const { small } = reference;
  const selection = randomSelection(random, small);
  const base = random.next() < 0.4 ? randomSelection(random, small) : null;
  const list: Transform[] = [];
  for (let i = 0; i < transforms; ++i) {
    const stacks = reference.transformed(selection, list);
    const t = randomTransform(random, reference, stacks);
    list.push(t);
    if (JSON.stringify(stacks) !== JSON.stringify(reference.transformed(selection, list))) effective.set(t.op, (effective.get(t.op) ?? 0) + 1);
  }
  return { selection, base, normalize: false, transforms: list, inverted: random.next() < 0.4 };
}

function rowsByPath(rows: TreeRow[]): Map<string, TreeRow> {
  const found = new Map<string, TreeRow>();
  const path: number[] = [];
  for (const row of rows) {
    path.length = row.depth;
    path.push(row.key);
    assert.ok(!found.has(path.join(" ")), "a path is there twice");
    found.set(path.join(" "), row);
  }
  return found;
}

function pathsOf(nodes: Map<string, Costs>): number[][] {
  return [...nodes.keys()].filter((path) => path !== "").map((path) => path.split(" ").map(Number));
}

const inlinedOf = (flags: number) => ((flags & 2) === 0 ? 0 : (flags & 1) !== 0 ? 1 : 2);

function checkTree(engine: Engine, query: Query, nodes: Map<string, Costs>, what: string): void {
  const { rows, totals, cut } = engine.tree({ query, open: pathsOf(nodes), heaviest: false, limit: 0 });
  assert.equal(cut, false);
  const root = nodes.get("") ?? { total: 0, samples: 0, baseTotal: 0, baseSamples: 0 };
  assert.deepEqual(totals, { weight: root.total, samples: root.samples, baseWeight: root.baseTotal, baseSamples: root.baseSamples }, what);
  const found = rowsByPath(rows);
  assert.deepEqual([...found.keys()].sort(), [...nodes.keys()].filter((path) => path !== "").sort(), what);
  for (const [path, row] of found) {
    const want = nodes.get(path)!;
    assert.deepEqual([row.self, row.total, row.samples, row.baseSelf, row.baseTotal], [want.self, want.total, want.samples, want.baseSelf, want.baseTotal], `${what} at ${path}`);
    const children = [...nodes.keys()].filter((p) => p.startsWith(`${path} `) && !p.slice(path.length + 1).includes(" ")).length;
    assert.equal(row.children, children, `${what}: children of ${path}`);
    assert.equal(row.open, children > 0);
  }
  // Closed rows know as much.
  const closed = engine.tree({ query, open: [], heaviest: false, limit: 0 }).rows;
  for (const row of closed) assert.deepEqual({ ...row, open: false }, { ...found.get(String(row.key))!, open: false }, `${what}: closed`);
}

function boxPaths(boxes: FlameBoxes): string[] {
  const paths: string[] = [];
  for (let i = 0; i < boxes.count; ++i) {
    const parent = boxes.parent[i]!;
    assert.ok(parent < i);
    paths.push(parent < 0 ? "" : parent === 0 ? String(boxes.key[i]) : `${paths[parent]} ${boxes.key[i]}`);
  }
  return paths;
}

function checkFlame(engine: Engine, query: Query, nodes: Map<string, Costs>, what: string): void {
  const { boxes } = engine.flame({ query, viewport: { from: 0, to: 1, pixels: 1e9 } });
  const paths = boxPaths(boxes);
  const size = (path: string) => nodes.get(path)!.total + nodes.get(path)!.baseTotal;
  const all = nodes.has("") ? size("") : 0;
  const drawn = [...nodes.keys()].filter((path) => path === "" || (all > 0 && path.split(" ").every((_, i, keys) => size(keys.slice(0, i + 1).join(" ")) > 0)));
  if (!drawn.includes("")) drawn.push("");
  assert.deepEqual([...paths].sort(), drawn.sort(), what);
  assert.equal(boxes.key[0], kNone);
  assert.equal(boxes.hiddenBoxes, 0);
  const deepest = Math.max(0, ...[...nodes.keys()].map((path) => (path === "" ? 0 : path.split(" ").length)));
  assert.equal(boxes.levels, deepest + 1, `${what}: levels`);
  const used = new Float64Array(boxes.count); // by its children
  const last: number[] = [];
  for (let i = 0; i < boxes.count; ++i) {
    const want = nodes.get(paths[i]!);
    if (want === undefined) continue;
    assert.deepEqual([boxes.self[i], boxes.total[i], boxes.samples[i]], [want.self, want.total, want.samples], `${what} at ${paths[i]}`);
    if (query.base !== null) assert.deepEqual([boxes.baseSelf![i], boxes.baseTotal![i]], [want.baseSelf, want.baseTotal]);
    assert.equal(boxes.depth[i], paths[i] === "" ? 0 : paths[i]!.split(" ").length);
    if (i === 0) continue;
    const parent = boxes.parent[i]!;
    assert.ok(Math.abs(boxes.width[i]! - size(paths[i]!) / all) < 1e-12);
    assert.ok(Math.abs(boxes.x[i]! - (boxes.x[parent]! + used[parent]!)) < 1e-12, `${what}: siblings touch`);
    used[parent] += boxes.width[i]!;
    if (last[parent] !== undefined) assert.ok(boxes.width[last[parent]!]! >= boxes.width[i]! - 1e-12, "heaviest first");
    last[parent] = i;
    if (i % 3 === 0) {
      const place = engine.locate({ query, path: paths[i]!.split(" ").map(Number) });
      assert.ok(place !== null && Math.abs(place.x - boxes.x[i]!) < 1e-12 && Math.abs(place.width - boxes.width[i]!) < 1e-12 && place.depth === boxes.depth[i], `${what}: locate`);
    }
  }
  assert.equal(engine.locate({ query, path: [0, 1, 2, 3, 0, 1, 2, 3, 0, 0, 1, 1, 1, 1] }), null);
}

test("trees and flame graphs equal those of explicit stacks", () => {
  for (let seed = 1; seed <= 700; ++seed) {
    const random = new Random(seed);
    const small = makeSmall(seed, { negative: seed % 5 === 0 });
    const reference = new Reference(small);
    const engine = new Engine(small.bytes);
    for (let i = 0; i < 4; ++i) {
      const query = randomQuery(random, reference, i === 0 ? 0 : random.below(4));
      const { now, before } = reference.shown(query);
      const nodes = treeOf(now, before);
      const what = `seed ${seed}, ${JSON.stringify(query)}`;
      checkTree(engine, query, nodes, what);
      // With negative costs, boxes may be wider than their callers, and beyond the picture.
      if (seed % 5 !== 0) checkFlame(engine, query, nodes, what);
    }
  }
  assert.equal(effective.size, 14);
  for (const [op, count] of effective) assert.ok(count > 30, `${op} changed stacks only ${count} times`);
});

test("inlined boxes are marked", () => {
  let some = 0;
  for (let seed = 1; seed <= 100; ++seed) {
    const small = makeSmall(seed);
    const engine = new Engine(small.bytes);
    // Of all stacks: marks do not depend on the selection.
    const query: Query = { selection: { event: 0, threads: null, range: null }, base: null, normalize: false, transforms: [], inverted: false };
    const both = small.meta.events.flatMap((_, event) => selectStacks(small, { ...query.selection, event }));
    const { boxes } = engine.flame({ query, viewport: { from: 0, to: 1, pixels: 1e9 } });
    const groups = boxes.key.some((key) => key >= small.functions.length && key !== kNone);
    const nodes = treeOf(both.map((s) => (groups ? s : { ...s, keys: s.keys.slice(1), flags: s.flags.slice(1) })), []);
    boxPaths(boxes).forEach((path, i) => {
      // Without the level of processes, stacks of the others must not count.
      if (path === "" || (!groups && small.meta.groups.length > 1)) return;
      assert.equal(boxes.inlined[i], inlinedOf(nodes.get(path)!.flags), `seed ${seed} ${path}`);
      some += boxes.inlined[i]! > 0 ? 1 : 0;
    });
  }
  assert.ok(some > 20);
});

test("a viewport has the boxes that are visible in it", () => {
  for (let seed = 1; seed <= 60; ++seed) {
    const small = makeSmall(seed, { samples: 200 });
    const engine = new Engine(small.bytes);
    for (const inverted of [false, true]) {
      const query: Query = { selection: { event: 0, threads: null, range: null }, base: null, normalize: false, transforms: [], inverted };
      const whole = engine.flame({ query, viewport: { from: 0, to: 1, pixels: 1e9 } }).boxes;
      if (whole.count < 2) continue;
      const from = 0.2, to = 0.5, pixels = 40;
      const part = engine.flame({ query, viewport: { from, to, pixels } }).boxes;
      const least = (0.5 * (to - from)) / pixels;
      const name = (b: FlameBoxes, i: number) => `${boxPaths(b)[i]} ${b.x[i]!.toFixed(12)} ${b.width[i]!.toFixed(12)} ${b.total[i]}`;
      const want: string[] = [];
      let hidden = 0, hiddenWeight = 0;
      for (let i = 0; i < whole.count; ++i) {
        const visible = whole.x[i]! < to - 1e-12 && whole.x[i]! + whole.width[i]! > from + 1e-12;
        if (!visible) continue;
        if (i === 0 || whole.width[i]! >= least) want.push(name(whole, i));
        else if (whole.parent[i] === 0 || whole.width[whole.parent[i]!]! >= least) {
          ++hidden;
          hiddenWeight += whole.total[i]!;
        }
      }
      assert.deepEqual(Array.from({ length: part.count }, (_, i) => name(part, i)), want);
      // Those at the edges count in part.
      assert.ok(Math.abs(part.hiddenBoxes - hidden) <= 2 + whole.levels && part.hiddenWeight <= hiddenWeight + 1e-6, `${part.hiddenBoxes} of ${hidden}`);
      if (hidden === 0) assert.equal(part.hiddenBoxes, 0);
    }
  }
});

test("the heaviest path opens by itself", () => {
  for (let seed = 1; seed <= 60; ++seed) {
    const small = makeSmall(seed);
    const reference = new Reference(small);
    const engine = new Engine(small.bytes);
    const query: Query = { selection: { event: 0, threads: null, range: null }, base: null, normalize: false, transforms: [], inverted: seed % 2 === 0 };
    const { now } = reference.shown(query);
    const nodes = treeOf(now, []);
    const { rows } = engine.tree({ query, open: [], heaviest: true, limit: 0 });
    let path = "";
    const open: string[] = [];
    for (;;) {
      const next = [...nodes.keys()].filter((p) => p !== "" && (path === "" ? !p.includes(" ") : p.startsWith(`${path} `) && !p.slice(path.length + 1).includes(" "))).find((p) => nodes.get(p)!.total * 2 > nodes.get(path)!.total);
      if (next === undefined) break;
      path = next;
      if ([...nodes.keys()].some((p) => p.startsWith(`${path} `))) open.push(path);
    }
    assert.deepEqual([...rowsByPath(rows)].filter(([, row]) => row.open).map(([p]) => p), open, `seed ${seed}`);
    const limited = engine.tree({ query, open: [], heaviest: true, limit: 2 });
    assert.equal(limited.cut, rows.length > 2);
    assert.deepEqual(limited.rows, rows.slice(0, 2));
  }
});

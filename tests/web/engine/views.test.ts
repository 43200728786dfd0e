// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { kNone, type FlameBoxes, type FunctionSort, type Query } from "../../../web/src/engine/api";
import { Engine } from "../../../web/src/engine/engine";
import { NoiseTest } from "../../../web/src/engine/noise";
import { makePayload, Random } from "./make_payload";
import { makeSmall, randomSelection, randomTransform, Reference, selectSamples, treeOf, type Costs, type Stack } from "./reference";

function eachProfile(count: number, run: (random: Random, reference: Reference, engine: Engine, query: Query, what: string) => void): void {
  for (let seed = 1; seed <= count; ++seed) {
    const random = new Random(seed * 7);
    const small = makeSmall(seed, { negative: seed % 6 === 0 });
    const reference = new Reference(small);
    const engine = new Engine(small.bytes);
    for (let i = 0; i < 3; ++i) {
      const selection = randomSelection(random, small);
      const query: Query = { selection, base: random.next() < 0.5 ? randomSelection(random, small) : null, normalize: random.next() < 0.5, transforms: [], inverted: random.next() < 0.3 };
      if (i > 0) query.transforms = [randomTransform(random, reference, reference.transformed(selection, []))];
      run(random, reference, engine, query, `seed ${seed}, ${JSON.stringify(query)}`);
    }
  }
}
const sum = (stacks: Stack[], of: (s: Stack) => number) => stacks.reduce((total, s) => total + of(s), 0);

test("function tables equal those of explicit stacks", () => {
  let compared = 0, verdicts = 0;
  eachProfile(300, (random, reference, engine, query, what) => {
    const now = reference.transformed(query.selection, query.transforms), before = query.base === null ? [] : reference.transformed(query.base, query.transforms);
    const all = { weight: sum(now, (s) => s.weight), samples: sum(now, (s) => s.count), baseWeight: sum(before, (s) => s.weight), baseSamples: sum(before, (s) => s.count) };
    const scale = query.base !== null && query.normalize && all.weight > 0 && all.baseWeight > 0 ? all.weight / all.baseWeight : 1;
    const keys = [...new Set([...now, ...before].flatMap((s) => s.keys))].filter((key) => !reference.isGroup(key));
    const last = (s: Stack) => s.keys[s.keys.length - 1];
    const rowOf = (key: number) => ({
      key, self: sum(now.filter((s) => last(s) === key), (s) => s.weight), total: sum(now.filter((s) => s.keys.includes(key)), (s) => s.weight),
      samples: sum(now.filter((s) => s.keys.includes(key)), (s) => s.count), selfSamples: sum(now.filter((s) => last(s) === key), (s) => s.count),
      baseSelf: sum(before.filter((s) => last(s) === key), (s) => s.weight), baseTotal: sum(before.filter((s) => s.keys.includes(key)), (s) => s.weight),
      baseSamples: sum(before.filter((s) => s.keys.includes(key)), (s) => s.count), baseSelfSamples: sum(before.filter((s) => last(s) === key), (s) => s.count), verdict: 0,
    });
    // A function that only occurs below a node whose costs cancel out is left out, as in `wick report`: not with positive costs.
    if ([...now, ...before].some((s) => s.weight < 0 || (s.weight === 0 && s.count === 0))) return;
    const rows = keys.map(rowOf).filter((r) => r.total !== 0 || r.samples !== 0 || r.baseTotal !== 0 || r.baseSamples !== 0);
    const noise = new NoiseTest(query.normalize, all);
    const p = rows.map((r) => {
      const self = noise.test(r.self, r.selfSamples, r.baseSelf, r.baseSelfSamples);
      if (r.self !== r.total || r.baseSelf !== r.baseTotal) noise.test(r.total, r.samples, r.baseTotal, r.baseSamples);
      return self;
    });
    noise.finish();
    rows.forEach((r, i) => (r.verdict = query.base === null ? 0 : noise.verdict(p[i]!, r.self, r.baseSelf)));
    const sort = (["self", "total", "name", "module", "delta"] as FunctionSort[])[random.below(5)]!, descending = random.next() < 0.5;
    const pattern = random.next() < 0.3 ? "a|H" : "";
    const { rows: found, totals } = engine.functionTable({ query, sort, descending, pattern, limit: 0 });
    assert.ok(Math.abs(totals.baseWeight - all.baseWeight * scale) < 1e-6);
    assert.deepEqual({ ...totals, baseWeight: 0 }, { ...all, baseWeight: 0 }, what);
    const wanted = rows.filter((r) => pattern === "" || /a|H/.test(reference.name(r.key)));
    assert.equal(found.all, rows.length);
    assert.deepEqual([...found.key].sort(), wanted.map((r) => r.key).sort(), what);
    for (let i = 0; i < found.count; ++i) {
      const want = wanted.find((r) => r.key === found.key[i])!;
      assert.deepEqual([found.self[i], found.total[i], found.samples[i], found.selfSamples[i]], [want.self, want.total, want.samples, want.selfSamples], what);
      if (query.base === null) continue;
      assert.ok(Math.abs(found.baseSelf![i]! - want.baseSelf * scale) < 1e-6 && Math.abs(found.baseTotal![i]! - want.baseTotal * scale) < 1e-6);
      assert.equal(found.verdict![i], want.verdict, what);
      verdicts += want.verdict !== 0 ? 1 : 0;
    }
    // Each row sorts before the next one.
    const value = (i: number): number | string => sort === "self" ? found.self[i]! : sort === "total" ? found.total[i]! : sort === "name" ? reference.name(found.key[i]!)
      : sort === "module" ? reference.small.meta.modules[reference.module(found.key[i]!)]?.name ?? "" : (found.verdict?.[i] ? 1e9 : 0) + Math.abs(found.self[i]! - (found.baseSelf?.[i] ?? 0));
    for (let i = 1; i < found.count; ++i) {
      const [x, y] = descending ? [value(i), value(i - 1)] : [value(i - 1), value(i)];
      assert.ok(x <= y, `${what}: sorted by ${sort}`);
      ++compared;
    }
    const limited = engine.functionTable({ query, sort, descending, pattern, limit: 2 }).rows;
    assert.deepEqual([...limited.key], [...found.key].slice(0, 2));
  });
  assert.ok(compared > 500);
  assert.ok(verdicts > 5, `${verdicts} verdicts`);
});

test("a search counts each sample once", () => {
  let some = 0;
  eachProfile(200, (random, reference, engine, query, what) => {
    const pattern = ["a", "Render", "render", "^(main|walk)$", "prog", "zzz", "\\W", ""][random.below(8)]!;
    const { result } = engine.search({ query, pattern });
    const re = new RegExp(pattern, pattern === "Render" ? "" : "i");
    const { functions, meta } = reference.small;
    const keys = functions.length + meta.groups.length + meta.modules.length;
    assert.deepEqual([...result.keys], Array.from({ length: keys }, (_, key) => Number(!reference.isGroup(key) && re.test(reference.name(key)))), what);
    const now = reference.transformed(query.selection, query.transforms), before = query.base === null ? [] : reference.transformed(query.base, query.transforms);
    const matches = (s: Stack) => s.keys.some((key) => result.keys[key] === 1);
    const scale = query.base !== null && query.normalize && sum(now, (s) => s.weight) > 0 && sum(before, (s) => s.weight) > 0 ? sum(now, (s) => s.weight) / sum(before, (s) => s.weight) : 1;
    if ([...now, ...before].some((s) => s.weight < 0)) return;
    assert.equal(result.weight, sum(now.filter(matches), (s) => s.weight), what);
    assert.ok(Math.abs(result.baseWeight - scale * sum(before.filter(matches), (s) => s.weight)) < 1e-6, what);
    const present = new Set([...now, ...before].filter((s) => s.weight !== 0 || s.count !== 0).flatMap((s) => s.keys).filter((key) => result.keys[key] === 1));
    assert.equal(result.functions, present.size, what);
    some += result.weight > 0 ? 1 : 0;
  });
  assert.ok(some > 100);
});

test("patterns", () => {
  const small = makeSmall(3);
  const engine = new Engine(small.bytes);
  const query: Query = { selection: { event: 0, threads: null, range: null }, base: null, normalize: false, transforms: [], inverted: false };
  for (const pattern of ["(", "[", "a{2,1}", "*"]) assert.throws(() => engine.search({ query, pattern }), /^Error: not a regular expression: /);
  assert.throws(() => engine.flame({ query: { ...query, transforms: [{ op: "keep-matching", pattern: "(" }] }, viewport: { from: 0, to: 1, pixels: 100 } }), /not a regular expression/);
  // The engine goes on.
  assert.ok(engine.flame({ query, viewport: { from: 0, to: 1, pixels: 100 } }).boxes.count > 0);
});

function paths(boxes: FlameBoxes): Map<string, [number, number, number, number]> {
  const names: string[] = [];
  const found = new Map<string, [number, number, number, number]>();
  for (let i = 0; i < boxes.count; ++i) {
    names.push(i === 0 ? "" : boxes.parent[i] === 0 ? String(boxes.key[i]) : `${names[boxes.parent[i]!]} ${boxes.key[i]}`);
    found.set(names[i]!, [boxes.self[i]!, boxes.total[i]!, boxes.samples[i]!, boxes.baseTotal === null ? 0 : boxes.baseTotal[i]!]);
  }
  return found;
}

test("callers and callees of a function", () => {
  let some = 0;
  eachProfile(200, (random, reference, engine, query, what) => {
    query = { ...query, normalize: false };
    const now = reference.transformed(query.selection, query.transforms), before = query.base === null ? [] : reference.transformed(query.base, query.transforms);
    if ([...now, ...before].some((s) => s.weight < 0)) return;
    const key = random.below(reference.small.functions.length);
    const { callers, callees } = engine.around({ query, key, pixels: 1e9 });
    assert.equal(callers.key[0], key);
    assert.equal(callees.key[0], key);
    const with_ = (stacks: Stack[]) => stacks.filter((s) => s.keys.includes(key));
    const out = (s: Stack): Stack => {
      const keys = s.keys.slice(0, s.keys.indexOf(key)).filter((k) => !reference.isGroup(k)).reverse();
      return { ...s, keys, flags: keys.map(() => 1) };
    };
    const into = (s: Stack): Stack => ({ ...s, keys: s.keys.slice(s.keys.indexOf(key) + 1), flags: s.flags.slice(s.keys.indexOf(key) + 1) });
    for (const [boxes, cut] of [[callers, out], [callees, into]] as const) {
      const nodes = treeOf(with_(now).map(cut), with_(before).map(cut));
      if (!nodes.has("")) nodes.set("", { self: 0, total: 0, samples: 0, baseSelf: 0, baseTotal: 0, baseSamples: 0, flags: 0 });
      const visible = (c: Costs) => c.total + c.baseTotal > 0;
      const want = new Map([...nodes].filter(([path, c]) => path === "" || visible(c)).map(([path, c]) => [path, [c.self, c.total, c.samples, c.baseTotal]]));
      assert.deepEqual(new Map([...paths(boxes)].sort()), new Map([...want].sort()), what);
      assert.equal(boxes.levels, Math.max(...[...want.keys()].map((path) => (path === "" ? 1 : path.split(" ").length + 1))));
      some += boxes.count > 2 ? 1 : 0;
    }
  });
  assert.ok(some > 100);
});

test("costs by line and instruction", () => {
  let some = 0, recursive = 0;
  eachProfile(300, (random, reference, engine, query, what) => {
    const { small } = reference;
    const key = random.below(small.functions.length);
    // Only transforms that drop samples mean something here.
    query = { ...query, transforms: random.next() < 0.5 ? [] : [{ op: "drop-function", key: random.below(small.functions.length) }], base: null };
    const dropped = query.transforms[0] as { key: number } | undefined;
    const samples = selectSamples(small, query.selection).filter((s) => dropped === undefined || !s.frames.some((f) => f.function === dropped.key));
    const lines = new Map<string, { self: number; total: number }>(), addresses = new Map<number, { self: number; total: number }>();
    for (const s of samples) {
      const seen = new Set<string>(), places = new Set<number>();
      s.frames.forEach((f, i) => {
        if (f.function !== key) return;
        const name = `${f.file}:${f.line}`;
        const row = lines.get(name) ?? { self: 0, total: 0 };
        lines.set(name, row);
        if (!seen.has(name)) row.total += s.weight;
        recursive += seen.has(name) ? 1 : 0;
        seen.add(name);
        if (i === s.frames.length - 1) row.self += s.weight;
        if (f.address === 0) return;
        const place = addresses.get(f.address) ?? { self: 0, total: 0 };
        addresses.set(f.address, place);
        if (!places.has(f.address)) place.total += s.weight;
        places.add(f.address);
        // The stack ends in this physical frame, and no outer frame of the function is part of it.
        let outer = i;
        while (outer > 0 && s.frames[outer]!.inlined) --outer;
        const ends = s.frames.slice(i + 1).every((inner) => inner.inlined);
        if (ends && !s.frames.slice(outer, i).some((o) => o.function === key)) place.self += s.weight;
      });
    }
    const { costs } = engine.lines({ query, key });
    const found = new Map(Array.from(costs.file, (file, i) => [`${file}:${costs.line[i]}`, { self: costs.self[i]!, total: costs.total[i]! }]));
    const foundPlaces = new Map(Array.from(costs.address, (a, i) => [a, { self: costs.addressSelf[i]!, total: costs.addressTotal[i]! }]));
    const nonzero = <K>(rows: Map<K, { self: number; total: number }>) => new Map([...rows].filter(([, r]) => r.self !== 0 || r.total !== 0));
    assert.deepEqual(found, new Map([...nonzero(lines)].sort((a, b) => [...found.keys()].indexOf(a[0]) - [...found.keys()].indexOf(b[0]))), what);
    assert.deepEqual(foundPlaces, new Map([...nonzero(addresses)].sort((a, b) => a[0] - b[0])), what);
    some += found.size;
  });
  assert.ok(some > 300 && recursive > 50, `${some} ${recursive}`);
});

test("normalized comparisons scale the costs before", () => {
  const bytes = makePayload({ difference: true, samples: 6000, seed: 5 });
  const engine = new Engine(bytes.buffer as ArrayBuffer);
  const query: Query = { selection: { event: 1, threads: null, range: null }, base: { event: 0, threads: null, range: [0, 200_000] }, normalize: true, transforms: [], inverted: false };
  const viewport = { from: 0, to: 1, pixels: 1000 };
  const { boxes, totals } = engine.flame({ query, viewport });
  const plain = engine.flame({ query: { ...query, normalize: false }, viewport });
  assert.ok(Math.abs(totals.baseWeight / totals.weight - 1) < 1e-12);
  assert.ok(plain.totals.baseWeight < plain.totals.weight / 2);
  const scale = plain.totals.weight / plain.totals.baseWeight;
  const byPath = paths(plain.boxes);
  let compared = 0;
  for (const [path, [, total, , baseTotal]] of paths(boxes)) {
    const same = byPath.get(path);
    if (same === undefined) continue;
    assert.equal(total, same[1]);
    assert.ok(Math.abs(baseTotal - same[3] * scale) < 1e-3);
    ++compared;
  }
  assert.ok(compared > 100);
  // Costs grew everywhere, since the base is a part of the time; shares mostly stayed.
  const grew = (v: Int8Array) => v.filter((x) => x === 1).length;
  assert.ok(grew(plain.boxes.verdict!) > 2 * grew(boxes.verdict!), `${grew(plain.boxes.verdict!)} ${grew(boxes.verdict!)}`);
  assert.equal(boxes.verdict![0], 0);
});

test("verdicts do not depend on the zoom", () => {
  const bytes = makePayload({ difference: true, samples: 8000, seed: 6 });
  const engine = new Engine(bytes.buffer as ArrayBuffer);
  for (const inverted of [false, true]) {
    const query: Query = { selection: { event: 1, threads: null, range: null }, base: { event: 0, threads: null, range: null }, normalize: false, transforms: [], inverted };
    const verdictsOf = (from: number, to: number) => {
      const { boxes } = engine.flame({ query, viewport: { from, to, pixels: 500 } });
      return new Map([...paths(boxes).keys()].map((path, i) => [path, boxes.verdict![i]]));
    };
    const whole = verdictsOf(0, 1), part = verdictsOf(0.3, 0.4);
    // The same if the zoomed picture comes first, and with more pixels, which tests while it draws.
    const other = new Engine(bytes.buffer as ArrayBuffer);
    const again = other.flame({ query, viewport: { from: 0.3, to: 0.4, pixels: 500 } }).boxes;
    assert.deepEqual([...part.values()], [...again.verdict!]);
    const wide = new Engine(bytes.buffer as ArrayBuffer).flame({ query, viewport: { from: 0, to: 1, pixels: 2000 } }).boxes;
    const wideVerdicts = new Map([...paths(wide).keys()].map((path, i) => [path, wide.verdict![i]]));
    for (const [path, verdict] of whole) assert.equal(wideVerdicts.get(path), verdict);
    let same = 0;
    for (const [path, verdict] of part) {
      if (!whole.has(path)) continue;
      assert.equal(verdict, whole.get(path));
      ++same;
    }
    assert.ok(same > 5 && part.size > same);
    assert.ok([...whole.values()].some((v) => v !== 0) && [...whole.values()].some((v) => v === 0));
  }
});

test("deep recursion and wide nodes", () => {
  const bytes = makePayload({ samples: 3000, depth: 20000, stacks: 500, processes: 1, threads: 2, seed: 9 });
  const engine = new Engine(bytes.buffer as ArrayBuffer);
  const selection = { event: 0, threads: null, range: null };
  for (const inverted of [false, true]) {
    const query: Query = { selection, base: null, normalize: false, transforms: [], inverted };
    const { boxes } = engine.flame({ query, viewport: { from: 0, to: 1, pixels: 1e7 } });
    assert.ok(boxes.levels >= 20000);
    const { rows } = engine.tree({ query, open: [], heaviest: true, limit: 50000 });
    assert.ok(rows.length > 0);
  }
  const key = engine.functionTable({ query: { selection, base: null, normalize: false, transforms: [], inverted: false }, sort: "self", descending: true, pattern: "Expr::eval", limit: 1 }).rows.key[0]!;
  const collapsed: Query = { selection, base: null, normalize: false, transforms: [{ op: "collapse-recursion", key }], inverted: false };
  const direct: Query = { ...collapsed, transforms: [{ op: "collapse-direct-recursion", key }] };
  for (const query of [collapsed, direct]) assert.ok(engine.flame({ query, viewport: { from: 0, to: 1, pixels: 1e7 } }).boxes.levels < 100);
  engine.lines({ query: collapsed, key });
  engine.around({ query: { ...collapsed, transforms: [] }, key, pixels: 1000 });
});

test("asks about what does not exist get empty answers", () => {
  const small = makeSmall(8);
  const engine = new Engine(small.bytes);
  const viewport = { from: 0, to: 1, pixels: 100 };
  const query: Query = { selection: { event: 99, threads: [77], range: [5, 1] }, base: null, normalize: false, transforms: [], inverted: false };
  assert.equal(engine.flame({ query, viewport }).boxes.count, 1);
  assert.equal(engine.functionTable({ query, sort: "self", descending: true, pattern: "", limit: 10 }).rows.count, 0);
  const all = { ...query, selection: { event: 0, threads: null, range: null } };
  for (const key of [12345, kNone, -1, 0.5]) {
    assert.equal(engine.flame({ query: { ...all, transforms: [{ op: "focus-function", key }] }, viewport }).boxes.count, 1);
    assert.equal(engine.around({ query: all, key, pixels: 100 }).callers.count, 1);
    assert.equal(engine.lines({ query: all, key }).costs.line.length, 0);
    engine.flame({ query: { ...all, transforms: [{ op: "collapse-module", module: key }, { op: "merge-node", path: [key], inverted: false }, { op: "focus-subtree", path: [], inverted: true }] }, viewport });
  }
  for (const v of [{ from: NaN, to: NaN, pixels: NaN }, { from: 2, to: -1, pixels: 0 }]) assert.ok(engine.flame({ query: all, viewport: v }).boxes.count >= 1);
  assert.throws(() => engine.flame({ query: { ...all, transforms: [{ op: "nonsense" } as never] }, viewport }), /unknown transform/);
});

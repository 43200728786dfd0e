// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import type { Query, Selection, Transform } from "../../../web/src/engine/api";
import { Engine } from "../../../web/src/engine/engine";
import { makePayload, Random } from "./make_payload";

// The engine keeps sums, trees and columns from one request to the next.
test("answers do not depend on what was asked before", () => {
  const bytes = makePayload({ samples: 20000, stacks: 8000, functions: 400, processes: 2, threads: 5, events: 2, seed: 3 }).buffer as ArrayBuffer;
  const engine = new Engine(bytes);
  const { functions, meta } = engine.profile;
  const end = meta.durationNs / meta.timeUnitNs;
  const random = new Random(11);
  const selection = (): Selection => {
    const from = random.next() * end;
    return { event: random.below(2), threads: random.next() < 0.5 ? null : [random.below(5), random.below(5)], range: random.next() < 0.4 ? null : [from, from + random.next() * end] };
  };
  let path = [0];
  const transform = (): Transform => {
    const key = random.below(70), module = random.below(meta.modules.length), inverted = random.next() < 0.3;
    const all: Transform[] = [
      { op: "focus-function", key }, { op: "focus-subtree", path, inverted }, { op: "merge-function", key }, { op: "merge-function", key: random.below(functions) },
      { op: "merge-node", path, inverted }, { op: "drop-function", key }, { op: "collapse-subtree", key }, { op: "collapse-recursion", key },
      { op: "collapse-direct-recursion", key }, { op: "collapse-module", module }, { op: "keep-matching", pattern: "tiles" }, { op: "drop-matching", pattern: "alloc" },
      { op: "keep-module", module }, { op: "drop-module", module }, { op: "focus-self", key },
    ];
    return all[random.below(all.length)]!;
  };
  let query: Query = { selection: { event: 0, threads: null, range: null }, base: null, normalize: false, transforms: [], inverted: false };
  let boxes = 0, transformed = 0;
  for (let i = 0; i < 70; ++i) {
    const kind = random.below(7);
    if (kind === 0) query = { ...query, selection: selection() };
    else if (kind === 1) query = { ...query, base: random.next() < 0.5 ? null : selection(), normalize: random.next() < 0.5 };
    else if (kind === 2) query = { ...query, inverted: !query.inverted };
    else if (kind === 3) query = { ...query, transforms: query.transforms.slice(0, random.below(query.transforms.length + 1)) };
    else if (kind === 4) query = { ...query, transforms: [...query.transforms.slice(0, 1), transform(), transform()] };
    else query = { ...query, transforms: [...query.transforms.slice(random.below(2)), transform()].slice(-3) };
    const fresh = new Engine(bytes);
    const ask = (e: Engine) => ({
      flame: e.flame({ query, viewport: { from: 0, to: 1, pixels: 1500 } }), zoomed: e.flame({ query, viewport: { from: 0.1, to: 0.2, pixels: 1500 } }),
      tree: e.tree({ query, open: [], heaviest: true, limit: 100 }), functions: e.functionTable({ query, sort: "total", descending: true, pattern: "", limit: 0 }),
      around: e.around({ query, key: 12, pixels: 900 }), lines: e.lines({ query, key: 15 }), search: e.search({ query, pattern: "raster" }),
    });
    const found = ask(engine);
    assert.deepEqual(found, ask(fresh), `step ${i}, ${JSON.stringify(query)}`);
    // Results of a bad request are not kept.
    if (i % 10 === 0) assert.throws(() => engine.flame({ query: { ...query, transforms: [...query.transforms.slice(0, 1), transform(), { op: "keep-matching", pattern: "(" }] }, viewport: { from: 0, to: 1, pixels: 9 } }));
    boxes += found.flame.boxes.count;
    if (found.flame.boxes.count > 20 && query.transforms.length > 1) ++transformed;
    if (found.flame.boxes.count > 3) path = [found.flame.boxes.key[1]!, found.flame.boxes.key[2]!];
    // A query that shows nothing any more leads nowhere.
    if (found.flame.boxes.count < 5) query = { ...query, selection: { event: 0, threads: null, range: null }, transforms: [] };
  }
  assert.ok(boxes > 5000 && transformed > 5, `${boxes} boxes, ${transformed} transformed`);
});

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Transform } from "../../../web/src/engine/api";
import { kViews } from "../../../web/src/app/state";
import { decodeState, encodeState, kSorts, type Limits } from "../../../web/src/app/url";
import type { Comparison, State } from "../../../web/src/app/view";

const limits: Limits = { events: 4, threads: 100, keys: 5000, modules: 40, end: 1_000_000, isDifference: false };
const defaults: State = {
  view: "flame", event: 0, threads: null, range: null, transforms: [], inverted: false, icicle: false, search: "", selected: [], zoom: [],
  span: null, time: null, key: -1, opened: [], sort: "self", descending: true, compare: null, normalize: true,
};

// Reproducible random numbers.
function random(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

function randomState(r: (limit: number) => number, bounds: Limits): State {
  const path = () => Array.from({ length: 1 + r(12) }, () => (r(3) === 0 ? 7 : r(bounds.keys)));
  const set = () => [...new Set(Array.from({ length: 1 + r(9) }, () => r(bounds.threads)))].sort((a, b) => a - b);
  const range = (): [number, number] => {
    const begin = r(bounds.end - 1);
    return [begin, begin + 1 + r(bounds.end - begin)];
  };
  const pattern = () => ["malloc", "a/b", "std::vec<.*>", "x,y", "50%", "ü.*😀", "#/=&+ ", "^operator\\(\\)$", "."][r(9)]!;
  const transform = (): Transform => {
    const key = r(bounds.keys);
    const module = r(bounds.modules);
    const inverted = r(2) === 1;
    const all: Transform[] = [
      { op: "focus-function", key }, { op: "focus-self", key }, { op: "merge-function", key }, { op: "drop-function", key },
      { op: "collapse-subtree", key }, { op: "collapse-recursion", key }, { op: "collapse-direct-recursion", key },
      { op: "focus-subtree", path: path(), inverted }, { op: "merge-node", path: path(), inverted }, { op: "collapse-module", module },
      { op: "keep-module", module }, { op: "drop-module", module }, { op: "keep-matching", pattern: pattern() },
      { op: "drop-matching", pattern: pattern() },
    ];
    return all[r(all.length)]!;
  };
  const comparisons: (Comparison | null)[] = [null, { kind: "range", range: range() }, { kind: "threads", threads: set() }];
  if (bounds.isDifference) comparisons.push({ kind: "files" });
  const compare = comparisons[r(comparisons.length)]!;
  return {
    view: kViews[r(kViews.length)]!,
    event: r(compare?.kind === "files" ? 2 : bounds.events),
    threads: r(2) === 0 ? null : set(),
    range: r(2) === 0 ? null : range(),
    transforms: Array.from({ length: r(4) }, transform),
    inverted: r(2) === 1,
    icicle: r(2) === 1,
    search: r(2) === 0 ? "" : pattern(),
    selected: r(2) === 0 ? [] : path(),
    zoom: r(2) === 0 ? [] : path(),
    span: r(2) === 0 ? null : [r(400) / 1000, (600 + r(400)) / 1000],
    time: r(2) === 0 ? null : range(),
    key: r(2) === 0 ? -1 : r(bounds.keys),
    opened: Array.from({ length: r(5) }, path),
    sort: kSorts[r(kSorts.length)]!,
    descending: r(2) === 1,
    compare,
    normalize: r(2) === 1,
  };
}

test("the default state is the name of its view", () => {
  assert.equal(encodeState(defaults, defaults), "flame");
  assert.deepEqual(decodeState("flame", defaults, limits), defaults);
  assert.deepEqual(decodeState("", defaults, limits), defaults);
});

test("a state reads well", () => {
  const state: State = {
    ...defaults, threads: [3, 5, 6, 7], range: [100, 200], search: "malloc",
    transforms: [{ op: "focus-function", key: 12 }, { op: "merge-function", key: 7 }, { op: "focus-subtree", path: [1, 2, 2, 2], inverted: true }],
  };
  const text = "flame/t=3,5-7/r=100-200/x=f12,m7,Fi1.2*3/s=malloc";
  assert.equal(encodeState(state, defaults), text);
  assert.deepEqual(decodeState(`#${text}`, defaults, limits), state);
});

test("paths that were opened share their beginnings", () => {
  const opened = [[1], [1, 2], [1, 2, 3], [1, 4], [9, 9, 9]];
  const text = encodeState({ ...defaults, view: "tree", opened }, defaults);
  assert.equal(text, "tree/o=1,1~2,2~3,1~4,9*3");
  assert.deepEqual(decodeState(text, defaults, limits).opened, opened);
});

test("random states survive the round trip", () => {
  for (const isDifference of [false, true]) {
    const bounds = { ...limits, isDifference };
    const base: State = { ...defaults, ...(isDifference ? { event: 1, compare: { kind: "files" }, normalize: false } : {}) };
    for (let seed = 0; seed < 3000; ++seed) {
      const state = randomState(random(seed), bounds);
      const text = encodeState(state, base);
      assert.match(text, /^[\w/=.,*~%!'()+-]*$/);
      assert.deepEqual(decodeState(text, base, bounds), state, text);
      assert.equal(new URL(`http://127.0.0.1/#${text}`).hash, `#${text}`, "browsers leave it as it is");
    }
  }
});

function assertValid(state: State, bounds: Limits): void {
  const isKey = (x: number) => Number.isInteger(x) && x >= 0 && x < bounds.keys;
  const isThread = (x: number) => Number.isInteger(x) && x >= 0 && x < bounds.threads;
  const isRange = (x: readonly [number, number]) => x[0] >= 0 && x[0] < x[1] && x[1] <= bounds.end;
  assert.ok(kViews.includes(state.view));
  assert.ok(state.event >= 0 && state.event < bounds.events);
  assert.ok(state.threads === null || (state.threads.length > 0 && state.threads.every(isThread)));
  assert.ok(state.range === null || isRange(state.range));
  assert.ok([state.selected, state.zoom, ...state.opened].every((path) => path.every(isKey)));
  assert.ok(state.opened.every((path) => path.length > 0));
  assert.ok(state.key === -1 || isKey(state.key));
  assert.ok(kSorts.includes(state.sort));
  if (state.compare?.kind === "range") assert.ok(isRange(state.compare.range));
  if (state.compare?.kind === "threads") assert.ok(state.compare.threads.length > 0 && state.compare.threads.every(isThread));
  if (state.compare?.kind === "files") assert.ok(bounds.isDifference && state.event < 2);
  new RegExp(state.search);
  for (const transform of state.transforms) {
    if ("key" in transform) assert.ok(isKey(transform.key));
    else if ("path" in transform) assert.ok(transform.path.length > 0 && transform.path.every(isKey));
    else if ("module" in transform) assert.ok(transform.module >= 0 && transform.module < bounds.modules);
    else assert.ok(transform.pattern !== "" && new RegExp(transform.pattern));
  }
}

test("garbage gives a valid state", () => {
  const cases = [
    "#", "##", "nothing", "flame/", "flame/t=", "flame/t=9999999999999999999", "flame/t=-", "flame/t=5-3", "flame/r=5", "flame/r=9-2", "flame/r=0-0",
    "flame/r=1-99999999999999999", "flame/x=", "flame/x=f", "flame/x=f5000", "flame/x=constructor1", "flame/x=q1,f1", "flame/x=F", "flame/x=F1..2",
    "flame/x=g%", "flame/x=g(", "flame/s=%E0%A4%A", "flame/s=(", "flame/s=%28", "flame/k=-1", "flame/k=1e3", "flame/e=9", "flame/p=1.2.", "flame/p=1*0",
    "flame/p=1*9999999", "flame/o=5~1", "flame/o=1,9~2", "flame/c=files", "flame/c=r", "flame/c=t", "flame/c=x", "flame/by=x", "flame/n=7", "__proto__/toString=1",
    "flame/x=f1,C99,m2", "\u0000\uffff/\ud800=\udc00", "flame/t=0-99", `flame/p=${"1.".repeat(20_000)}1`,
  ];
  for (const text of cases) assertValid(decodeState(text, defaults, limits), limits);
  assert.deepEqual(decodeState("flame/x=f1,C99,m2", defaults, limits).transforms, [{ op: "focus-function", key: 1 }, { op: "merge-function", key: 2 }]);
  assert.deepEqual(decodeState("flame/r=10-5000000", defaults, limits).range, [10, 1_000_000]);
  const letters = "flame/chart=trxcnsekpzoby,.-*~%fFSmMdcrRClLgG0123456789#(){}[]i";
  for (let seed = 0; seed < 20_000; ++seed) {
    const r = random(seed);
    // Half of it random text, half a valid fragment with some characters changed.
    let text = Array.from({ length: r(60) }, () => letters[r(letters.length)]).join("");
    if (seed % 2 === 0) {
      const valid = [...encodeState(randomState(r, limits), defaults)];
      for (let i = 0; i < 3; ++i) valid[r(valid.length)] = letters[r(letters.length)]!;
      text = valid.join("");
    }
    const state = decodeState(text, defaults, limits);
    assertValid(state, limits);
    assert.deepEqual(decodeState(encodeState(state, defaults), defaults, limits), state, text);
  }
});

test("halves of characters do not break the address", () => {
  const text = encodeState({ ...defaults, search: "a\ud800b" }, defaults);
  assert.equal(decodeState(text, defaults, limits).search, "a\ufffdb");
});

test("deep stacks fit into the address", () => {
  const path = Array.from({ length: 10_000 }, (_, i) => i % 5000);
  const state = { ...defaults, selected: path, zoom: path };
  const text = encodeState(state, defaults);
  assert.ok(text.length < 200_000);
  assert.deepEqual(decodeState(text, defaults, limits), state);
});

test("parts that are shown keep what a screen can show", () => {
  for (const length of [1, 0.3, 1e-3, 1.234e-6, 1e-9]) {
    for (const from of [0, 0.1234567890123, 1 - length]) {
      if (from + length > 1) continue;
      const text = encodeState({ ...defaults, span: [from, from + length] }, defaults);
      assert.match(text, /^flame\/v=[\d.]+-[\d.]+$/); // no exponents
      const { span } = decodeState(text, defaults, limits);
      assert.ok(span !== null, text);
      for (const [got, want] of [[span[0], from], [span[1], from + length]] as const) assert.ok(Math.abs(got - want) < length / 10_000, text);
    }
  }
  assert.equal(encodeState({ ...defaults, view: "chart", time: [100.25, 2500.5] }, defaults), "chart/w=100.25-2500.5");
  assert.equal(encodeState({ ...defaults, view: "chart", time: [0, 1_000_000] }, defaults), "chart/w=0-1000000");
  for (const text of ["v=", "v=1", "v=0.5-0.5", "v=0.7-0.2", "v=2-3", "v=-1-1", "v=1e-9-1", "v=0.5-0.50000000001", "v=NaN-1", "w=5-5", "w=2000000-3000000"]) {
    const { span, time } = decodeState(`flame/${text}`, defaults, limits);
    assert.deepEqual([span, time], [null, null], text);
  }
});

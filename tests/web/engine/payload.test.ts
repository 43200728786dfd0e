// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { kNone, type Query } from "../../../web/src/engine/api";
import { Engine } from "../../../web/src/engine/engine";
import { DamagedProfile, decodeProfile } from "../../../web/src/engine/payload";
import { encodePayload, plainMeta, stringColumns, type Columns } from "./encode";
import { makePayload, Random } from "./make_payload";
import { makeSmall } from "./reference";

// Asks for everything. What a damaged profile says may be wrong, but not contradict itself.
function useAll(bytes: ArrayBuffer): void {
  const engine = new Engine(bytes);
  const { meta } = engine.profile;
  engine.symbols();
  const event = 0;
  for (const inverted of [false, true]) {
    const query: Query = { selection: { event, threads: null, range: null }, base: inverted ? { event, threads: [0], range: [3, 20] } : null, normalize: inverted, transforms: [{ op: "collapse-recursion", key: 1 }], inverted };
    const { boxes, totals } = engine.flame({ query, viewport: { from: 0, to: 1, pixels: 1000 } });
    assert.ok(boxes.count >= 1 && boxes.key.length === boxes.count);
    const { rows } = engine.functionTable({ query, sort: "self", descending: true, pattern: "", limit: 0 });
    const { rows: tree } = engine.tree({ query, open: [], heaviest: true, limit: 0 });
    assert.ok(tree.length <= engine.profile.stacks * 20);
    const selves = rows.self.reduce((a, b) => a + b, 0);
    // Samples without functions belong to no row.
    const bare = query.base === null && engine.profile.exact && !engine.profile.sampleStack.some((s) => s < meta.groups.length);
    if (bare && rows.self.every((x) => x >= 0) && !negative(engine)) assert.equal(selves, totals.weight);
    engine.search({ query, pattern: "a" });
    engine.around({ query, key: 0, pixels: 500 });
    engine.lines({ query, key: 0 });
    engine.heatmap({ selection: query.selection, columns: 10, rows: 10 });
  }
  engine.threads({ event, range: null });
  engine.tracks({ event, threads: meta.threads.map((_, i) => i).slice(0, 10), range: [0, 100], bins: 10 });
  if (meta.threads.length > 0 && meta.events.length > 0) engine.chart({ event, thread: 0, transforms: [], range: [0, 100], pixels: 100 });
}
function negative(engine: Engine): boolean {
  const { constant, array } = engine.profile.sampleWeight;
  return constant !== null ? constant < 0 : array!.some((w: number) => w < 0);
}

// Fails with a message for people, or works.
function survives(bytes: Uint8Array, what: string): "refused" | "read" {
  try {
    useAll(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer);
    return "read";
  } catch (error) {
    assert.ok(error instanceof Error, what);
    assert.match(error.message, /^the profile (is damaged: |has version )/, `${what}: ${error.stack}`);
    return "refused";
  }
}

test("a truncated profile is refused", () => {
  const whole = new Uint8Array(makeSmall(4, { constant: false, samples: 30 }).bytes);
  assert.equal(survives(whole, "whole"), "read");
  for (let length = 0; length < whole.length; ++length) {
    // Behind the last column are only zeros, up to a multiple of eight.
    const result = survives(whole.slice(0, length), `first ${length} bytes`);
    if (length < whole.length - 8) assert.equal(result, "refused", `first ${length} of ${whole.length} bytes`);
  }
});

test("a profile with wrong bytes is refused or read", () => {
  let refused = 0, read = 0;
  const random = new Random(1);
  for (let seed = 1; seed <= 3; ++seed) {
    const whole = new Uint8Array(makeSmall(seed, { negative: seed % 2 === 0, samples: 30 }).bytes);
    for (let at = 0; at < whole.length; ++at) {
      for (const value of [whole[at]! ^ (1 << random.below(8)), [0, 255, 0x39, 0x2d][random.below(4)]!]) {
        const copy = whole.slice();
        copy[at] = value;
        if (survives(copy, `seed ${seed}, byte ${at} is ${value}`) === "refused") ++refused;
        else ++read;
      }
    }
  }
  assert.ok(refused > 1000 && read > 1000, `${refused} refused, ${read} read`);
});

test("a profile with many wrong bytes is refused or read", () => {
  const random = new Random(2);
  for (let i = 0; i < 2000; ++i) {
    const copy = new Uint8Array(makeSmall(1 + (i % 20), { samples: 20 }).bytes).slice();
    const size = new DataView(copy.buffer).getUint32(12, true);
    // Mostly in the columns, since a header with errors is not JSON.
    for (let n = 1 + random.below(8); n > 0; --n) copy[16 + size + random.below(copy.length - 16 - size)] = random.below(256);
    survives(copy, `run ${i}`);
  }
});

// A profile of one sample, with changes.
function tiny(columns: Columns = {}, meta: Record<string, unknown> = {}, without: string[] = []): ArrayBuffer {
  const all: Columns = {
    ...stringColumns(["f", "a.cc"]), function_name: Uint32Array.of(0), function_module: Uint32Array.of(kNone), function_kind: Uint8Array.of(0), function_shade: Uint8Array.of(0),
    frame_function: Uint32Array.of(0), frame_file: Uint32Array.of(1), frame_line: Uint32Array.of(3), frame_address: Float64Array.of(16), frame_inlined: Uint8Array.of(0),
    stack_frame: Uint32Array.of(kNone, 0), stack_caller: Uint32Array.of(kNone, 0), segment_event: Uint32Array.of(0), segment_thread: Uint32Array.of(0),
    segment_first: Uint32Array.of(0, 2), sample_stack: Uint32Array.of(1, 1), sample_time: Uint32Array.of(3, 5), sample_weight: Uint32Array.of(7, 8), sample_count: Uint8Array.of(1, 1), ...columns,
  };
  for (const name of without) delete all[name];
  const some = plainMeta({
    groups: ["p"], processes: [{ pid: 1, parentPid: 0, name: "p" }], threads: [{ process: 0, tid: 1, name: "t", start: 0, end: 9, side: 0 }],
    events: [{ name: "e", unit: "ns", divisor: 1, rateHz: 0, samples: 2, weight: 15 }],
  });
  return encodePayload({ ...some, ...meta }, all).buffer as ArrayBuffer;
}

test("what is wrong is told", () => {
  assert.equal(decodeProfile(tiny()).samples, 2);
  const place = { name: "f", module: "app", file: "f.cc", line: 7, share: 0.5 };
  const insight = { rule: "allocation", title: "allocating", share: 0.5, sure: "certain", where: [place], frames: [place], advice: "reuse" };
  assert.deepEqual(decodeProfile(tiny({}, { insights: [{ ...insight, weight: 3 }] })).meta.insights, [insight]);
  assert.deepEqual(decodeProfile(tiny({}, { insights: undefined })).meta.insights, []); // an older wick
  const cases: [ArrayBuffer, RegExp][] = [
    [new ArrayBuffer(3), /truncated/],
    [new TextEncoder().encode("NOT A WICK VIEW PROFILE").buffer as ArrayBuffer, /does not begin with WICKVIEW/],
    [tiny({}, {}, ["sample_time"]), /column sample_time is missing/],
    [tiny({}, { insights: {} }), /insights/],
    [tiny({}, { insights: [{ ...insight, rule: 1 }] }), /rule/],
    [tiny({}, { insights: [{ ...insight, share: "much" }] }), /share/],
    [tiny({}, { insights: [{ ...insight, where: [{ ...place, line: -1 }] }] }), /line/],
    [tiny({ sample_stack: Uint32Array.of(1, 2) }), /sample_stack has a value that is too large/],
    [tiny({ sample_stack: Uint32Array.of(1, kNone) }), /sample_stack has a value that is too large/],
    [tiny({ sample_time: Uint32Array.of(5, 3) }), /not sorted/],
    [tiny({ sample_time: Float64Array.of(1, NaN) }), /not sorted/],
    [tiny({ sample_time: { constant: -1, count: 2 } }), /negative/],
    [tiny({ sample_weight: Float64Array.of(1, NaN) }), /weight makes no sense/],
    [tiny({ sample_weight: Float64Array.of(1, 0.5) }), /weight makes no sense/],
    [tiny({ sample_weight: Float64Array.of(1, Infinity) }), /weight makes no sense/],
    [tiny({ sample_count: Float64Array.of(1, -1) }), /number of samples makes no sense/],
    [tiny({ sample_weight: Uint32Array.of(1) }), /sample_weight has 1 values instead of 2/],
    [tiny({ stack_caller: Uint32Array.of(kNone, 1) }), /no caller/],
    [tiny({ stack_caller: Uint32Array.of(kNone, kNone) }), /no caller/],
    [tiny({ stack_caller: Uint32Array.of(0, 0) }), /group/],
    [tiny({ stack_frame: Uint32Array.of(kNone, 1) }), /stack_frame has a value/],
    [tiny({ stack_frame: Uint32Array.of(kNone, kNone) }), /no caller or no frame/],
    [tiny({ segment_first: Uint32Array.of(0, 1) }), /no segment/],
    [tiny({ segment_first: Uint32Array.of(1, 2) }), /no segment/],
    [tiny({ segment_thread: Uint32Array.of(1) }), /segment_thread/],
    [tiny({ segment_event: Uint32Array.of(1) }), /segment_event/],
    [tiny({ frame_function: Uint32Array.of(1) }), /frame_function/],
    [tiny({ frame_file: Uint32Array.of(2) }), /frame_file/],
    [tiny({ frame_address: Float64Array.of(NaN) }), /frame_address/],
    [tiny({ function_name: Uint32Array.of(2) }), /function_name/],
    [tiny({ function_module: Uint32Array.of(0) }), /function_module/],
    [tiny({ function_kind: Uint8Array.of(1) }), /function_kind/],
    [tiny({ string_offset: Uint32Array.of(0, 9, 5) }), /strings overlap/],
    [tiny({ string_offset: Uint32Array.of(0, 1, 99) }), /strings are truncated/],
    [tiny({ sample_stack: { constant: 1, count: 2 ** 40 } }), /no segment/],
    [tiny({ sample_stack: { constant: 1, count: 2 ** 31 }, segment_first: Uint32Array.of(0, 2 ** 31) }), /sample_stack is too long/],
    [tiny({ sample_stack: { constant: 1.5, count: 2 } }), /wrong value/],
    [tiny({}, { events: [] }), /segment_event/],
    [tiny({}, { threads: [{ process: 3, tid: 1, name: "", start: 0, end: 0, side: 0 }] }), /no process/],
    [tiny({}, { timeUnitNs: 0 }), /times make no sense/],
    [tiny({}, { title: 5 }), /title is not a text/],
    [tiny({}, { defaultEvent: 4 }), /default event/],
    [tiny({}, { palette: { light: [["red; background: url(x)"]], dark: [["#000000"]] } }), /#rrggbb/],
    [tiny({}, { groups: [] }), /group|no caller/],
  ];
  for (const [bytes, message] of cases) {
    assert.throws(() => new Engine(bytes), DamagedProfile, String(message));
    assert.throws(() => new Engine(bytes), message);
  }
  const version = encodePayload(plainMeta(), {}, 2).buffer as ArrayBuffer;
  assert.throws(() => new Engine(version), /version 2 .* reads version 1/);
  const misaligned = new Uint8Array(tiny());
  new DataView(misaligned.buffer).setUint32(12, new DataView(misaligned.buffer).getUint32(12, true) - 4, true);
  assert.throws(() => new Engine(misaligned.buffer), /not aligned/);
});

test("columns of any type are read", () => {
  const bytes = tiny({
    sample_stack: Uint8Array.of(1, 1), sample_time: Float64Array.of(3, 2 ** 40), sample_weight: Float64Array.of(-7, 2 ** 50), sample_count: { constant: 2, count: 2 },
    frame_line: Uint8Array.of(3), frame_file: { constant: kNone, count: 1 }, function_kind: { constant: 0, count: 1 }, frame_address: { constant: 0, count: 1 }, later: Uint8Array.of(1),
  });
  const engine = new Engine(bytes);
  const query: Query = { selection: { event: 0, threads: null, range: null }, base: null, normalize: false, transforms: [], inverted: false };
  assert.deepEqual(engine.flame({ query, viewport: { from: 0, to: 1, pixels: 10 } }).totals, { weight: 2 ** 50 - 7, samples: 4, baseWeight: 0, baseSamples: 0 });
  assert.equal(engine.flame({ query: { ...query, selection: { ...query.selection, range: [4, 2 ** 41] } }, viewport: { from: 0, to: 1, pixels: 10 } }).totals.weight, 2 ** 50);
});

test("costs above 2^53 do not leave remains", () => {
  const engine = new Engine(tiny({ sample_weight: Float64Array.of(2 ** 60, 3) }));
  const query = (range: [number, number] | null): Query => ({ selection: { event: 0, threads: null, range }, base: null, normalize: false, transforms: [], inverted: false });
  const weight = (range: [number, number] | null) => engine.flame({ query: query(range), viewport: { from: 0, to: 1, pixels: 10 } }).totals.weight;
  assert.equal(weight(null), 2 ** 60);
  assert.equal(weight([4, 9]), 3);
  assert.equal(weight([0, 4]), 2 ** 60);
});

test("a profile without samples", () => {
  const empty = { count: 0, constant: 0 };
  const columns: Columns = { ...stringColumns([]) };
  for (const name of ["function_name", "function_module", "function_kind", "function_shade", "frame_function", "frame_file", "frame_line", "frame_address", "frame_inlined", "stack_frame", "stack_caller", "segment_event", "segment_thread", "sample_stack", "sample_time", "sample_weight", "sample_count"]) columns[name] = empty;
  columns.segment_first = Uint32Array.of(0);
  useAll(encodePayload(plainMeta(), columns).buffer as ArrayBuffer);
});

test("hostile names are only bytes", () => {
  const bytes = makePayload({ hostile: true, samples: 2000, stacks: 1500, events: 2 });
  const engine = new Engine(bytes.buffer as ArrayBuffer);
  useAll(bytes.buffer as ArrayBuffer);
  const query: Query = { selection: { event: 0, threads: null, range: null }, base: null, normalize: false, transforms: [], inverted: false };
  assert.ok(engine.search({ query, pattern: "x{1000}" }).result.keys.some((k) => k === 1));
  const { bytes: text, offsets, name } = engine.symbols();
  const names = Array.from(name, (s) => new TextDecoder().decode(text.subarray(offsets[s]!, offsets[s + 1]!)));
  assert.ok(names.includes("<script>alert(1)</script>") && names.some((n) => n.length === 1 << 20));
});

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { kNone, type ChartBoxes, type Selection, type Transform } from "../../../web/src/engine/api";
import { Checkpoints, Packed } from "../../../web/src/engine/checkpoints";
import { Engine } from "../../../web/src/engine/engine";
import { decodeProfile } from "../../../web/src/engine/payload";
import { PrefixSums } from "../../../web/src/engine/prefix_sums";
import { sliceSegments, StackSums } from "../../../web/src/engine/selection";
import { encodePayload, plainMeta, stringColumns, type Columns } from "./encode";
import { Random } from "./make_payload";
import { makeSmall, randomSelection, randomTransform, Reference, selectSamples } from "./reference";

test("sums by stack follow any sequence of selections", () => {
  let helped = 0; // how often checkpoints were nearer than all else
  for (let seed = 1; seed <= 60; ++seed) {
    const random = new Random(seed);
    const small = makeSmall(seed, { negative: seed % 4 === 0, samples: 150 });
    const profile = decodeProfile(small.bytes);
    const sums = new StackSums(profile);
    // Computed while selections change, for one event of several.
    const checkpoints = new Checkpoints(profile, 0, { bytes: 1 << 20, checkpoints: 6, between: 8, step: 7 });
    let last = "", version = 0, selection = randomSelection(random, small);
    for (let i = 0; i < 40; ++i) {
      // Often a brush that moves a little, which is not summed from scratch.
      if (random.next() < 0.7 && selection.range !== null) {
        selection = { ...selection, range: [selection.range[0] + random.below(5) - 2, selection.range[1] + random.below(5) - 2] };
      } else {
        selection = randomSelection(random, small);
      }
      if (seed % 3 !== 0) checkpoints.step();
      const known = checkpoints.nearest(sliceSegments(profile, selection));
      if (known !== null) {
        const [w, c] = [new Float64Array(profile.stacks), new Float64Array(profile.stacks)];
        known.write(w, c);
        const { begin, end } = known.slices;
        begin.forEach((first, s) => {
          for (let i = first; i < end[s]!; ++i) {
            w[profile.sampleStack[i]!] -= small.samples[i]!.weight;
            c[profile.sampleStack[i]!] -= small.samples[i]!.count;
          }
        });
        assert.ok(w.every((x) => x === 0) && c.every((x) => x === 0), `seed ${seed}: a checkpoint is wrong`);
        ++helped;
      }
      sums.select(selection, checkpoints);
      const weight = new Float64Array(profile.stacks), count = new Float64Array(profile.stacks);
      const wanted = new Set(selectSamples(small, selection));
      small.samples.forEach((s, row) => {
        if (!wanted.has(s)) return;
        weight[profile.sampleStack[row]!] += s.weight;
        count[profile.sampleStack[row]!] += s.count;
      });
      assert.deepEqual([...sums.weight], [...weight], `seed ${seed}, ${JSON.stringify(selection)}`);
      assert.deepEqual([...sums.count], [...count]);
      const now = JSON.stringify([...weight, ...count]);
      if (now !== last) assert.notEqual(sums.version, version);
      last = now;
      version = sums.version;
    }
  }
  assert.ok(helped > 300, `${helped}`);
});

test("sums of slices", () => {
  const random = new Random(5);
  const array = Uint32Array.from({ length: 5000 }, () => random.below(1000));
  for (const exact of [true, false]) {
    const sums = new PrefixSums({ constant: null, array }, exact);
    for (let i = 0; i < 300; ++i) {
      const begin = random.below(5001), end = begin + random.below(5001 - begin);
      assert.equal(sums.sum(begin, end), array.subarray(begin, end).reduce((sum, x) => sum + x, 0));
    }
    assert.equal(sums.sum(1024, 4096), array.subarray(1024, 4096).reduce((sum, x) => sum + x, 0));
  }
  assert.equal(new PrefixSums({ constant: 3, array: null }, true).sum(10, 5000), 3 * 4990);
});

// Bins whose length is no power of two: a sample is in the bin that the division says, also where the one before is in the same bin.
test("bins have the samples that division says", () => {
  const random = new Random(3);
  for (let i = 0; i < 200; ++i) {
    const count = 2000, times = Array.from({ length: count }, () => random.below(10 ** (1 + random.below(9)))).sort((a, b) => a - b);
    const meta = plainMeta({ durationNs: 1e12, groups: ["p"], processes: [{ pid: 1, parentPid: 0, name: "p" }], threads: [{ process: 0, tid: 1, name: "t", start: 0, end: 1, side: 0 }], events: [{ name: "e", unit: "ns", divisor: 1, rateHz: 0, samples: 0, weight: 0 }] });
    const none = { constant: 0, count: 0 };
    const columns: Columns = {
      ...stringColumns([""]), function_name: none, function_module: none, function_kind: none, function_shade: none, frame_function: none, frame_file: none, frame_line: none,
      frame_address: none, frame_inlined: none, stack_frame: Uint32Array.of(kNone), stack_caller: Uint32Array.of(kNone), segment_event: Uint32Array.of(0), segment_thread: Uint32Array.of(0),
      segment_first: Uint32Array.of(0, count), sample_stack: { constant: 0, count }, sample_time: Uint32Array.from(times), sample_weight: { constant: 1, count }, sample_count: { constant: 1, count },
    };
    const engine = new Engine(encodePayload(meta, columns).buffer as ArrayBuffer);
    const from = random.next() < 0.5 ? 0 : random.next() * 10 ** random.below(9), to = from + random.next() * 10 ** (1 + random.below(9)), bins = 1 + random.below(3000);
    const want = new Float32Array(bins);
    for (const time of times) if (time >= from && time < to) ++want[Math.min(bins - 1, Math.floor((time - from) / ((to - from) / bins)))];
    assert.deepEqual(engine.tracks({ event: 0, threads: [0], range: [from, to], bins }).cost, want, `from ${from} to ${to}, ${bins} bins`);
  }
});

test("tracks, threads and the heat map", () => {
  for (let seed = 1; seed <= 120; ++seed) {
    const random = new Random(seed);
    const small = makeSmall(seed, { negative: false, samples: 100 });
    const engine = new Engine(small.bytes);
    const event = random.below(small.meta.events.length);
    const threads = small.meta.threads.map((_, i) => i).filter(() => random.next() < 0.8).reverse();
    const begin = random.below(20), range: [number, number] = [begin, begin + 1 + random.below(60)], bins = 1 + random.below(12);
    const tracks = engine.tracks({ event, threads, range, bins });
    const want = new Float64Array(threads.length * bins);
    for (const s of small.samples) {
      const row = threads.indexOf(s.thread);
      if (s.event !== event || row < 0 || s.time < range[0] || s.time >= range[1]) continue;
      want[row * bins + Math.min(bins - 1, Math.floor((s.time - range[0]) / ((range[1] - range[0]) / bins)))] += s.weight;
    }
    assert.deepEqual([...tracks.cost], [...want], `seed ${seed}`);
    const kinds = small.meta.kinds.length, ofKinds = new Float64Array(threads.length * kinds * bins);
    for (const s of small.samples) {
      const row = threads.indexOf(s.thread), leaf = s.frames[s.frames.length - 1];
      if (s.event !== event || row < 0 || s.time < range[0] || s.time >= range[1]) continue;
      const kind = leaf === undefined ? Math.max(0, small.meta.kinds.indexOf("unknown")) : engine.symbols().kind[leaf.function]!;
      ofKinds[(row * kinds + kind) * bins + Math.min(bins - 1, Math.floor((s.time - range[0]) / ((range[1] - range[0]) / bins)))] += s.weight;
    }
    ofKinds.forEach((cost, i) => assert.ok(Math.abs(tracks.costOfKinds[i]! - cost) < 1e-3, `seed ${seed}, ${i}`));
    assert.equal(tracks.max, Math.max(0, ...want));
    assert.deepEqual([[...tracks.threads], tracks.bins], [threads, bins]);

    for (const part of [range, null]) {
      const costs = engine.threads({ event, range: part });
      const of = (thread: number) => selectSamples(small, { event, threads: [thread], range: part });
      small.meta.threads.forEach((_, t) => {
        assert.equal(costs.weight[t], of(t).reduce((sum, s) => sum + s.weight, 0));
        assert.equal(costs.samples[t], of(t).reduce((sum, s) => sum + s.count, 0));
      });
      const most = Math.max(...costs.weight);
      assert.equal(costs.busiest, most > 0 ? costs.weight.indexOf(most) : -1);
    }

    const selection: Selection = randomSelection(random, small);
    const heat = engine.heatmap({ selection, columns: 7, rows: 5 });
    assert.ok(heat.columns <= 7 && heat.rows === 5 && heat.cost.length === heat.columns * 5);
    const cells = new Float64Array(heat.cost.length);
    for (const s of selectSamples(small, selection)) cells[Math.min(cells.length - 1, Math.floor(s.time / (heat.columnTime / 5)))] += s.weight;
    assert.deepEqual([...heat.cost], [...cells]);
    assert.equal(heat.max, Math.max(0, ...cells));
    assert.ok(heat.columns * heat.columnTime >= small.meta.durationNs / small.meta.timeUnitNs);
  }
});

test("kinds of tracks with many samples are close to what they are, though kinds come in turns", () => {
  for (const turn of [2, 3, 5, 8, 64]) {
    const samples = Array.from({ length: 64_000 }, (_, i): [number, number, ...number[]] => [i >> 6, 1000, i % turn === 0 ? 1 : 0]);
    const engine = new Engine(oneThread(samples, 0, "ns", [0, 1, 0, 0]));
    const { costOfKinds, kindBins, bins, cost } = engine.tracks({ event: 0, threads: [0], range: [0, 1000], bins: 500 });
    assert.deepEqual([kindBins, bins, costOfKinds.length], [100, 500, 200]);
    const sum = (from: number, to: number) => costOfKinds.subarray(from, to).reduce((a, b) => a + b, 0);
    const all = cost.reduce((a, b) => a + b, 0);
    assert.ok(Math.abs(sum(0, 200) - all) < 1, "all samples are of a kind");
    assert.ok(Math.abs(sum(100, 200) / all - 1 / turn) < 0.02, `one of ${turn}: ${sum(100, 200) / all}`);
  }
});

// One thread with the given samples: [time, weight, keys...].
function oneThread(samples: [number, number, ...number[]][], rateHz = 0, unit = "ns", kinds = [0, 0, 0, 0]): ArrayBuffer {
  const frames = 4, stackFrame = [kNone], stackCaller = [kNone];
  const rows = new Map<string, number>();
  const stacks = samples.map(([, , ...keys]) => keys.reduce((row, key) => {
    const name = `${row} ${key}`;
    if (!rows.has(name)) {
      rows.set(name, stackFrame.push(key) - 1);
      stackCaller.push(row);
    }
    return rows.get(name)!;
  }, 0));
  const columns: Columns = {
    ...stringColumns(["a", "b", "c", "d"]), function_name: Uint32Array.of(0, 1, 2, 3), function_module: { constant: kNone, count: 4 }, function_kind: Uint8Array.from(kinds),
    function_shade: { constant: 0, count: 4 }, frame_function: Uint32Array.of(0, 1, 2, 3), frame_file: { constant: kNone, count: frames }, frame_line: { constant: 0, count: frames },
    frame_address: { constant: 0, count: frames }, frame_inlined: { constant: 0, count: frames }, stack_frame: Uint32Array.from(stackFrame), stack_caller: Uint32Array.from(stackCaller),
    segment_event: Uint32Array.of(0), segment_thread: Uint32Array.of(0), segment_first: Uint32Array.of(0, samples.length), sample_stack: Uint32Array.from(stacks),
    sample_time: Uint32Array.from(samples, (s) => s[0]), sample_weight: Uint32Array.from(samples, (s) => s[1]), sample_count: { constant: 1, count: samples.length },
  };
  const meta = plainMeta({
    kinds: ["program", "kernel"], palette: { light: [["#cccccc"], ["#dddddd"]], dark: [["#333333"], ["#444444"]] }, durationNs: 1_000_000, groups: ["p"], processes: [{ pid: 1, parentPid: 0, name: "p" }], threads: [{ process: 0, tid: 1, name: "t", start: 0, end: 1000, side: 0 }],
    events: [{ name: "e", unit, divisor: 1, rateHz, samples: samples.length, weight: 0 }],
  });
  return encodePayload(meta, columns).buffer as ArrayBuffer;
}

function chartOf(engine: Engine, range: [number, number], pixels: number, transforms: Transform[] = []): { boxes: string[]; levels: number; merged: boolean } {
  const chart = engine.chart({ event: 0, thread: 0, transforms, range, pixels });
  const boxes = Array.from({ length: chart.count }, (_, i) => `${chart.depth[i]}:${chart.key[i]} ${chart.begin[i]}-${chart.end[i]}`);
  return { boxes, levels: chart.levels, merged: chart.merged };
}

test("a stack chart joins neighbors and keeps gaps", () => {
  // Each sample stands for the 10 units before it.
  const bytes = oneThread([[10, 10_000, 0, 1], [20, 10_000, 0, 2], [30, 10_000, 0, 2], [100, 10_000, 0, 2], [110, 10_000, 3]]);
  const engine = new Engine(bytes);
  assert.deepEqual(chartOf(engine, [0, 1000], 100), {
    boxes: ["0:0 0-30", "1:1 0-10", "1:2 10-30", "0:0 90-100", "1:2 90-100", "0:3 100-110"], levels: 2, merged: false,
  });
  // Only what is within the range; the sample after it reaches into it.
  assert.deepEqual(chartOf(engine, [12, 95], 100).boxes, ["0:0 10-30", "1:2 10-30", "0:0 90-100", "1:2 90-100"]);
  assert.deepEqual(chartOf(engine, [40, 80], 100).boxes, []);
  assert.deepEqual(chartOf(engine, [80, 40], 100).boxes, []);
  assert.equal(engine.chart({ event: 0, thread: 5, transforms: [], range: [0, 100], pixels: 10 }).count, 0);
});

test("a stack chart closes gaps of a few pixels, and says how much of a box has samples", () => {
  // main calls a, a, b with gaps of 5 units, then a again after 50; others run in between.
  const engine = new Engine(oneThread([[10, 10_000, 0, 1], [25, 10_000, 0, 1], [40, 10_000, 0, 2], [100, 10_000, 0, 1], [103, 1000, 3], [106, 1000, 0, 1]]));
  const chart = (pixels: number) => {
    const answer = engine.chart({ event: 0, thread: 0, transforms: [], range: [0, 1000], pixels });
    return { hasClosed: answer.hasClosed, boxes: Array.from({ length: answer.count }, (_, i) => `${answer.depth[i]}:${answer.key[i]} ${answer.begin[i]}-${answer.end[i]} ${answer.sampled![i]}`) };
  };
  assert.deepEqual(chart(1000), {
    hasClosed: true,
    boxes: ["0:0 0-40 30", "1:1 0-25 20", "1:2 30-40 10", "0:0 90-100 10", "1:1 90-100 10", "0:3 102-103 1", "0:0 105-106 1", "1:1 105-106 1"],
  });
  // Closer, they are gaps.
  const close = chart(4000);
  assert.equal(close.hasClosed, false);
  assert.deepEqual(close.boxes.slice(0, 4), ["0:0 0-10 10", "1:1 0-10 10", "0:0 15-25 10", "1:1 15-25 10"]);
  // Not wide gaps, even where a pixel is long.
  assert.equal(chart(20).boxes.filter((box) => box.startsWith("0:0")).length, 3);
});

test("a stack chart of other events takes the rate, or the sample before", () => {
  const samples: [number, number, ...number[]][] = [[10, 5, 0], [20, 5, 1], [90, 5, 1]];
  assert.deepEqual(chartOf(new Engine(oneThread(samples, 100_000, "events")), [0, 1000], 100).boxes, ["0:0 0-10", "0:1 10-20", "0:1 80-90"]);
  assert.deepEqual(chartOf(new Engine(oneThread(samples, 0, "events")), [0, 1000], 100).boxes, ["0:0 9-10", "0:1 10-90"]);
});

test("a stack chart with more samples than pixels shows the heaviest stack of each", () => {
  const samples: [number, number, ...number[]][] = [];
  for (let i = 0; i < 100; ++i) samples.push([i, 1000 + (i % 10 === 3 && i < 50 ? 50_000 : i % 10 === 4 && i >= 50 ? 50_000 : 0), 0, i % 10 === 3 ? 1 : i % 10 === 4 ? 2 : 3]);
  const chart = chartOf(new Engine(oneThread(samples)), [0, 100], 10);
  assert.equal(chart.merged, true);
  assert.deepEqual(chart.boxes, ["0:0 0-100", "1:1 0-50", "1:2 50-100"]);
});

test("pixels of a stack chart touch, whatever rounding does", () => {
  // One stack in all samples is one box, though pixels are no whole number of time units.
  for (const [to, pixels] of [[1000, 33], [777, 13], [1e6 / 7, 1000], [99_999.9, 701]] as const) {
    for (const from of [0, 0.1, 12.7]) {
      const samples = Array.from({ length: 3 * pixels }, (_, i): [number, number, ...number[]] => [Math.ceil(from + ((i + 1) * (to - from)) / (3 * pixels)), 1000, 0, 1]);
      const { boxes, merged } = chartOf(new Engine(oneThread(samples)), [from, to], pixels);
      assert.deepEqual([boxes.length, merged], [2, true], `${from} to ${to}, ${pixels} pixels: ${boxes.slice(0, 6).join(", ")}`);
    }
  }
});

test("a sample at the very end of a stack chart is in its last pixel", () => {
  // Rounding puts a time before the end of the range behind its last pixel.
  const to = 1000.0000000000001, pixels = 17, last = 1000;
  assert.ok(last < to && Math.floor(last / (to / pixels)) === pixels);
  const samples = Array.from({ length: 120 }, (_, i): [number, number, ...number[]] => (i < 119 ? [i, 1000, 0] : [last, 1000, 1]));
  assert.deepEqual(chartOf(new Engine(oneThread(samples)), [0, to], pixels).boxes.map((box) => box.split(" ")[0]), ["0:0", "0:1"]);
});

test("a sample that stands for a bit less time than the one before is ago leaves no gap", () => {
  // 9.97 and 10.02 units; times are rounded down.
  const bytes = oneThread([[10, 10_000, 0], [20, 9_970, 0], [30, 10_020, 0], [40, 8_970, 0]]);
  assert.deepEqual(chartOf(new Engine(bytes), [0, 100], 100).boxes, ["0:0 0-30", "0:0 31.03-40"]);
});

test("a stack chart shows rare samples as long as they are, between many others", () => {
  const samples: [number, number, ...number[]][] = [];
  for (let i = 0; i < 100; ++i) samples.push([100 + i, 1000, 0]);
  samples.push([500, 200_000, 1], [1100, 150_000, 2]);
  // The last one is after the range and reaches into it.
  assert.deepEqual(chartOf(new Engine(oneThread(samples)), [0, 1000], 20), { boxes: ["0:0 99-200", "0:1 300-550", "0:2 950-1100"], levels: 1, merged: true });
});

// The keys that a chart shows from `begin` to `end`, outermost first.
function stackAt(chart: ChartBoxes, begin: number, end: number): number[] {
  const keys: number[] = [];
  for (let i = 0; i < chart.count; ++i) {
    if (chart.begin[i]! >= end || chart.end[i]! <= begin || chart.begin[i]! === chart.end[i]!) continue;
    assert.ok(chart.begin[i]! <= begin && chart.end[i]! >= end, "a box ends within a sample");
    assert.equal(keys[chart.depth[i]!], undefined, "boxes overlap");
    keys[chart.depth[i]!] = chart.key[i]!;
  }
  return keys;
}

test("a stack chart shows transformed stacks", () => {
  const effective = new Map<string, number>();
  for (let seed = 1; seed <= 400; ++seed) {
    const random = new Random(seed);
    const small = makeSmall(seed, { negative: false, samples: 120 });
    const reference = new Reference(small);
    const engine = new Engine(small.bytes);
    const thread = random.below(small.meta.threads.length);
    const selection: Selection = { event: 0, threads: [thread], range: null };
    const transforms: Transform[] = [];
    for (let i = random.below(4); i > 0; --i) transforms.push(randomTransform(random, reference, reference.transformed(selection, transforms)));
    for (const t of transforms) effective.set(t.op, (effective.get(t.op) ?? 0) + 1);
    const what = `seed ${seed}, ${JSON.stringify(transforms)}`;
    const shownKeys = (range: [number, number]): number[][] => reference.transformed({ ...selection, range }, transforms).map((s) => s.keys.filter((key) => !reference.isGroup(key)));
    const times = [...new Set(selectSamples(small, selection).map((s) => s.time))];

    // Samples stand for one unit each: costs are a few nanoseconds. At the same moment, the first one counts.
    const chart = engine.chart({ event: 0, thread, transforms, range: [-10, 1000], pixels: 16_000 }); // so fine that no gap is closed
    assert.equal(chart.merged, false);
    for (let t = 0; t <= 200; ++t) {
      const here = selectSamples(small, { ...selection, range: [t, t + 1] });
      const one = shownKeys([t, t + 1]);
      if (here.length > 1 && one.length !== here.length) continue; // dropped in part: which one is first?
      assert.deepEqual(stackAt(chart, t - 1, t), times.includes(t) ? one[0] ?? [] : [], `${what} at ${t}`);
    }

    // The heaviest stack of each pixel; the first of equals.
    const end = Math.max(0, ...times) + 1, pixels = 3;
    const merged = engine.chart({ event: 0, thread, transforms, range: [0, end], pixels });
    if (!merged.merged) continue;
    for (let pixel = 0; pixel < pixels; ++pixel) {
      const sums = new Map<string, number>();
      for (const s of reference.transformed({ ...selection, range: [(pixel * end) / pixels, ((pixel + 1) * end) / pixels] }, transforms)) {
        sums.set(s.keys.join(" "), (sums.get(s.keys.join(" ")) ?? 0) + s.weight);
      }
      const most = Math.max(...sums.values());
      const best = [...sums].find(([, sum]) => sum === most)?.[0] ?? "";
      const keys = best === "" ? [] : best.split(" ").map(Number).filter((key) => !reference.isGroup(key));
      // At its edges there are the first sample of the next one and rounding.
      assert.deepEqual(stackAt(merged, ((pixel + 0.2) * end) / pixels, ((pixel + 0.8) * end) / pixels), keys, `${what}, pixel ${pixel}`);
    }
    effective.set("merged", (effective.get("merged") ?? 0) + 1);
  }
  assert.equal(effective.size, 15);
  for (const [op, count] of effective) assert.ok(count > 15, `${op}: ${count}`);
});

test("neighbors of a stack chart join when a transform makes them equal", () => {
  const engine = new Engine(oneThread([[10, 10_000, 0, 1], [20, 10_000, 0, 2, 1], [30, 10_000, 0, 1], [40, 10_000, 3]]));
  const chart = (...transforms: Transform[]) => chartOf(engine, [0, 100], 100, transforms).boxes;
  assert.deepEqual(chart({ op: "merge-function", key: 2 }), ["0:0 0-30", "1:1 0-30", "0:3 30-40"]);
  assert.deepEqual(chart({ op: "drop-function", key: 2 }), ["0:0 0-10", "1:1 0-10", "0:0 20-30", "1:1 20-30", "0:3 30-40"]);
  assert.deepEqual(chart({ op: "focus-function", key: 2 }), ["0:2 10-20", "1:1 10-20"]);
  assert.deepEqual(chart({ op: "collapse-subtree", key: 0 }), ["0:0 0-30", "0:3 30-40"]);
  assert.deepEqual(chart(), ["0:0 0-30", "1:1 0-10", "1:2 10-20", "2:1 10-20", "1:1 20-30", "0:3 30-40"]);
});

test("sums at checkpoints keep every bit", () => {
  const values = Float64Array.of(0, 1, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER, -1, -(2 ** 32) - 5, -Number.MAX_SAFE_INTEGER);
  const packed = new Packed(values), out = new Float64Array(values.length).fill(7);
  packed.write(out);
  assert.deepEqual(out, values);
  packed.subtractFrom(out);
  assert.deepEqual(out, new Float64Array(values.length));
});

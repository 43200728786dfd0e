// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, type Port } from "../../../web/src/app/client";
import { rangeBefore, swapped } from "../../../web/src/app/compare_panel";
import { sentence, taskCounts, threadsInWords, wayInWords } from "../../../web/src/app/describe";
import { collect, decodeBase64 } from "../../../web/src/app/load";
import { fileName } from "../../../web/src/app/save";
import { changed, defaultState, firstThreads, pathAfter, queryOf } from "../../../web/src/app/state";
import { placeTooltip } from "../../../web/src/app/tooltip";
import type { State } from "../../../web/src/app/view";
import type { Meta, RequestMessage } from "../../../web/src/engine/api";

const meta = {
  durationNs: 10e9, timeUnitNs: 1000, hasTimes: true, hasCounts: true, isDifference: false, sides: [], defaultEvent: 0,
  events: [{ name: "cpu-clock", unit: "ns", divisor: 1, rateHz: 1000, samples: 3716, weight: 3.726e9 }],
  processes: [{ pid: 1, parentPid: 0, name: "app" }, { pid: 2, parentPid: 1, name: "other" }],
  threads: [
    { process: 0, tid: 4711, name: "worker", start: 0, end: 1, side: 0 },
    { process: 0, tid: 4712, name: "io", start: 0, end: 1, side: 0 },
    { process: 1, tid: 2, name: "worker\u202e", start: 0, end: 1, side: 1 },
  ],
} as unknown as Meta;

test("processes and threads are counted once, whatever they run", () => {
  const counted = (pids: number[], tids: [number, number, number][]) =>
    taskCounts({
      ...meta, processes: pids.map((pid) => ({ pid, parentPid: 0, name: "app" })),
      threads: tids.map(([process, tid, side]) => ({ process, tid, name: "app", start: 0, end: 1, side })),
    });
  assert.deepEqual(counted([7, 7, 8], [[0, 7, 0], [1, 7, 0], [2, 8, 0], [2, 9, 0]]), { processes: 2, threads: 3 });
  assert.deepEqual(counted([0, 0], [[0, 0, 0], [1, 0, 0]]), { processes: 2, threads: 2 });
  assert.deepEqual(counted([7, 7], [[0, 7, 0], [1, 7, 1]]), { processes: 2, threads: 2 });
});

test("stacks in the words of the summary", () => {
  for (const way of ["copied", "stopped", "crossed", "guessed", "frame_pointers", "none", "cut"]) assert.match(wayInWords(way), / |truncated/);
  assert.equal(wayInWords("new\u202e"), "new\\u202e");
});

test("the line that says what is shown", () => {
  const state = { ...defaultState(meta), threads: [0] };
  const shown = { weight: 2.31e9, samples: 2304, baseWeight: 0, all: 3.726e9 };
  assert.equal(sentence(meta, state, shown), "Flame graph of thread worker (4711): 2.31 s of CPU time in 2,304 samples, 62.0% of the recording");
  assert.equal(
    sentence(meta, { ...state, view: "tree", inverted: true, threads: null, range: [1_000_000, 2_500_000] }, shown),
    "Inverted call tree of all 3 threads in 1.00–2.50 s: 2.31 s of CPU time in 2,304 samples, 62.0% of the recording",
  );
  assert.equal(sentence(meta, state, { ...shown, weight: 0, samples: 0 }), "Flame graph of thread worker (4711): no samples");
  assert.equal(
    sentence(meta, { ...state, normalize: false, compare: { kind: "threads", threads: [1] } }, { ...shown, baseWeight: 1.155e9 }),
    "Flame graph of thread worker (4711): 2.31 s of CPU time in 2,304 samples, +100.0% against thread io (4712)",
  );
  assert.match(sentence(meta, { ...state, compare: { kind: "threads", threads: [1] } }, shown), /compared with thread io \(4712\) \(normalized\)$/);
  assert.equal(sentence(meta, { ...state, view: "quality" }, shown), "Recording of all 3 threads: 3.73 s of CPU time in 3,716 samples");
  assert.equal(threadsInWords(meta, [0, 1]), "process app (1)");
  assert.equal(threadsInWords(meta, [1, 2]), "2 threads");
  assert.ok(!threadsInWords(meta, [2]).includes("\u202e"));
});

test("queries of comparisons", () => {
  const state = defaultState(meta);
  assert.equal(queryOf(state, meta).base, null);
  assert.deepEqual(queryOf({ ...state, range: [5, 9], compare: { kind: "range", range: [1, 5] } }, meta).base, { event: 0, threads: null, range: [1, 5] });
  assert.deepEqual(queryOf({ ...state, range: [5, 9], threads: [0], compare: { kind: "threads", threads: [1] } }, meta).base, { event: 0, threads: [1], range: [5, 9] });

  const named = (side: number, name: string) => ({ process: 0, tid: 1, name, start: 0, end: 1, side });
  const difference = { ...meta, isDifference: true, threads: [named(0, "a"), named(0, "b"), named(1, "a"), named(1, "b")] } as Meta;
  const both = defaultState(difference);
  assert.deepEqual(both.compare, { kind: "files" });
  assert.deepEqual(queryOf(both, difference).selection, { event: 1, threads: null, range: null });
  assert.deepEqual(queryOf(both, difference).base, { event: 0, threads: null, range: null });
  const one = queryOf({ ...both, threads: [3] }, difference);
  assert.deepEqual([one.selection.threads, one.base?.threads], [[3], [1]], "the thread of the same name");
  // Programs with different names: each thread has its own, and a common one.
  const renamed = { ...difference, threads: [{ ...named(0, "app-old"), commonName: "app-new" }, named(1, "app-new")] } as Meta;
  assert.deepEqual(queryOf({ ...both, threads: [1] }, renamed).base?.threads, [0]);
  assert.deepEqual(queryOf({ ...both, threads: [0] }, renamed).selection.threads, [1]);
  assert.deepEqual([threadsInWords(renamed, [0]), threadsInWords(renamed, [1])], ["thread app-old (1)", "thread app-new (1)"]);
  assert.equal(threadsInWords(renamed, null), "the recording");
  assert.equal(threadsInWords(difference, null), "all threads");
  const swap = queryOf({ ...both, ...swapped(both, difference) }, difference);
  assert.deepEqual([swap.selection.event, swap.base?.event], [0, 1]);
});

test("swapping twice is nothing", () => {
  const state = { ...defaultState(meta), range: [50, 90] as [number, number], threads: [0], compare: { kind: "range" as const, range: [1, 5] as [number, number] } };
  const once = { ...state, ...swapped(state, meta) };
  assert.deepEqual(once.range, [1, 5]);
  assert.deepEqual({ ...once, ...swapped(once, meta) }, state);
  assert.equal(swapped({ ...state, compare: null }, meta), null);
  assert.deepEqual(rangeBefore([50, 90]), [10, 50]);
  assert.deepEqual(rangeBefore([10, 90]), [0, 10]);
  assert.equal(rangeBefore([0, 90]), null);
});

test("paths after transforms", () => {
  const path = [1, 2, 3, 2, 2, 4];
  assert.deepEqual(pathAfter(path, { op: "focus-function", key: 3 }), [3, 2, 2, 4]);
  assert.deepEqual(pathAfter(path, { op: "focus-function", key: 9 }), []);
  assert.deepEqual(pathAfter(path, { op: "merge-function", key: 2 }), [1, 3, 4]);
  assert.deepEqual(pathAfter(path, { op: "drop-function", key: 3 }), []);
  assert.deepEqual(pathAfter(path, { op: "drop-function", key: 9 }), path);
  assert.deepEqual(pathAfter(path, { op: "collapse-subtree", key: 3 }), [1, 2, 3]);
  assert.deepEqual(pathAfter(path, { op: "collapse-recursion", key: 2 }), [1, 2, 4]);
  assert.deepEqual(pathAfter(path, { op: "collapse-direct-recursion", key: 2 }), [1, 2, 3, 2, 4]);
  assert.deepEqual(pathAfter(path, { op: "focus-subtree", path: [1, 2], inverted: false }), [2, 3, 2, 2, 4]);
  assert.deepEqual(pathAfter(path, { op: "focus-subtree", path: [1, 3], inverted: false }), []);
  assert.deepEqual(pathAfter(path, { op: "merge-node", path: [1, 2], inverted: false }), [1, 3, 2, 2, 4]);
  assert.deepEqual(pathAfter(path, { op: "keep-module", module: 0 }), path);
});

test("the tooltip is on the screen and not under the pointer", () => {
  for (const [width, height] of [[200, 100], [560, 300], [1300, 40]] as const) {
    for (let x = 0; x <= 1280; x += 40) {
      for (let y = 0; y <= 720; y += 40) {
        const [left, top] = placeTooltip(x, y, width, height, 1280, 720);
        assert.ok(left >= 8 && top >= 8 && top + height <= 712);
        if (width < 1280) assert.ok(left + width <= 1272, `${x},${y}: ${left}`);
        const covered = x >= left && x < left + width && y >= top && y < top + height;
        assert.ok(!covered, `${x},${y}`);
      }
    }
  }
});

// Answers when told to.
class FakePort implements Port {
  onmessage: ((event: MessageEvent) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly sent: RequestMessage[] = [];
  postMessage(message: unknown): void {
    this.sent.push(message as RequestMessage);
  }
  answer(index: number, error?: string): void {
    const { id, ask } = this.sent[index]!;
    this.onmessage!({ data: error === undefined ? { id, answer: ask } : { id, error } } as MessageEvent);
  }
}

test("a channel has one request under way and the newest waits", async () => {
  const port = new FakePort();
  const client = new Client(port);
  const answers: number[] = [];
  for (let i = 0; i < 5; ++i) void client.ask("locate", { i } as never, "c").then((x) => answers.push((x as unknown as { i: number }).i));
  void client.ask("locate", { i: 100 } as never, "other").then((x) => answers.push((x as unknown as { i: number }).i));
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  assert.equal(port.sent.length, 2);
  port.answer(0);
  await settle();
  assert.equal(port.sent.length, 3);
  port.answer(2);
  port.answer(1);
  await settle();
  assert.deepEqual(answers, [0, 4, 100]);
  const failing = client.ask("locate", {} as never, "c");
  port.answer(3, "no such path");
  await assert.rejects(failing, /no such path/);
  const working = client.ask("locate", { i: 7 } as never, "c");
  port.answer(4);
  assert.deepEqual(await working, { i: 7 });
  const lost = client.ask("locate", {} as never);
  let told = "";
  client.failed = (message) => (told = message);
  port.onerror!({ message: "out of memory" } as ErrorEvent);
  await assert.rejects(lost, /out of memory/);
  assert.equal(told, "out of memory");
});

test("base64 of any size", () => {
  for (const size of [0, 1, 2, 3, 4, 100, 49_151, 49_152, 49_153, 200_000]) {
    const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 31) & 255);
    const text = Buffer.from(bytes).toString("base64");
    assert.deepEqual(decodeBase64(text), bytes);
    assert.deepEqual(decodeBase64(`\n${text.replace(/(.{76})/g, "$1\n")}\n`), bytes);
  }
});

test("streams are collected whatever size was promised", async () => {
  const parts = [3, 0, 70_000, 5].map((n) => new Uint8Array(n).fill(n & 255));
  const all = Uint8Array.from(parts.flatMap((x) => [...x]));
  for (const size of [0, 10, all.length, all.length + 50]) {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    });
    let last = 0;
    assert.deepEqual(new Uint8Array(await collect(stream, size, (received) => (last = received))), all);
    assert.equal(last, all.length);
  }
});

test("file names are harmless", () => {
  assert.equal(fileName("./hot loop --n=5", "flame", "svg"), "hot-loop---n-5-flame.svg");
  assert.match(fileName("../../etc/passwd\u0000<x>", "tree", "png"), /^[\w.-]+-tree\.png$/);
  assert.ok(!fileName("../../x", "tree", "png").startsWith("."));
  assert.equal(fileName("///", "tree", "png"), "wick-tree.png");
});

test("views and letters are about the box or function that was chosen last", () => {
  const state = { ...defaultState(meta), selected: [1, 2, 3], zoom: [1], opened: [[1]] };
  assert.deepEqual(changed(state, { key: 7 }), { ...state, key: 7, selected: [] });
  assert.deepEqual(changed(state, { key: 3, view: "code" }), { ...state, key: 3, view: "code" });
  assert.deepEqual(changed({ ...state, key: 7 }, { selected: [4] }), { ...state, selected: [4] });
  assert.deepEqual(changed({ ...state, key: 7 }, { selected: [] }), { ...state, key: 7, selected: [] });
  assert.deepEqual(changed(state, { key: 7, selected: [4] }), { ...state, key: 7, selected: [4] });
  assert.deepEqual(changed(state, { inverted: true }), { ...state, inverted: true, selected: [], zoom: [], opened: [] });
});

test("a part of the picture is shown until there is another picture", () => {
  const state = { ...defaultState(meta), span: [0.25, 0.5] as [number, number], time: [10, 20] as [number, number] };
  for (const change of [{ search: "x" }, { view: "tree" }, { selected: [1] }, { range: [1, 5] }, { key: 3 }] as Partial<State>[]) {
    assert.deepEqual(changed(state, change).span, [0.25, 0.5], JSON.stringify(change));
  }
  for (const change of [{ threads: [1] }, { event: 1 }, { zoom: [1] }, { inverted: true }, { transforms: [{ op: "drop-function", key: 1 }] }] as Partial<State>[]) {
    assert.equal(changed(state, change).span, null, JSON.stringify(change));
    assert.deepEqual(changed(state, change).time, [10, 20], "the time axis stays the same");
  }
  assert.deepEqual(changed(state, { zoom: [1], span: [0, 1] }).span, [0, 1]);
});

test("the page begins with the busiest thread, its process, or all", () => {
  const of = (...processes: number[]) => ({ ...meta, threads: processes.map((process) => ({ process })) }) as unknown as Meta;
  assert.deepEqual(firstThreads(of(0, 0, 1), [10, 60, 30]), [1]);
  assert.deepEqual(firstThreads(of(0, 0, 0, 0), [25, 25, 25, 25]), [0], "a quarter is enough");
  assert.equal(firstThreads(of(0, 0, 0, 0, 0), [20, 20, 20, 20, 20]), null, "the only process is everything");
  assert.deepEqual(firstThreads(of(0, 1, 1, 1, 1, 1, 2), [20, 14, 14, 14, 14, 14, 10]), [1, 2, 3, 4, 5]);
  const many = Array.from({ length: 1500 }, (_, t) => t);
  assert.equal(firstThreads(of(...many), many.map(() => 1)), null, "no process has a quarter");
  assert.deepEqual(firstThreads(of(...many.map((t) => (t < 1000 ? 7 : t))), many.map(() => 1)), many.slice(0, 1000));
  assert.equal(firstThreads(of(0), [5]), null, "one thread is everything");
  assert.equal(firstThreads(of(0, 1), [0, 0]), null, "no samples");
  assert.deepEqual(firstThreads(of(0, 1), [0, 3]), [1]);
});

test("a caller or callee that is selected is the function of the next view", () => {
  const state = { ...defaultState(meta), view: "around" as const, key: 4, selected: [9] };
  assert.deepEqual([changed(state, { view: "code" }).key, changed(state, { view: "code" }).selected], [9, []]);
  assert.deepEqual(changed(state, { view: "flame" }).selected, [], "it is not a path of the tree");
  assert.equal(changed(state, { search: "x" }).key, 4);
  assert.equal(changed(state, { view: "code", key: 5 }).key, 5);
  const path = { ...state, selected: [1, 2, 9] };
  assert.deepEqual(changed(path, { view: "flame" }).selected, [1, 2, 9], "a node of the flame graph stays selected");
});

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Run by the script `engine` beside it.

import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import process from "node:process";

import type { Query, Transform } from "../../../web/src/engine/api";
import { Engine } from "../../../web/src/engine/engine";
import { makePayload } from "../../../tests/web/engine/make_payload";

declare const gc: () => void;

interface Result {
  facts: Record<string, number>;
  times: Record<string, number[]>; // milliseconds of CPU time
}

const kRounds = 5;

// CPU time: the machine may be busy with other things.
function cpu(run: () => void): number {
  const begin = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
}

function measure(file: string): Result {
  const bytes = fs.readFileSync(file);
  if (bytes.byteOffset !== 0 || bytes.buffer.byteLength !== bytes.length) throw new Error("the file is not in a buffer of its own");
  const times: Record<string, number[]> = {};
  const add = (name: string, ms: number) => (times[name] ??= []).push(ms);
  const viewport = { from: 0, to: 1, pixels: 1280 };
  let engine!: Engine;
  let peak = 0;
  const memory = () => {
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    peak = Math.max(peak, heapUsed + arrayBuffers);
  };
  const selection = { event: 0, threads: null, range: null };
  const all: Query = { selection, base: null, normalize: false, transforms: [], inverted: false };
  add("open", cpu(() => (engine = new Engine(bytes.buffer))));
  memory();
  add("first flame graph", cpu(() => engine.flame({ query: all, viewport })));
  memory();
  add("preparation (idle)", cpu(() => {
    while (engine.prepare());
  }));
  gc();
  const opened = process.memoryUsage();

  const { meta } = engine.profile;
  const end = meta.durationNs / meta.timeUnitNs;
  const flame = (query: Query) => void engine.flame({ query, viewport });
  const brush = (from: number, to: number): Query => ({ ...all, selection: { ...selection, range: [from * end, to * end] } });
  const table = (query: Query) => engine.functionTable({ query, sort: "self", descending: true, pattern: "", limit: 0 }).rows;
  const rows = table(all);
  // The hottest function, another hot one, and one with many callers.
  const hottest = rows.key[0]!, other = rows.key[8]!;
  const byTotal = engine.functionTable({ query: all, sort: "total", descending: true, pattern: "", limit: 0 }).rows.key[12]!;
  const halves: Query = { ...brush(0, 0.5), base: { ...selection, range: [end / 2, end] }, normalize: true };
  const { boxes } = engine.flame({ query: all, viewport });
  const path = [boxes.key[1]!, boxes.key[2]!, boxes.key[3]!];
  const transform = (t: Transform) => () => flame({ ...all, transforms: [t] });
  const { busiest } = engine.threads({ event: 0, range: null });
  const steps: [string, () => void][] = [
    ["zoom", () => void engine.flame({ query: all, viewport: { from: 0.3, to: 0.4, pixels: 1280 } })],
    ["brush of a tenth", () => flame(brush(0.4, 0.5))],
    ["brush moved by 1%", () => flame(brush(0.41, 0.51))],
    ["brush of a half", () => flame(brush(0.5, 1))],
    ["brush removed", () => flame(all)],
    ["one thread", () => flame({ ...all, selection: { ...selection, threads: [0] } })],
    ["all threads", () => flame(all)],
    ["inverted", () => flame({ ...all, inverted: true })],
    ["call tree", () => void engine.tree({ query: all, open: [], heaviest: true, limit: 1000 })],
    ["inverted call tree", () => void engine.tree({ query: { ...all, inverted: true }, open: [], heaviest: true, limit: 1000 })],
    ["function table", () => void table(all)],
    ["search", () => void engine.search({ query: all, pattern: "alloc|Glyph.*merge" })],
    ["callers and callees", () => void engine.around({ query: all, key: byTotal, pixels: 1280 })],
    ["lines", () => void engine.lines({ query: all, key: hottest })],
    ["focus function", transform({ op: "focus-function", key: byTotal })],
    ["focus subtree", transform({ op: "focus-subtree", path, inverted: false })],
    ["focus self", transform({ op: "focus-self", key: hottest })],
    ["merge function", transform({ op: "merge-function", key: other })],
    ["merge node", transform({ op: "merge-node", path, inverted: false })],
    ["drop function", transform({ op: "drop-function", key: hottest })],
    ["collapse subtree", transform({ op: "collapse-subtree", key: byTotal })],
    ["collapse recursion", transform({ op: "collapse-recursion", key: byTotal })],
    ["collapse module", transform({ op: "collapse-module", module: 0 })],
    ["keep matching", transform({ op: "keep-matching", pattern: "alloc" })],
    ["no transform", () => flame(all)],
    ["comparison of halves", () => flame(halves)],
    ["comparison, inverted", () => flame({ ...halves, inverted: true })],
    ["comparison, functions", () => void table(halves)],
    ["comparison removed", () => flame(all)],
    ["tracks of all threads", () => void engine.tracks({ event: 0, threads: meta.threads.map((_, i) => i), range: [0, end], bins: 1000 })],
    ["threads by cost", () => void engine.threads({ event: 0, range: null })],
    ["heat map", () => void engine.heatmap({ selection, columns: 600, rows: 50 })],
    ["stack chart", () => void engine.chart({ event: 0, thread: busiest, transforms: [], range: [0, end], pixels: 1280 })],
  ];
  for (let round = 0; round < kRounds; ++round) {
    for (const [name, run] of steps) {
      add(name, cpu(run));
      memory();
    }
  }
  gc();
  const after = process.memoryUsage();
  const { tree } = (engine as unknown as { base: { tree: { size: number } } }).base;
  const mb = (n: number) => Math.round(n / 1e6);
  return {
    facts: {
      samples: engine.profile.samples, stacks: engine.profile.stacks, "tree nodes": tree.size, "profile, MB": mb(bytes.length),
      "memory after opening, MB": mb(opened.arrayBuffers + opened.heapUsed), "memory in the end, MB": mb(after.arrayBuffers + after.heapUsed), "peak memory, MB": mb(peak),
    },
    times,
  };
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

// `asked`: millions of samples, or a file with a profile as in docs/view-protocol.md.
function fileOf(folder: string, asked: string): string {
  const millions = Number(asked);
  if (!(millions > 0)) return asked;
  const file = `${folder}/${millions}.bin`;
  if (!fs.existsSync(file)) {
    const stacks = Math.round(1e6 * Math.min(1, millions / 10 + 0.05 * Math.sqrt(millions)));
    fs.writeFileSync(file, makePayload({ samples: millions * 1e6, stacks, functions: Math.round(20000 * Math.min(1, 0.2 + millions / 10)), threads: 64, processes: 3 }));
  }
  return file;
}

function main(folder: string, asked: string[]): void {
  const results = asked.map((item) => {
    const file = fileOf(folder, item);
    // Opening is measured in fresh processes.
    const runs = [0, 1, 2].map(() => {
      const { stdout, stderr, status } = spawnSync(process.execPath, [...process.execArgv, process.argv[1]!, "measure", file], { encoding: "utf8", maxBuffer: 1 << 26 });
      if (status !== 0) throw new Error(stderr);
      return JSON.parse(stdout) as Result;
    });
    const times: Result["times"] = {};
    for (const run of runs) for (const [name, values] of Object.entries(run.times)) (times[name] ??= []).push(...values);
    return { facts: runs[0]!.facts, times };
  });
  const line = (name: string, cells: (string | number)[]) => console.log(name.padEnd(28) + cells.map((cell) => String(cell).padStart(16)).join(""));
  for (const name of Object.keys(results[0]!.facts)) line(name, results.map((r) => r.facts[name]!.toLocaleString("en-US")));
  console.log("\nCPU time in ms: median (worst)");
  for (const name of Object.keys(results[0]!.times)) {
    line(name, results.map((r) => `${median(r.times[name]!).toFixed(1)} (${Math.max(...r.times[name]!).toFixed(0)})`));
  }
}

if (process.argv[2] === "measure") console.log(JSON.stringify(measure(process.argv[3]!)));
else {
  const asked = process.argv.slice(3).filter((text) => text !== "");
  main(process.argv[2]!, asked.length > 0 ? asked : ["0.1", "1", "10"]);
}

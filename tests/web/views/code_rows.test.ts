// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import type { CodeRow, Instruction } from "../../../web/src/engine/api";
import { beginsInComment, hotFolds, hottest, joinCode, layOutJumps, mergeCosts, tokens, unfolded, verdictsOf, type Costs } from "../../../web/src/views/code_rows";

const cost = (self: number, total = self): Costs => ({ self, total, baseSelf: 0, baseTotal: 0 });
const instruction = (address: number, target = -1): Instruction => ({ address, size: 4, bytes: "00000000", text: "nop", target });
const row = (kind: CodeRow["kind"], end: number, more: Partial<CodeRow> = {}): CodeRow => ({ kind, end, depth: 0, line: 0, instruction: 0, file: "a.cc", text: null, ...more });

// Line 10 has one instruction; into line 11, f is inlined, with one instruction on its line 5, and g into that, with one on line 7.
const code = {
  rows: [
    row("file", 1),
    row("line", 3, { line: 10, text: "int x;" }),
    row("instruction", 3, { instruction: 0 }),
    row("line", 11, { line: 11, text: "f();" }),
    row("instruction", 5, { instruction: 1 }),
    row("inlined", 11, { depth: 1, text: "f", file: "f.h" }),
    row("line", 11, { depth: 1, line: 5, file: "f.h", text: "g();" }),
    row("instruction", 8, { depth: 1, instruction: 2 }),
    row("inlined", 11, { depth: 2, text: "g", file: "g.h" }),
    row("line", 11, { depth: 2, line: 7, file: "g.h", text: "++i;" }),
    row("instruction", 11, { depth: 2, instruction: 3 }),
    row("gap", 12),
    row("line", 13, { line: 20, text: "}" }),
  ],
  instructions: [instruction(0x10), instruction(0x14), instruction(0x18), instruction(0x20)],
};
const at = (address: number, self: number, total = self) => ({ address, ...cost(self, total) });
const line = (file: string, number: number, self: number, total = self) => ({ file, line: number, ...cost(self, total) });

test("inlined code is nested, with the costs of its instructions", () => {
  const { source, assembly, outside } = joinCode(code, [line("a.cc", 10, 1), line("a.cc", 11, 2, 17)], [at(0x10, 1), at(0x14, 2), at(0x18, 5), at(0x20, 8, 10)]);
  assert.deepEqual(
    source.map((x) => [x.kind, x.line, x.depth, x.self, x.total, x.until]),
    [
      ["file", 0, 0, 0, 0, 1],
      ["line", 10, 0, 1, 1, 2],
      ["line", 11, 0, 15, 17, 7],
      ["inlined", 0, 1, 13, 0, 7],
      ["line", 5, 1, 13, 0, 7],
      ["inlined", 0, 2, 8, 0, 7],
      ["line", 7, 2, 8, 0, 7],
      ["gap", 0, 0, 0, 0, 8],
      ["line", 20, 0, 0, 0, 9],
    ],
  );
  assert.deepEqual(assembly.map((x) => [x.self, x.inside]), [[1, [1]], [2, [2]], [5, [4, 3, 2]], [8, [6, 5, 4, 3, 2]]]);
  assert.equal(outside, 0);
  assert.equal(hottest(assembly), 3);
  assert.deepEqual(unfolded(source, new Set()), [0, 1, 2, 7, 8]);
  assert.deepEqual(unfolded(source, new Set([2])), [0, 1, 2, 3, 7, 8]);
  assert.deepEqual(unfolded(source, hotFolds(source, 0.05)), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  assert.deepEqual([...hotFolds(source, 0.7)], [2, 3]);
});

test("an unknown line is there only if the selection has cost without a line", () => {
  const unknown = [row("file", 1, { file: "" }), row("line", 2, { file: "" })];
  const rows = [...unknown, ...code.rows.map((x) => ({ ...x, end: x.end + 2 }))];
  const addresses = [at(0x10, 1), at(0x20, 8, 10)];
  const joined = (lines: Parameters<typeof joinCode>[1]) => joinCode({ ...code, rows }, lines, addresses);
  assert.deepEqual(joined([line("a.cc", 10, 1)]), joinCode(code, [line("a.cc", 10, 1)], addresses));
  const { source } = joined([line("a.cc", 10, 1), line("", 0, 3)]);
  assert.deepEqual(source.slice(0, 3).map((x) => [x.kind, x.file, x.self]), [["file", "", 0], ["line", "", 3], ["file", "a.cc", 0]]);
  assert.equal(source.length, 11);
});

test("costs of lines count where instructions have none, or differ", () => {
  const self = (lines: Parameters<typeof joinCode>[1], addresses: Parameters<typeof joinCode>[2], byLines = false) =>
    joinCode(code, lines, addresses, byLines).source.filter((x) => x.kind === "line" && x.depth === 0).map((x) => x.self);
  assert.deepEqual(self([], [at(0x10, 1), at(0x14, 2), at(0x18, 5)]), [1, 7, 0]);
  assert.deepEqual(self([line("a.cc", 11, 3), line("a.cc", 20, 4)], [at(0x10, 1), at(0x14, 2)]), [1, 2, 4]); // line 20 has no instructions
  assert.deepEqual(self([line("a.cc", 11, 3), line("a.cc", 20, 4)], []), [0, 3, 4]);
  assert.deepEqual(self([line("a.cc", 11, 3)], [at(0x14, 2), at(0x18, 5)], true), [0, 3, 0]);
});

test("addresses inside of an instruction belong to it, others are outside", () => {
  const { assembly, outside } = joinCode(code, [], [at(0x13, 0, 7), at(0x17, 1), at(0x1c, 3), at(0x0f, 4), at(0x24, 5)]);
  assert.deepEqual(assembly.map((x) => [x.self, x.total]), [[0, 7], [1, 1], [0, 0], [0, 0]]);
  assert.equal(outside, 12);
});

test("lines without code come by file, the heaviest first, unknown ones last", () => {
  const { source } = joinCode(code, [line("a.cc", 99, 1), line("b.cc", 3, 5), line("b.cc", 2, 1), line("", 0, 50), line("c.cc", 1, 0)], []);
  assert.deepEqual(source.slice(9).map((x) => `${x.kind} ${x.file}:${x.line} ${x.self}`), ["file b.cc:0 0", "line b.cc:2 1", "line b.cc:3 5", "file a.cc:0 0", "line a.cc:99 1", "file :0 0", "line :0 50"]);
});

test("nothing but costs", () => {
  const { source, assembly } = joinCode({ rows: [], instructions: [] }, [line("x.rs", 4, 2)], [at(0x20, 1), at(0x10, 3)]);
  assert.deepEqual(source.map((x) => [x.kind, x.line, x.self]), [["file", 0, 0], ["line", 4, 2]]);
  assert.deepEqual(assembly.map((x) => [x.instruction.address, x.self]), [[0x10, 3], [0x20, 1]]);
  const empty = joinCode({ rows: [], instructions: [] }, [], []);
  assert.deepEqual([empty.source.length, empty.assembly.length, hottest(empty.source)], [0, 0, -1]);
});

test("costs before and after", () => {
  const merged = mergeCosts([at(1, 10), at(2, 5)], [at(1, 4, 6), at(3, 1)], 2, (x) => x.address);
  assert.deepEqual(merged.map((x) => [x.address, x.self, x.baseSelf, x.baseTotal]), [[1, 10, 8, 12], [2, 5, 0, 0], [3, 0, 2, 2]]);
});

test("only changes beyond sampling noise are judged", () => {
  const totals = { weight: 10_000, samples: 10_000, baseWeight: 10_000, baseSamples: 10_000 };
  const rows = [[2000, 1000], [1000, 2000], [1010, 1000], [3, 1], [0, 0]].map(([self, baseSelf]) => ({ ...cost(self!), baseSelf: baseSelf! }));
  assert.deepEqual([...verdictsOf(rows, totals, false)], [1, -1, 0, 0, 0]);
  assert.deepEqual([...verdictsOf(rows, totals, true)], [1, -1, 0, 0, 0]);
  assert.deepEqual([...verdictsOf(rows, { weight: 0, samples: 0, baseWeight: 0, baseSamples: 0 }, false)], [0, 0, 0, 0, 0]);
});

test("jumps have lanes of their own", () => {
  const rows = [instruction(0, 12), instruction(4), instruction(8, 4), instruction(12), instruction(16, 999), instruction(20, 20)].map((x) => ({ instruction: x }));
  const jumps = layOutJumps(rows, 4);
  assert.equal(jumps.lanes, 2);
  assert.deepEqual([jumps.from, jumps.to], [[2, 0], [1, 3]]);
  assert.deepEqual([...jumps.at], [-1, 1, 0, 1, 0, 1, -1, 1, -1, -1, -1, -1]);
  assert.equal(layOutJumps(rows, 1).from.length, 1);
  assert.equal(layOutJumps([], 4).lanes, 0);
  // No two jumps share a lane at a row.
  const many = Array.from({ length: 300 }, (_, i) => ({ instruction: instruction(4 * i, 4 * ((i * 7919) % 300)) }));
  const { lanes, from, to, at: cells } = layOutJumps(many, 5);
  assert.ok(lanes <= 5);
  from.forEach((source, jump) => {
    const [first, last] = [Math.min(source, to[jump]!), Math.max(source, to[jump]!)];
    const lane = [...Array(lanes).keys()].find((x) => cells[first * lanes + x] === jump)!;
    for (let i = first; i <= last; ++i) assert.equal(cells[i * lanes + lane], jump);
  });
});

test("a comment that starts before a gap continues after it", () => {
  assert.ok(beginsInComment(["** more", "** text", "*/", "int x;"]));
  assert.ok(beginsInComment(["end */ int x; /* other */"]));
  assert.ok(!beginsInComment(["int x; /* one */", "*/"]), "a comment begins first");
  assert.ok(!beginsInComment(["int x = *p / y; // */", "char *s = \"*/\";", "/* a", "*/"]), "an end in a comment or string");
  assert.ok(!beginsInComment(["int x;", "int y;"]) && !beginsInComment([]));
});

test("tokens of source keep its text", () => {
  const kinds = (text: string, inComment = false) => tokens(text, inComment).tokens.map((x) => `${x.kind}:${x.text}`);
  assert.deepEqual(kinds("return x1 + 0x1f; // sum"), ["keyword:return", "plain: ", "plain:x1", "plain: + ", "number:0x1f", "plain:; ", "comment:// sum"]);
  assert.deepEqual(kinds('f("a\\"b", \'c\')'), ["plain:f", "plain:(", 'string:"a\\"b"', "plain:, ", "string:'c'", "plain:)"]);
  assert.deepEqual(kinds("a */ if", true), ["comment:a */", "plain: ", "keyword:if"]);
  assert.equal(tokens("x /* y", false).inComment, true);
  assert.equal(tokens("x /* y */ z", false).inComment, false);
  assert.deepEqual(kinds("still", true), ["comment:still"]);
  assert.deepEqual(kinds("fn f<'a>(x: &'a str)").join("").includes("string"), false);
  for (const text of ["", "\"", "'", "/*", "/**/", "a/*b*/c//d", "\"\\", "'\\''", "1'000", "λ = \"ü\""]) {
    for (const state of [false, true]) assert.equal(tokens(text, state).tokens.map((x) => x.text).join(""), text);
  }
});

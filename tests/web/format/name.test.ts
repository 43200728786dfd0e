// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";

import { clean, cleanLine, cutEnd, cutMiddle, nameFor, shortName, shortSource, shownName } from "../../../web/src/format/name";
import * as short from "../../../web/src/format/short_name";

test("names become one harmless line", () => {
  const cases: [string, string][] = [
    ["std::vector<int>", "std::vector<int>"], ["größe", "größe"], ["a\nb\tc\rd", "a\\nb\\tc\\rd"], ["\x1b[31m", "\\x1b[31m"], ["\0", "\\x00"],
    ["\u202egnp", "\\u202egnp"], ["\x9b", "\\x9b"], ["a\u200fb", "a\\u200fb"], ["\u2066", "\\u2066"], ["\ufeff", "\\ufeff"], ["😀", "😀"],
    ["\ud800x", "\\ud800x"], ["<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
  ];
  for (const [name, want] of cases) assert.equal(clean(name), want);
  assert.equal(shownName(""), "[unnamed]");
  assert.equal(shownName("x".repeat(1 << 20)).length, 4096);
});

test("lines of source keep their columns", () => {
  assert.equal(cleanLine("\tif (x)\t{"), "    if (x)  {");
  assert.equal(cleanLine("a\tb"), "a   b");
  assert.equal(cleanLine("\t\tx"), "        x");
  assert.equal(cleanLine("  \tx\r"), "    x\\r");
  assert.equal(cleanLine(""), "");
});

test("cutting never exceeds the size, nor splits a character", () => {
  assert.equal(cutEnd("abcdef", 6), "abcdef");
  assert.equal(cutEnd("abcdef", 4), "abc…");
  assert.equal(cutEnd("abcdef", 0), "");
  assert.equal(cutMiddle("abcdefgh", 5), "ab…gh");
  assert.equal(cutMiddle("abcdefgh", 4), "a…gh");
  for (const text of ["😀😀😀😀😀", "a😀b😀c😀", "xxxxxxxxxx"]) {
    for (let size = 0; size < 12; ++size) {
      for (const cut of [cutEnd(text, size), cutMiddle(text, size)]) {
        assert.ok(cut.length <= size, cut);
        assert.equal(clean(cut), cut);
      }
    }
  }
});

test("names for little room", () => {
  const name = "std::vector<int, std::allocator<int> >::push_back(int const&)";
  assert.equal(nameFor(name, 100), name);
  assert.equal(nameFor(name, 30), "std::vector::push_back");
  assert.equal(nameFor(name, 20), "vector::push_back");
  assert.equal(nameFor(name, 10), "push_back");
  assert.equal(nameFor(name, 5), "push…");
  assert.equal(nameFor(name, 2), "");
  assert.equal(nameFor("f", 1), "f");
  assert.equal(nameFor("", 20), "[unnamed]");
  assert.equal(nameFor("\n\n\n", 4), "\\n\\…");
  for (let size = 0; size < 60; ++size) assert.ok(nameFor(name, size).length <= size);
  const start = performance.now();
  assert.ok(nameFor(`f<${"<(a".repeat(400_000)}`, 20).length <= 20);
  assert.ok(nameFor("a::".repeat(400_000), 20).length <= 20);
  assert.ok(performance.now() - start < 500);
});

test("Rust's library has one path", () => {
  assert.equal(shortSource("/rustc/abc123/library/core/src/iter.rs"), "<std>/core/src/iter.rs");
  assert.equal(shortSource("/usr/src/rustc-1.63.0/library/alloc/src/vec.rs"), "<std>/alloc/src/vec.rs");
  assert.equal(shortSource("/x/lib/rustlib/src/rust/library/std/src/io.rs"), "<std>/std/src/io.rs");
  assert.equal(shortSource("/rust/deps/hashbrown/src/raw.rs"), "<std>/hashbrown/src/raw.rs");
  assert.equal(shortSource("/home/a/main.rs"), "/home/a/main.rs");
});

test("short names", () => {
  const cases: [string, string][] = [
    ["main", "main"], ["ns::Type<int>::run(int) const", "ns::Type::run"], ["a::operator<<(int)", "a::operator<<"],
    ["<alloc::vec::Vec<u8>>::push", "alloc::vec::Vec::push"], ["(anonymous namespace)::f(int)", "(anonymous namespace)::f"], ["((", "(("],
  ];
  for (const [name, want] of cases) assert.equal(short.shortName(name), want);
  assert.equal(shortName("f(int)\n"), "f\\n");
});

// The cases of the same function in C++.
function sourceOf(path: string): string | undefined {
  for (let folder = process.env["WICK_SOURCE"] ?? process.cwd(); ; folder = dirname(folder)) {
    if (existsSync(join(folder, path))) return readFileSync(join(folder, path), "utf8");
    if (folder === dirname(folder)) return undefined;
  }
}
const source = sourceOf("src/model/function_name_test.cc");

test("short names equal those of wick's terminal", { skip: source === undefined }, () => {
  let cases = 0;
  for (const [, name, want] of source!.matchAll(/\{("(?:[^"\\\n]|\\.)*"),\s*("(?:[^"\\\n]|\\.)*")\}/g)) {
    assert.equal(short.shortName(JSON.parse(name!)), JSON.parse(want!));
    ++cases;
  }
  assert.ok(cases > 80, `${cases} cases`);
});

test("short names take linear time", () => {
  for (const part of ["<", ">", "(", ")", "{", "[", "::", "operator", " ", "a", "->", "<<", "operator()", ","]) {
    const name = `f${part.repeat(200_000 / part.length)}`;
    const start = performance.now();
    assert.ok(short.shortName(name).length <= name.length);
    assert.ok(performance.now() - start < 2000, part);
  }
});

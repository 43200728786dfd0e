// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { anyOfNames, compilePattern, isCaseSensitive, isPattern } from "../../../web/src/format/pattern";
import { matches, searchPattern } from "../../../web/src/views/rows";

test("case matters if a capital letter is matched", () => {
  for (const pattern of ["Malloc", "[A-Z]", "\\\\A", "a\\.B", "(?<=A)b", "(?<!A)b", "(?:A)", "É", "\\W\\\\S"]) assert.ok(isCaseSensitive(pattern), pattern);
});

test("capitals of escapes and of group names do not count", () => {
  for (const pattern of ["malloc", "", "\\W", "\\S+\\Dx", "\\x4A", "\\u00CA", "\\cJ", "\\p{Lu}", "\\P{L}", "(?<Name>a)\\k<Name>", "é"]) {
    assert.ok(!isCaseSensitive(pattern), pattern);
  }
});

test("what is found and what is marked follow the same rule", () => {
  for (const [pattern, text, found] of [
    ["foo", "FOO", true], ["Foo", "foo", false], ["\\Woo", ".OO", true], ["\\\\Foo", "\\foo", false], ["(?<A>foo)", "FOO", true], ["(?<A>foO)", "FOO", false],
  ] as const) {
    assert.equal(compilePattern(pattern).test(text), found, pattern);
    assert.equal(matches(text, searchPattern(pattern)).length > 0, found, pattern);
  }
});

test("an error has the reason and not the pattern", () => {
  assert.ok(isPattern("a|b") && !isPattern("("));
  assert.throws(() => compilePattern("secret: ("), /^Error: not a regular expression: [^:]*$/);
});

test("a search for names finds these and no others", () => {
  const pattern = compilePattern(anyOfNames(["operator new(unsigned long)", "f<a|b>::g", "memcpy"]));
  for (const name of ["operator new(unsigned long)", "f<a|b>::g", "memcpy"]) assert.ok(pattern.test(name), name);
  for (const name of ["operator new(unsigned long)@plt", "my memcpy", "memcpy_fast", "f<a"]) assert.ok(!pattern.test(name), name);
  const long = "x".repeat(1000);
  assert.ok(anyOfNames([long]).length < 300);
  assert.ok(compilePattern(anyOfNames([long])).test(long));
});

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { Labels, nameForms } from "../../../web/src/draw/labels";

// Each character is 10 wide, "i" 4, "…" 8.
const width = (text: string) => [...text].reduce((sum, c) => sum + (c === "i" ? 4 : c === "…" ? 8 : 10), 0);

test("labels are cut by width", () => {
  const labels = new Labels(width);
  assert.equal(labels.cut("abcdef", 60), "abcdef");
  assert.equal(labels.cut("abcdef", 59), "abcde…");
  assert.equal(labels.cut("abcdef", 58), "abcde…");
  assert.equal(labels.cut("abcdef", 57), "abcd…");
  assert.equal(labels.cut("iiiiii", 24), "iiiiii");
  assert.equal(labels.cut("iiiiii", 20), "iii…");
  assert.equal(labels.cut("abcdef", 18), "a…");
  assert.equal(labels.cut("abcdef", 17), "");
  assert.equal(labels.cut("", 0), "");
  assert.equal(labels.width("abi"), 24);
});

test("every label fits, and one more character would not", () => {
  const labels = new Labels(width);
  const name = "abciiidefighijk";
  for (let room = 0; room < 200; ++room) {
    const label = labels.cut(name, room);
    assert.ok(width(label) <= room, `${label} in ${room}`);
    if (label.endsWith("…")) assert.ok(width(name.slice(0, label.length) + "…") > room || width(name) <= room);
  }
});

test("characters of two halves stay whole", () => {
  const labels = new Labels(width);
  assert.equal(labels.cut("🙂🙂🙂", 28), "🙂🙂…");
  assert.equal(labels.cut("🙂🙂🙂", 27), "🙂…");
  for (let room = 0; room < 60; ++room) assert.doesNotMatch(labels.cut("a🙂b🙂c", room), /[\ud800-\udbff](?![\udc00-\udfff])/);
});

test("names lose arguments, then scopes, then their end", () => {
  const labels = new Labels((text) => [...text].length);
  const name = "app::net::Server<int>::handle(Request const&)";
  assert.equal(labels.name(name, 100), name);
  assert.equal(labels.name(name, 30), "app::net::Server::handle");
  assert.equal(labels.name(name, 20), "Server::handle");
  assert.equal(labels.name(name, 10), "handle");
  assert.equal(labels.name(name, 5), "hand…");
  assert.equal(labels.name(name, 30), "app::net::Server::handle", "the answer for another width is not reused");
  assert.deepEqual(nameForms("main"), ["main"]);
});

test("hostile names are harmless and bounded", () => {
  const labels = new Labels((text) => [...text].length);
  assert.equal(labels.name("a\u202eb\nc", 100), "a\\u202eb\\nc");
  assert.equal(labels.name("", 100), "[unnamed]");
  const long = "x::".repeat(350_000) + "f";
  for (const form of nameForms(long)) assert.ok(form.length <= 400);
  assert.ok(labels.name(long, 50).length <= 50);
  const nested = "a<".repeat(200_000);
  assert.ok(labels.name(nested, 80).length <= 80);
  for (const name of ["<", ">", "((((", "operator<", "::", "a::", "\ud800", "{closure#0}"]) labels.name(name, 3);
});

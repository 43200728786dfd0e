// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { outline, svgOf, usedLevels, xml, type SvgOptions } from "../../../web/src/draw/export";
import { Labels } from "../../../web/src/draw/labels";
import { flameBoxSet } from "../../../web/src/draw/layout";
import type { Look } from "../../../web/src/draw/look";
import { chain, flame, kSmall } from "./boxes";

const names = ["", "main", "a", "b", "c", "d", "e"];
const kHostile = [
  "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "]]>&amp;&#0;", "a'b\"c", "</title></svg>", "\u0000\u0001\u001b[31m", "\ud800x\udc00",
  "\u202eevil\u2066", "--><!--", "\ufffe\uffff", "x".repeat(1_000_000),
];

function options(boxes = flame(kSmall), name: (key: number) => string = (key) => names[key] ?? "all"): SvgOptions {
  const set = flameBoxSet(boxes);
  const look: Look = { styles: [{ fill: "#ff8800", ink: "#000000", hatched: true, marked: true }], of: new Uint16Array(set.count), inlined: new Uint8Array(set.count).fill(2) };
  return {
    set, look, labels: new Labels((text) => 7 * [...text].length), span: { from: 0, to: 1 }, width: 1000, rootAtBottom: true, title: "t", notes: ["n"],
    legend: [{ fill: "#ff8800", text: "program" }, { fill: "#0000ff", text: "gone", hatched: true }],
    name, tip: () => "tip", colors: { background: "#fff", text: "#000", note: "#666", match: "#f0f" },
  };
}

// A small check of well-formed XML: every tag is closed, attributes are quoted, text has no raw markup.
function checkXml(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const open: string[] = [];
  const rest = text.replace(/^<\?xml [^?]*\?>/, "").replace(/<(\/?)([a-z]+)((?: [a-zA-Z-]+="[^"<]*")*)\s*(\/?)>/g, (_, close, tag, __, self) => {
    if (close) assert.equal(open.pop(), tag);
    else counts.set(tag, (counts.get(tag) ?? 0) + 1);
    if (!close && !self) open.push(tag);
    return "";
  });
  assert.deepEqual(open, []);
  assert.doesNotMatch(rest, /[<>"]/);
  assert.doesNotMatch(rest, /&(?!#\d+;)/);
  assert.doesNotMatch(text, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
  assert.equal(Buffer.from(text, "utf8").toString("utf8"), text, "valid UTF-8");
  return counts;
}

test("an SVG has each box, from the root at its side", () => {
  const boxes = flame(kSmall);
  const counts = checkXml(svgOf(options(boxes)));
  assert.equal(counts.get("g"), boxes.count);
  assert.match(svgOf(options(boxes)), />program<.*>gone</s);
  const y = (svg: string, name: string) => Number(new RegExp(`<title>${name}\ntip</title><rect x="[\\d.]+" y="(\\d+)"`).exec(svg)![1]);
  assert.ok(y(svgOf(options(boxes)), "main") > y(svgOf(options(boxes)), "b"));
  const icicle = svgOf({ ...options(boxes), rootAtBottom: false });
  assert.ok(y(icicle, "main") < y(icicle, "b"));
});

test("a zoomed SVG has only what is in the span", () => {
  const svg = svgOf({ ...options(), span: { from: 0.8, to: 1 } });
  assert.match(svg, /<title>e\n/);
  assert.doesNotMatch(svg, /<title>b\n/);
  assert.match(svg, /<title>e\ntip<\/title><rect x="10" y="\d+" width="999"/);
  assert.equal(usedLevels(flameBoxSet(flame(kSmall)), { from: 0.8, to: 1 }), 2);
});

test("hostile names stay text", () => {
  for (const name of kHostile) {
    const svg = svgOf({ ...options(flame(kSmall), () => name), title: name, notes: [name], legend: [{ fill: "#000", text: name }], tip: () => name });
    checkXml(svg);
    assert.doesNotMatch(svg, /<script|<img|onerror="/);
  }
  assert.equal(xml("<a b=\"c\">&'"), "&#60;a b=&#34;c&#34;&#62;&#38;&#39;");
  assert.equal(xml("\ud83d\ude42 \ud800"), "\ud83d\ude42 \ufffd");
});

test("deep stacks are bounded, and the picture says so", () => {
  const svg = svgOf(options(flame(chain(10_000)), (key) => String(key)));
  checkXml(svg);
  assert.match(svg, /8001 deeper levels are not in this picture/);
});

test("the outline is indented by depth, in columns", () => {
  const boxes = flame(kSmall);
  const text = outline(boxes, { from: 0, to: 1 }, (row) => [String(boxes.total[row])], (key) => names[key] ?? "all");
  assert.equal(text, "100  all\n 80    main\n 50      a\n 30        b\n 15        c\n 30      d\n 20    e\n");
  const part = outline(boxes, { from: 0.8, to: 1 }, () => [], (key) => names[key] ?? "all");
  assert.equal(part, "  all\n    e\n");
});

test("the outline of 10,000 levels stays small", () => {
  const deep = flame(chain(10_000));
  const text = outline(deep, { from: 0, to: 1 }, () => ["1"], (key) => String(key));
  assert.ok(text.length < 10_001 * 250);
  assert.match(text, /\[level 9999\] 9999\n/);
});

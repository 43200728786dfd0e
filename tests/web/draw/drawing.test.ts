// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { formatColor, parseColor, strongest } from "../../../web/src/draw/color";
import { drawBoxes, drawMark, place, type Surface } from "../../../web/src/draw/boxes";
import { Labels } from "../../../web/src/draw/labels";
import { boxSet, flameBoxSet, kRow, type Rows } from "../../../web/src/draw/layout";
import { changeLooks, kindLook, type Look } from "../../../web/src/draw/look";
import type { Theme } from "../../../web/src/draw/theme";
import type { Symbols } from "../../../web/src/app/symbols";
import { chain, flame, kSmall } from "./boxes";

const theme: Theme = {
  dark: false, bg: "#ffffff", surface: "#eeeeee", line: "#dddddd", text: "#000000", text2: "#333333", text3: "#666666", accent: "#0000ff",
  focus: "#0000ff", select: "#000000", match: parseColor("#cc00cc"), more: parseColor("#e07b16"), less: parseColor("#3b7dd8"),
  noise: parseColor("#dddddd"), back: parseColor("#ffffff"), font: "sans", mono: "mono",
};
const symbols = { color: (key: number) => (key % 2 === 0 ? "#ffcc00" : "#ff9900") } as unknown as Symbols;

interface Rect { x: number; y: number; w: number; h: number; style: string }
interface Text { text: string; x: number; y: number }

// A canvas that notes what is drawn on it.
function canvas() {
  const rects: Rect[] = [];
  const texts: Text[] = [];
  const context = {
    fillStyle: "", globalAlpha: 1, font: "", textBaseline: "",
    fillRect(x: number, y: number, w: number, h: number) {
      if (this.globalAlpha === 1) rects.push({ x, y, w, h, style: String(this.fillStyle) });
    },
    fillText(text: string, x: number, y: number) {
      texts.push({ text, x, y });
    },
  };
  return { rects, texts, context: context as unknown as CanvasRenderingContext2D };
}

function drawn(calls = kSmall, span = { from: 0, to: 1 }, width = 100, height = 180, dpr = 1, scroll = 0, pixels = Infinity) {
  const boxes = flame(calls, pixels);
  const set = flameBoxSet(boxes);
  const { rects, texts, context } = canvas();
  const surface: Surface = { context, labels: new Labels((text) => 6 * dpr * [...text].length), width, dpr };
  const rows: Rows = { levels: set.levels, height, scroll, rootAtBottom: false };
  const look: Look = kindLook(set, symbols, theme, null, boxes.inlined);
  const count = drawBoxes(surface, { set, look, name: (key) => `function${key}` }, span, rows, theme);
  return { count, rects: rects.slice(1), texts, set, rows, surface };
}

test("boxes have sharp edges and gaps of one pixel", () => {
  for (const dpr of [1, 1.25, 1.5, 2, 3]) {
    const gap = Math.max(1, Math.round(dpr));
    const { rects, count } = drawn(kSmall, { from: 0, to: 1 }, 333, 180, dpr);
    assert.equal(rects.length, count);
    for (const r of rects) for (const n of [r.x, r.y, r.w, r.h]) assert.ok(Number.isInteger(n));
    const level = rects.filter((r) => r.y === Math.round(2 * kRow * dpr)).sort((a, b) => a.x - b.x);
    assert.equal(level.length, 2);
    assert.equal(level[1]!.x - (level[0]!.x + level[0]!.w), gap);
    assert.equal(level[0]!.h, Math.round(kRow * dpr) - gap);
  }
});

test("narrow boxes never overlap, and pixels bound the work", () => {
  const calls = [{ key: 1, self: 0, calls: Array.from({ length: 5000 }, (_, i) => ({ key: i, self: 1 + (i % 3) })) }];
  const { rects, count } = drawn(calls, { from: 0, to: 1 }, 200, 180);
  assert.ok(count <= 2 + 201, `${count} boxes`);
  const level = rects.filter((r) => r.y === 2 * kRow).sort((a, b) => a.x - b.x);
  for (let i = 1; i < level.length; ++i) assert.ok(level[i]!.x >= level[i - 1]!.x + level[i - 1]!.w);
  assert.ok(level.length >= 190, "the level is filled");
});

test("a narrow box is not drawn over by a wide one after it", () => {
  // As in stack charts, where boxes of a level are not sorted by width: 0.3 pixels, then 2.4, and so on.
  const begin = Float64Array.from({ length: 40 }, (_, i) => Math.floor(i / 2) * 2.7 + (i % 2) * 0.3);
  const end = Float64Array.from({ length: 40 }, (_, i) => Math.floor(i / 2) * 2.7 + (i % 2 === 0 ? 0.3 : 2.7));
  const set = boxSet(40, new Uint32Array(40).fill(1), new Uint32Array(40), begin, end);
  const { rects, context } = canvas();
  const surface: Surface = { context, labels: new Labels(() => 6), width: 54, dpr: 1 };
  const look = kindLook(set, symbols, theme, null, null);
  drawBoxes(surface, { set, look, name: () => "f" }, { from: 0, to: 54 }, { levels: 1, height: 18, scroll: 0, rootAtBottom: false }, theme);
  const boxes = rects.slice(1).sort((a, b) => a.x - b.x);
  for (let i = 1; i < boxes.length; ++i) assert.ok(boxes[i]!.x >= boxes[i - 1]!.x + boxes[i - 1]!.w, `box ${i}`);
  assert.ok(boxes.length > 25);
});

test("labels only in boxes that are wide enough, within the pane", () => {
  const { texts } = drawn(kSmall, { from: 0, to: 1 }, 100, 180);
  assert.ok(texts.every((t) => t.x >= 4));
  assert.deepEqual(texts.map((t) => t.text).includes("function6"), false, "20 pixels are too few");
  const wide = drawn(kSmall, { from: 0.1, to: 0.2 }, 400, 180);
  assert.deepEqual(wide.texts.map((t) => t.text).sort(), ["function1", "function2", "function3", "function4294967295"]);
  for (const t of wide.texts) assert.equal(t.x, 4, "a label begins where its box becomes visible");
});

test("of 10,000 levels only the visible ones are drawn", () => {
  const { count, rects } = drawn(chain(10_000), { from: 0, to: 1 }, 300, 720, 1, 90_000);
  assert.ok(count <= 42, `${count}`);
  assert.ok(rects.every((r) => r.y + r.h >= 0 && r.y < 720));
});

test("a mark is where its box is drawn", () => {
  const { rects, set, rows } = drawn(kSmall, { from: 0.1, to: 0.9 }, 640, 180, 1.5);
  for (let row = 0; row < set.count; ++row) {
    const box = place(set, row, { from: 0.1, to: 0.9 }, rows, 640, 1.5);
    const found = rects.some((r) => r.y === box.top && r.h === box.height && Math.abs(Math.max(-2, box.left) - r.x) <= 1);
    const visible = box.left + box.width > 0 && box.left < 960;
    assert.equal(found, visible, `row ${row}`);
  }
  const { context, rects: marks } = canvas();
  drawMark({ context, labels: new Labels(() => 1), width: 100, dpr: 1 }, { left: -1e9, top: 18, width: 2e9, height: 17 }, "selected", theme);
  for (const r of marks) assert.ok(r.x >= -10 && r.x + r.w <= 110, "marks of huge boxes are cut");
});

test("a mark at the edges of the pane stays within it", () => {
  for (const box of [{ left: 0, top: 0, width: 99, height: 17 }, { left: 0, top: 163, width: 100, height: 17 }, { left: 98, top: 90, width: 2, height: 17 }]) {
    const { context, rects } = canvas();
    drawMark({ context, labels: new Labels(() => 1), width: 100, dpr: 1 }, box, "selected", theme, 180);
    assert.equal(rects.length, 4);
    for (const r of rects) assert.ok(r.x >= 0 && r.y >= 0 && r.x + r.w <= 100 && r.y + r.h <= 180, JSON.stringify(r));
  }
});

test("with a search, matches have one color and the rest is dimmed", () => {
  const boxes = flame(kSmall);
  const set = flameBoxSet(boxes);
  const look = kindLook(set, symbols, theme, (key) => key === 3, null);
  const style = (key: number) => look.styles[look.of[Array.from(set.key).indexOf(key)]!]!;
  assert.equal(style(3).fill, "#cc00cc");
  assert.equal(style(2).fill, style(4).fill);
  assert.notEqual(style(2).fill, "#ffcc00");
  const plain = kindLook(set, symbols, theme, null, null);
  assert.equal(plain.styles[plain.of[Array.from(set.key).indexOf(2)]!]!.fill, "#ffcc00");
});

test("a comparison hatches what vanished and underlines matches", () => {
  const boxes = flame(kSmall);
  const n = boxes.count;
  boxes.baseTotal = Float64Array.from(boxes.total, (x, i) => (i === n - 1 ? x : x / 2));
  boxes.total[n - 1] = 0;
  boxes.verdict = new Int8Array(n).fill(1);
  boxes.verdict[n - 1] = -1;
  boxes.verdict[1] = 0;
  const look = changeLooks(boxes, theme, null);
  const style = (row: number) => look.styles[look.of[row]!]!;
  assert.deepEqual([style(n - 1).hatched, style(n - 1).fill], [true, formatColor(strongest(-1, theme))]);
  assert.deepEqual([style(1).hatched, style(1).fill], [false, "#dddddd"]);
  assert.notEqual(style(2).fill, "#dddddd");
  const found = changeLooks(boxes, theme, (key) => key === boxes.key[2]);
  assert.ok(found.styles[found.of[2]!]!.marked);
  assert.equal(found.styles[found.of[2]!]!.fill, style(2).fill, "a match keeps its color");
  assert.ok(!found.styles[found.of[1]!]!.marked);
});

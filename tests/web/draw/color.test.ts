// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { changeColor, changeLook, contrast, formatColor, inkOn, kStrengths, mix, parseColor, strongest } from "../../../web/src/draw/color";

test("colors are read and written", () => {
  const cases: [string, string][] = [
    ["#abc", "#aabbcc"], ["#1C2027", "#1c2027"], [" #ffffff ", "#ffffff"], ["rgb(1, 2, 3)", "#010203"], ["rgba(255, 0, 16, 0.5)", "#ff0010"],
    ["rgb(255 128 0 / 50%)", "#ff8000"], ["#11223344", "#112233"], ["nonsense", "#808080"], ["", "#808080"],
  ];
  for (const [text, want] of cases) assert.equal(formatColor(parseColor(text)), want, text);
  assert.equal(formatColor(mix(parseColor("#000000"), parseColor("#ff8040"), 0.5)), "#804020");
});

test("the ink can be read on every fill", () => {
  for (let r = 0; r <= 255; r += 51) {
    for (let g = 0; g <= 255; g += 51) {
      for (let b = 0; b <= 255; b += 51) {
        for (const dark of [false, true]) assert.ok(contrast({ r, g, b }, inkOn({ r, g, b }, dark)) >= 4, `${r} ${g} ${b} ${dark}`);
      }
    }
  }
});

test("labels of one theme have the same ink where both can be read", () => {
  const brown = parseColor("#a6712a");
  assert.equal(formatColor(inkOn(brown, true)), "#ffffff");
  assert.equal(formatColor(inkOn(brown, false)), "#1b1a18");
  assert.equal(formatColor(inkOn(parseColor("#ffe0a0"), true)), "#1b1a18");
  assert.equal(formatColor(inkOn(parseColor("#102040"), false)), "#ffffff");
});

test("the strength of a comparison follows the relative change", () => {
  assert.deepEqual(changeLook(100, 200, 1), { direction: 1, strength: kStrengths / 2, vanished: false });
  assert.deepEqual(changeLook(200, 100, -1), { direction: -1, strength: kStrengths / 2, vanished: false });
  assert.deepEqual(changeLook(0, 5, 1), { direction: 1, strength: kStrengths, vanished: false });
  assert.deepEqual(changeLook(5, 0, -1), { direction: -1, strength: kStrengths, vanished: true });
  assert.deepEqual(changeLook(1000, 1001, 1), { direction: 1, strength: 1, vanished: false });
  assert.deepEqual(changeLook(100, 300, 0), { direction: 0, strength: 0, vanished: false }, "noise has no color");
  assert.deepEqual(changeLook(5, 0, 0), { direction: 0, strength: 0, vanished: true });
  assert.deepEqual(changeLook(0, 0, 1), { direction: 0, strength: 0, vanished: false });
  assert.equal(changeLook(-10, 30, 1).strength, kStrengths, "costs of differences may be negative");
});

test("blue, orange and grey", () => {
  const colors = { noise: parseColor("#e0e0e0"), more: parseColor("#e07b16"), less: parseColor("#3b7dd8") };
  const color = (before: number, after: number, verdict: number) => changeColor(changeLook(before, after, verdict), colors);
  assert.equal(formatColor(color(0, 1, 1)), formatColor(mix(colors.noise, colors.more, 0.85)));
  assert.equal(formatColor(color(1, 0, -1)), formatColor(mix(colors.noise, colors.less, 0.85)));
  assert.deepEqual(strongest(-1, colors), color(1, 0, -1));
  assert.equal(formatColor(color(1, 2, 0)), "#e0e0e0");
  const distances = [1.05, 1.3, 2, 5, 1000].map((after) => 224 - color(1, after, 1).b);
  assert.deepEqual([...distances].sort((a, b) => a - b), distances);
  assert.ok(distances[0]! > 20, "the weakest change differs from noise");
});

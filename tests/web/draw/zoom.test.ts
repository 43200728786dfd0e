// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { between, clampSpan, easeOut, panBy, reveal, wheelFactor, zoomAt } from "../../../web/src/draw/zoom";

const whole = { from: 0, to: 1 };
const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-12, `${a} is not ${b}`);

test("zooming keeps the place under the mouse", () => {
  for (const [from, to] of [[0, 1], [0.25, 0.5], [0.9, 1]] as const) {
    for (const part of [0, 0.3, 1]) {
      const at = from + part * (to - from);
      const span = zoomAt({ from, to }, at, 0.5, whole, 1e-9);
      near(span.to - span.from, (to - from) / 2);
      near((at - span.from) / (span.to - span.from), part);
    }
  }
});

test("zooming out ends at the whole, zooming in at the least", () => {
  assert.deepEqual(zoomAt({ from: 0.4, to: 0.6 }, 0.5, 100, whole, 1e-9), whole);
  const out = zoomAt({ from: 0, to: 0.2 }, 0.1, 2, whole, 1e-9);
  assert.deepEqual(out, { from: 0, to: 0.4 });
  let span = { from: 0, to: 1 };
  for (let i = 0; i < 200; ++i) span = zoomAt(span, 0.3, 0.5, whole, 1e-6);
  near(span.to - span.from, 1e-6);
  assert.ok(span.from <= 0.3 && span.to >= 0.3);
});

test("panning stops at the edges", () => {
  assert.deepEqual(panBy({ from: 0.25, to: 0.5 }, 0.25, whole), { from: 0.5, to: 0.75 });
  assert.deepEqual(panBy({ from: 0.25, to: 0.5 }, 5, whole), { from: 0.75, to: 1 });
  assert.deepEqual(panBy({ from: 0.25, to: 0.5 }, -5, whole), { from: 0, to: 0.25 });
  assert.deepEqual(panBy(whole, 0.3, whole), whole);
  assert.deepEqual(clampSpan({ from: -3, to: 9 }, whole), whole);
});

test("a box is revealed with the least movement", () => {
  const span = { from: 0.4, to: 0.6 };
  assert.equal(reveal(span, { from: 0.45, to: 0.5 }, whole), span);
  assert.equal(reveal(span, { from: 0.1, to: 0.9 }, whole), span, "it fills the span");
  const right = reveal(span, { from: 0.7, to: 0.75 }, whole);
  assert.ok(right.from <= 0.7 && right.to >= 0.75);
  near(right.to - right.from, 0.2);
  const left = reveal(span, { from: 0, to: 0.05 }, whole);
  assert.equal(left.from, 0);
  const wide = reveal(span, { from: 0.65, to: 1 }, whole);
  assert.ok(wide.to > 0.65);
});

test("animations begin and end exactly, and change lengths by even factors", () => {
  const a = { from: 0, to: 1 };
  const b = { from: 0.5, to: 0.5001 };
  assert.equal(between(a, b, 0), a);
  assert.equal(between(a, b, 1), b);
  const half = between(a, b, 0.5);
  near(half.to - half.from, Math.sqrt(1 * (b.to - b.from)));
  for (let t = 0; t <= 1; t += 0.01) {
    const span = between(a, b, t);
    assert.ok(span.from >= a.from - 1e-12 && span.to <= a.to + 1e-12);
    assert.ok(span.from <= b.from + 1e-12 && span.to >= b.to - 1e-12, "the goal stays in sight");
  }
  const moved = between({ from: 0, to: 0.5 }, { from: 0.5, to: 1 }, 0.5);
  near(moved.from, 0.25);
  near(moved.to, 0.75);
  assert.deepEqual([easeOut(0), easeOut(1)], [0, 1]);
});

test("the wheel zooms in and out by the same factor, bounded", () => {
  near(wheelFactor(100, 0) * wheelFactor(-100, 0), 1);
  assert.ok(wheelFactor(1e9, 0) < 3);
  assert.ok(wheelFactor(3, 1) > wheelFactor(3, 0));
});

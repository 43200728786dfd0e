// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Flame graphs for tests, written as nested calls.

import { kNone, type FlameBoxes } from "../../../web/src/engine/api";

export interface Call {
  key: number;
  self: number;
  calls?: Call[];
}

// Boxes of all calls, as the engine would lay them out. No recursion: tests have deep stacks, too.
export function flame(calls: Call[], pixels = Infinity): FlameBoxes {
  const order: { call: Call; parent: number; depth: number; total: number; x: number }[] = [];
  const totals = new Map<Call, number>();
  const root: Call = { key: kNone, self: 0, calls };
  const all: Call[] = [];
  for (const stack = [root]; stack.length > 0; ) {
    const call = stack.pop()!;
    all.push(call);
    stack.push(...(call.calls ?? []));
  }
  for (const call of all.reverse()) totals.set(call, call.self + (call.calls ?? []).reduce((sum, x) => sum + totals.get(x)!, 0));
  const whole = totals.get(root)!;
  const stack = [{ call: root, parent: -1, depth: 0, x: 0 }];
  while (stack.length > 0) {
    const { call, parent, depth, x } = stack.pop()!;
    const total = totals.get(call)!;
    if ((total / whole) * pixels < 0.5) continue;
    const row = order.push({ call, parent, depth, total, x }) - 1;
    let at = x + total;
    const children = [...(call.calls ?? [])].sort((a, b) => totals.get(b)! - totals.get(a)!);
    at = x;
    const placed = children.map((child) => {
      const begin = at;
      at += totals.get(child)!;
      return { call: child, parent: row, depth: depth + 1, x: begin };
    });
    stack.push(...placed.reverse());
  }
  const column = (pick: (box: (typeof order)[number]) => number) => order.map(pick);
  return {
    count: order.length,
    levels: Math.max(...column((b) => b.depth)) + 1,
    key: Uint32Array.from(column((b) => b.call.key)),
    parent: Int32Array.from(column((b) => b.parent)),
    depth: Uint32Array.from(column((b) => b.depth)),
    x: Float64Array.from(column((b) => b.x / whole)),
    width: Float64Array.from(column((b) => b.total / whole)),
    self: Float64Array.from(column((b) => b.call.self)),
    total: Float64Array.from(column((b) => b.total)),
    samples: Float64Array.from(column((b) => b.total)),
    baseSelf: null,
    baseTotal: null,
    verdict: null,
    inlined: new Uint8Array(order.length),
    hiddenWeight: 0,
    hiddenBoxes: 0,
  };
}

// main(1) calls a (50: b 30, c 15), d (30), a second tree e (20).
export const kSmall: Call[] = [
  { key: 1, self: 0, calls: [{ key: 2, self: 5, calls: [{ key: 3, self: 30 }, { key: 4, self: 15 }] }, { key: 5, self: 30 }] },
  { key: 6, self: 20 },
];

export function chain(depth: number): Call[] {
  let call: Call = { key: depth, self: 1 };
  for (let i = depth - 1; i >= 1; --i) call = { key: i, self: 0, calls: [call] };
  return [call];
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import type { Answer, Query, RequestKind, RequestMessage, ResponseMessage } from "../../../web/src/engine/api";
import { makeSmall } from "./reference";

interface Self {
  onmessage: ((event: { data: RequestMessage }) => void) | null;
  postMessage(message: ResponseMessage, transfer: ArrayBuffer[]): void;
}

test("the worker answers, and goes on after errors", async () => {
  const posted: { message: ResponseMessage; transfer: ArrayBuffer[] }[] = [];
  const self: Self = { onmessage: null, postMessage: (message, transfer) => void posted.push({ message, transfer }) };
  (globalThis as unknown as { self: Self }).self = self;
  await import("../../../web/src/worker");
  let id = 0;
  const ask = (kind: RequestKind, data: unknown): ResponseMessage & { transfer: ArrayBuffer[] } => {
    self.onmessage!({ data: { id: ++id, kind, ask: data } });
    const { message, transfer } = posted.pop()!;
    assert.equal(posted.length, 0);
    assert.equal(message.id, id);
    return { ...message, transfer };
  };
  const query: Query = { selection: { event: 0, threads: null, range: null }, base: null, normalize: false, transforms: [], inverted: false };
  const viewport = { from: 0, to: 1, pixels: 100 };
  assert.match(ask("flame", { query, viewport }).error!, /no profile is open/);
  assert.match(ask("open", { bytes: new ArrayBuffer(4) }).error!, /damaged/);
  const { bytes } = makeSmall(2);
  const opened = ask("open", { bytes });
  const { symbols } = opened.answer as Answer<"open">;
  // The page gets copies: the profile's buffer stays.
  assert.ok(opened.transfer.length >= 6 && !opened.transfer.includes(bytes) && opened.transfer.includes(symbols.name.buffer as ArrayBuffer));
  const asks: [RequestKind, unknown][] = [
    ["flame", { query, viewport }], ["totals", { query }], ["locate", { query, path: [] }], ["tree", { query, open: [], heaviest: true, limit: 10 }],
    ["functions", { query, sort: "self", descending: true, pattern: "", limit: 10 }], ["around", { query, key: 0, pixels: 100 }], ["lines", { query, key: 0 }],
    ["search", { query, pattern: "a" }], ["tracks", { event: 0, threads: [0], range: [0, 10], bins: 4 }], ["threads", { event: 0, range: null }],
    ["heatmap", { selection: query.selection, columns: 4, rows: 4 }], ["chart", { event: 0, thread: 0, transforms: [], range: [0, 10], pixels: 10 }],
  ];
  for (let round = 0; round < 2; ++round) {
    for (const [kind, data] of asks) {
      const { answer, error, transfer } = ask(kind, data);
      assert.equal(error, undefined, kind);
      assert.ok(answer !== undefined, kind);
      // What is moved to the page is gone here; the next round shows that the engine keeps its own.
      structuredClone(answer, { transfer });
      for (const buffer of transfer) assert.equal(buffer.byteLength, 0, kind);
      assert.ok(["locate", "totals", "tree"].includes(kind) || transfer.length > 0, kind);
    }
    assert.match(ask("search", { query, pattern: "(" }).error!, /not a regular expression/);
    assert.match(ask("nonsense" as RequestKind, {}).error!, /unknown request/);
    assert.ok(ask("flame", {}).error !== undefined);
  }
});

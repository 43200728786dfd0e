// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { Worker } from "node:worker_threads";

import { Client, type Port } from "../../../web/src/app/client";
import { kTooLong, Matcher, type EndablePort } from "../../../web/src/app/matcher";
import type { Answer, Query, RequestMessage } from "../../../web/src/engine/api";
import { Engine, Requester } from "../../../web/src/engine/engine";
import { makeSmall } from "../engine/reference";

// A real thread that matches the text of its names with a real regular expression; the page's has Requester instead.
const kScript = `
  const { parentPort } = require("node:worker_threads");
  let names = [];
  parentPort.on("message", ({ id, kind, ask }) => {
    if (kind === "names") names = ask.symbols.texts;
    let answer = null, error;
    if (kind === "match") {
      try { const re = new RegExp(ask.pattern); answer = Uint8Array.from(names, (name) => Number(re.test(name))); } catch (e) { error = e.message; }
    }
    parentPort.postMessage({ id, answer, error });
  });`;

let started = 0, running = 0;
function startThread(): EndablePort {
  const worker = new Worker(kScript, { eval: true });
  ++started;
  ++running;
  const port: EndablePort = {
    onmessage: null,
    onerror: null,
    postMessage: (message) => worker.postMessage(message),
    terminate: () => {
      --running;
      void worker.terminate();
    },
  };
  worker.on("message", (data) => port.onmessage?.({ data } as MessageEvent));
  return port;
}
const texts = ["main", "a".repeat(60) + "!", "parse"];
const opened = { meta: {}, symbols: { name: { length: texts.length }, texts } } as unknown as Answer<"open">;

test("an expression that explodes is given up after a second, and others go on", async () => {
  let port: EndablePort | null = null;
  const matcher = new Matcher(() => (port = startThread()), opened);
  matcher.prepare();
  assert.deepEqual([...(await matcher.match("main|parse"))], [1, 0, 1]);
  assert.equal(started, 1);
  const begin = performance.now();
  const bad = matcher.match("^(a+)+$"), next = matcher.match("!$");
  await assert.rejects(bad, new RegExp(kTooLong));
  const took = performance.now() - begin;
  assert.ok(took >= 1000 && took < 5000, `${took} ms`);
  assert.deepEqual([...(await next)], [0, 1, 0]);
  assert.deepEqual([started, running], [2, 1]);
  // Known: no second of waiting again.
  const again = performance.now();
  await assert.rejects(matcher.match("^(a+)+$"), new RegExp(kTooLong));
  assert.ok(performance.now() - again < 500 && started === 2);
  await assert.rejects(matcher.match("("), /./);
  assert.deepEqual([...(await matcher.match("parse"))], [0, 0, 1]);
  assert.equal(started, 2);
  port!.terminate();
});

test("requests wait for their own expressions only, and the engine uses what was found", async () => {
  const { bytes } = makeSmall(3);
  const requester = new Requester();
  requester.answer("open", { bytes });
  const posted: RequestMessage[] = [];
  const port: Port = {
    onmessage: null,
    onerror: null,
    postMessage: (message) => {
      const { id, kind, ask, matches } = message as RequestMessage;
      posted.push(message as RequestMessage);
      const answer = requester.answer(kind, ask, matches);
      queueMicrotask(() => port.onmessage!({ data: { id, answer } } as MessageEvent));
    },
  };
  let finish!: (keys: Uint8Array) => void;
  const client = new Client(port);
  const asked: string[] = [];
  client.matcher = { match: (pattern: string) => {
    asked.push(pattern);
    return pattern === "bad" ? Promise.reject(new Error(kTooLong)) : new Promise<Uint8Array>((resolve) => (finish = resolve));
  } } as unknown as Matcher;
  const query: Query = { selection: { event: 0, threads: null, range: null }, base: null, normalize: false, transforms: [], inverted: false };
  const search = client.ask("search", { query, pattern: "nothing is called so" });
  await client.ask("totals", { query });
  await assert.rejects(client.ask("totals", { query: { ...query, transforms: [{ op: "keep-matching", pattern: "bad" }] } }), new RegExp(kTooLong));
  await assert.rejects(client.ask("chart", { event: 0, thread: 0, transforms: [{ op: "drop-matching", pattern: "bad" }], range: [0, 9], pixels: 9 }), new RegExp(kTooLong));
  assert.deepEqual(posted.map((m) => m.kind), ["totals"]);
  // The engine believes what it is given.
  const keys = new Uint8Array(new Engine(makeSmall(3).bytes).profile.keys).fill(1);
  finish(keys);
  assert.deepEqual([...(await search).result.keys], [...keys]);
  assert.deepEqual(asked, ["nothing is called so", "bad", "bad"]);
  // A request without matches does not get those of another one.
  assert.equal((requester.answer("search", { query, pattern: "nothing is called so at all" }) as Answer<"search">).result.functions, 0);
});

test("the worker for names matches as the engine does", () => {
  for (let seed = 1; seed <= 30; ++seed) {
    const names = new Requester(), engine = new Requester();
    const { meta, symbols } = engine.answer("open", { bytes: makeSmall(seed).bytes }) as Answer<"open">;
    assert.equal(names.answer("names", { meta, symbols }), null);
    const query: Query = { selection: { event: 0, threads: null, range: null }, base: null, normalize: false, transforms: [], inverted: false };
    for (const pattern of ["a", "^$", "lib|Hash", "server", "."]) {
      assert.deepEqual(names.answer("match", { pattern }), (engine.answer("search", { query, pattern }) as Answer<"search">).result.keys);
    }
    assert.throws(() => names.answer("match", { pattern: "(" }), /not a regular expression/);
  }
});

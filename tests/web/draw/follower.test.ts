// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { Follower } from "../../../web/src/draw/follower";

// What is to be shown is `wanted`. Requests are answered or fail when the test says so, by their number.
function setUp() {
  const log: string[] = [];
  const requests: { text: string; answer(): Promise<void>; fail(): Promise<void> }[] = [];
  const it = { wanted: "a" as string | null, log, requests, busy: false };
  const settle = () => new Promise<void>((resolve) => setImmediate(() => resolve()));
  const ask = () => {
    const text = it.wanted;
    if (text === null) return null;
    return new Promise<() => void>((resolve, reject) => {
      requests.push({
        text,
        answer: () => (resolve(() => log.push(text)), settle()),
        fail: () => (reject(new Error(text)), settle()),
      });
    });
  };
  const follower = new Follower(
    ask,
    { setBusy: (isBusy) => (it.busy = isBusy) },
    (error) => log.push(`failed ${(error as Error).message}`),
  );
  return { ...it, it, follower };
}

test("one request is under way; the newest wish is asked for after its answer, those between never", async () => {
  const { it, follower, requests, log } = setUp();
  follower.follow();
  for (const wanted of ["b", "c", "d"]) {
    it.wanted = wanted;
    follower.follow();
  }
  assert.equal(requests.length, 1);
  assert.equal(it.busy, true);
  await requests[0]!.answer();
  assert.deepEqual(requests.map((x) => x.text), ["a", "d"]);
  assert.equal(it.busy, true);
  await requests[1]!.answer();
  assert.deepEqual(log, ["a", "d"]);
  assert.equal(requests.length, 2);
  assert.equal(it.busy, false);
});

test("a request that overtakes is asked at once, and the overtaken answer is not shown", async () => {
  for (const order of [[0, 1], [1, 0]]) {
    const { it, follower, requests, log } = setUp();
    follower.follow();
    it.wanted = "b";
    follower.follow(true);
    assert.equal(requests.length, 2);
    for (const i of order) await requests[i]!.answer();
    assert.deepEqual(log, ["b"]);
    assert.equal(it.busy, false);
    assert.equal(requests.length, 2);
  }
});

test("an overtaken request that fails says nothing and does not end the wait", async () => {
  const { it, follower, requests, log } = setUp();
  follower.follow();
  it.wanted = "b";
  follower.follow(true);
  await requests[0]!.fail();
  assert.equal(it.busy, true);
  await requests[1]!.answer();
  assert.deepEqual(log, ["b"]);
});

test("after a failure the next wish is asked for", async () => {
  const { it, follower, requests, log } = setUp();
  follower.follow();
  await requests[0]!.fail();
  assert.equal(it.busy, false);
  it.wanted = "b";
  follower.follow();
  await requests[1]!.answer();
  assert.deepEqual(log, ["failed a", "b"]);
});

test("nothing to ask leaves the request under way alone", async () => {
  const { it, follower, requests, log } = setUp();
  follower.follow();
  it.wanted = null;
  follower.follow(true);
  await requests[0]!.answer();
  assert.deepEqual(log, ["a"]);
  assert.equal(it.busy, false);
});

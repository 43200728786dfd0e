// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The worker: gets requests from the page, hands them to the engine, posts the answers. While there are no requests, the engine
// prepares for later ones.

import type { RequestMessage, ResponseMessage } from "./engine/api";
import { Requester } from "./engine/engine";

// The page's types know windows only.
declare const self: {
  onmessage: ((event: MessageEvent<RequestMessage>) => void) | null;
  postMessage(message: ResponseMessage, transfer: Transferable[]): void;
};

const kIdle = 50; // ms; the page draws first

const requester = new Requester();
let idle: ReturnType<typeof setTimeout> | undefined;

self.onmessage = ({ data }) => {
  const { id, kind, ask, matches } = data;
  try {
    const answer = requester.answer(kind, ask, matches);
    self.postMessage({ id, answer }, buffersOf(answer));
  } catch (error) {
    self.postMessage({ id, error: messageOf(error) }, []);
  }
  clearTimeout(idle);
  idle = setTimeout(prepare, kIdle);
};

function prepare(): void {
  // Requests that came in the meantime are first.
  if (requester.prepare()) idle = setTimeout(prepare, 0);
}

// Columns of an answer move to the page; they are two levels deep at most.
function buffersOf(answer: unknown, depth = 2): Transferable[] {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return [];
  if (ArrayBuffer.isView(answer)) return [answer.buffer as ArrayBuffer];
  const found = new Set<ArrayBuffer>();
  for (const value of Object.values(answer)) {
    if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
    else if (depth > 1) for (const buffer of buffersOf(value, depth - 1)) found.add(buffer as ArrayBuffer);
  }
  return [...found];
}

function messageOf(error: unknown): string {
  if (error instanceof RangeError && /alloc|length/i.test(error.message)) return "the profile is too large for this browser's memory";
  return error instanceof Error ? error.message : String(error);
}

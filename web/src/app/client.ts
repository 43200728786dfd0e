// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Asks the engine, which runs in a worker. Each channel has one request under way and one that waits: while a brush is dragged,
// the engine gets requests as fast as it answers them, and never works off a queue of outdated ones. Regular expressions are matched
// elsewhere (app/matcher.ts) first; other requests do not wait for them.

import type { Answer, Ask, Query, RequestKind, RequestMessage, ResponseMessage, Transform } from "../engine/api";
import type { Matcher } from "./matcher";

// What a Worker offers of itself; tests give something else.
export interface Port {
  postMessage(message: unknown, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

const kSlow = 8000; // ms

interface Waiting {
  kind: RequestKind;
  sent: number; // performance.now()
  resolve(answer: unknown): void;
  reject(error: Error): void;
  channel: string | undefined;
}
interface Channel {
  busy: boolean;
  next: (() => void) | null;
}

export class Client {
  // For requests with regular expressions; without it, the engine matches them itself.
  matcher: Matcher | null = null;
  // Called if the worker itself fails; no request is answered any more.
  failed: ((message: string) => void) | null = null;
  // Called when an answer takes longer than kSlow, and when answers arrive again.
  slow: ((isSlow: boolean) => void) | null = null;
  // Called when the first request is sent, and when all are answered.
  busy: ((isBusy: boolean) => void) | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private id = 0;
  private readonly waiting = new Map<number, Waiting>();
  private readonly channels = new Map<string, Channel>();

  constructor(private readonly port: Port) {
    port.onmessage = (event) => this.receive(event.data as ResponseMessage);
    port.onerror = (event) => {
      const message = event.message || "the worker could not be started";
      for (const { reject } of this.waiting.values()) reject(new Error(message));
      this.waiting.clear();
      this.failed?.(message);
    };
  }

  ask<K extends RequestKind>(kind: K, ask: Ask<K>, channel?: string, transfer: Transferable[] = []): Promise<Answer<K>> {
    return new Promise<Answer<K>>((resolve, reject) => {
      const send = () => this.send(kind, ask, { kind, sent: performance.now(), resolve: resolve as (answer: unknown) => void, reject, channel }, transfer);
      if (channel === undefined) return send();
      let state = this.channels.get(channel);
      if (state === undefined) this.channels.set(channel, (state = { busy: false, next: null }));
      if (state.busy) {
        state.next = send; // the one that waited until now stays without an answer
      } else {
        state.busy = true;
        send();
      }
    });
  }

  private send(kind: RequestKind, ask: unknown, waiting: Waiting, transfer: Transferable[]): void {
    const message: RequestMessage = { id: ++this.id, kind, ask };
    if (this.waiting.size === 0) this.busy?.(true);
    this.waiting.set(message.id, waiting);
    const patterns = this.matcher === null ? [] : patternsOf(ask);
    if (patterns.length === 0) {
      this.port.postMessage(message, transfer);
    } else {
      Promise.all(patterns.map(async (pattern): Promise<[string, Uint8Array]> => [pattern, await this.matcher!.match(pattern)])).then(
        (matches) => this.port.postMessage({ ...message, matches }, transfer),
        (error: Error) => this.receive({ id: message.id, error: error.message }),
      );
    }
    this.timer ??= setTimeout(() => this.slow?.(true), kSlow);
  }

  private receive(message: ResponseMessage): void {
    const waiting = this.waiting.get(message.id);
    if (waiting === undefined) return;
    this.waiting.delete(message.id);
    performance.measure(`wick ${waiting.kind}`, { start: waiting.sent });
    clearTimeout(this.timer);
    this.timer = undefined;
    this.slow?.(false);
    const channel = waiting.channel === undefined ? undefined : this.channels.get(waiting.channel);
    if (channel !== undefined) {
      const next = channel.next;
      channel.next = null;
      channel.busy = next !== null;
      next?.();
    }
    if (this.waiting.size === 0) this.busy?.(false);
    if (this.waiting.size > 0) this.timer ??= setTimeout(() => this.slow?.(true), kSlow);
    if (message.error !== undefined) waiting.reject(new Error(message.error));
    else waiting.resolve(message.answer);
  }
}

// Of any request: what it looks for, and transforms.
function patternsOf(ask: unknown): string[] {
  const { pattern, query, transforms } = ask as { pattern?: string; query?: Query; transforms?: readonly Transform[] };
  const found = new Set<string>(pattern === undefined || pattern === "" ? [] : [pattern]);
  for (const transform of query?.transforms ?? transforms ?? []) if ("pattern" in transform) found.add(transform.pattern);
  return [...found];
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Finds the functions that match a regular expression, in a worker of its own: some expressions, such as (a+)+$, take longer than a
// lifetime for some names. That worker is ended then, and the engine never notices.

import type { Answer, RequestKind, RequestMessage, ResponseMessage } from "../engine/api";
import type { Port } from "./client";

export interface EndablePort extends Port {
  terminate(): void;
}

export const kTooLong = "this expression takes too long";
const kLimit = 1000; // ms
const kNamesPerMs = 100; // of more than a few names, the time that they need
const kKept = 16; // answers

export class Matcher {
  private port: EndablePort | null = null;
  private readonly kept = new Map<string, Promise<Uint8Array>>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly start: () => EndablePort,
    private readonly opened: Answer<"open">,
  ) {}

  // One flag per key. Fails for expressions that are invalid or take too long.
  match(pattern: string): Promise<Uint8Array> {
    let answer = this.kept.get(pattern);
    if (answer === undefined) {
      // One at a time: the time of each is limited.
      answer = this.last.then(() => this.run(pattern));
      this.last = answer.catch(() => undefined);
    }
    // The newest is the last.
    this.kept.delete(pattern);
    this.kept.set(pattern, answer);
    if (this.kept.size > kKept) this.kept.delete(this.kept.keys().next().value as string);
    return answer;
  }

  // Starts the worker, so that the first expression does not wait for it.
  prepare(): void {
    this.last = this.last.then(() => this.begin()).catch(() => undefined);
  }

  private async begin(): Promise<void> {
    if (this.port !== null) return;
    this.port = this.start();
    const { meta, symbols } = this.opened;
    await this.ask("names", { meta, symbols }, Infinity);
  }

  private async run(pattern: string): Promise<Uint8Array> {
    await this.begin();
    return (await this.ask("match", { pattern }, kLimit + this.opened.symbols.name.length / kNamesPerMs)) as Answer<"match">;
  }

  private ask(kind: RequestKind, ask: unknown, limit: number): Promise<unknown> {
    const port = this.port!;
    return new Promise((resolve, reject) => {
      const end = (message: string): void => {
        port.terminate();
        this.port = null;
        reject(new Error(message));
      };
      const timer = limit === Infinity ? undefined : setTimeout(() => end(kTooLong), limit);
      port.onmessage = ({ data }) => {
        clearTimeout(timer);
        const { answer, error } = data as ResponseMessage;
        if (error === undefined) resolve(answer);
        else reject(new Error(error));
      };
      port.onerror = (event) => {
        clearTimeout(timer);
        end(event.message || "the worker could not be started");
      };
      const message: RequestMessage = { id: 0, kind, ask };
      port.postMessage(message, []);
    });
  }
}

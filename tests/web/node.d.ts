// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// What the tests use of Node.

declare module "node:test" {
  export function test(name: string, run: () => void | Promise<void>): void;
  export function test(name: string, options: { skip?: boolean | string }, run: () => void | Promise<void>): void;
  export default test;
}
declare module "node:assert/strict" {
  interface Assert {
    (value: unknown, message?: string): asserts value;
    ok(value: unknown, message?: string): asserts value;
    fail(message?: string): never;
    equal(actual: unknown, expected: unknown, message?: string): void;
    notEqual(actual: unknown, expected: unknown, message?: string): void;
    deepEqual(actual: unknown, expected: unknown, message?: string): void;
    notDeepEqual(actual: unknown, expected: unknown, message?: string): void;
    match(actual: string, expected: RegExp, message?: string): void;
    doesNotMatch(actual: string, expected: RegExp, message?: string): void;
    throws(run: () => unknown, expected?: RegExp | (new (...args: never[]) => Error), message?: string): void;
    doesNotThrow(run: () => unknown, message?: string): void;
    rejects(run: Promise<unknown> | (() => Promise<unknown>), expected?: RegExp, message?: string): Promise<void>;
  }
  const assert: Assert;
  export default assert;
}
declare module "node:fs" {
  export function existsSync(path: string): boolean;
  export function readFileSync(path: string): Uint8Array & { readonly buffer: ArrayBuffer };
  export function readFileSync(path: string, encoding: "utf8" | "utf-8"): string;
  export function writeFileSync(path: string, bytes: Uint8Array): void;
}
declare module "node:worker_threads" {
  export class Worker {
    constructor(code: string, options: { eval: true });
    postMessage(message: unknown): void;
    on(event: "message", run: (data: unknown) => void): void;
    terminate(): Promise<number>;
  }
}
declare module "node:path" {
  export function join(...parts: string[]): string;
  export function dirname(path: string): string;
  export function resolve(...parts: string[]): string;
}
interface Process {
  argv: string[];
  env: Record<string, string | undefined>;
  cwd(): string;
  exit(code: number): never;
  memoryUsage(): { rss: number; heapUsed: number; arrayBuffers: number };
}
declare module "node:process" {
  const process: Process;
  export default process;
}
declare const process: Process;
declare const __dirname: string;
declare function setImmediate(run: (value?: unknown) => void): void;
declare const Buffer: { from(text: string | Uint8Array, encoding?: string): Uint8Array & { toString(encoding?: string): string } };

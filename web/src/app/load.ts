// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Where the profile comes from: the page itself (wick export --format html) or the server (wick view). docs/view-protocol.md

import type { Code } from "../engine/api";

// TypeScript's library does not have it yet.
declare const DecompressionStream: new (format: "gzip") => ReadableWritablePair<Uint8Array, Uint8Array>;

export type Progress = (received: number, total: number) => void; // total 0: unknown

// Whether the profile is in the page, which then has no server.
const isOneFile = typeof document !== "undefined" && document.getElementById("wick-profile") !== null;
export const hasServer = !isOneFile;

export async function loadProfile(progress: Progress): Promise<ArrayBuffer> {
  const element = document.getElementById("wick-profile");
  if (element !== null) {
    const packed = decodeBase64(element.textContent ?? "");
    element.remove();
    return unpack(packed);
  }
  const response = await fetch("profile", { cache: "no-store" });
  if (!response.ok || response.body === null) throw new Error(`the server answered with status ${response.status}`);
  return collect(response.body, Number(response.headers.get("Content-Length") ?? 0), progress);
}

// Ignores white space. Decodes in parts, so that no second text of that size is made.
export function decodeBase64(text: string): Uint8Array {
  const kPart = 1 << 16; // a multiple of 4
  if (/\s/.test(text)) text = text.replace(/\s+/g, "");
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const out = new Uint8Array(Math.floor((text.length * 3) / 4) - padding);
  let at = 0;
  for (let i = 0; i < text.length; i += kPart) {
    const part = atob(text.slice(i, i + kPart));
    for (let j = 0; j < part.length; ++j) out[at++] = part.charCodeAt(j);
  }
  return out;
}

async function unpack(packed: Uint8Array): Promise<ArrayBuffer> {
  // The last four bytes of gzip are the size.
  const size = packed.length < 18 ? 0 : new DataView(packed.buffer, packed.byteOffset).getUint32(packed.length - 4, true);
  const plausible = size < packed.length * 1100 ? size : 0;
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return collect(stream, plausible, () => undefined);
}

// Reads a stream into one buffer. If the size is known, nothing is copied twice.
export async function collect(stream: ReadableStream<Uint8Array>, size: number, progress: Progress): Promise<ArrayBuffer> {
  let buffer = new Uint8Array(size > 0 ? size : 1 << 20);
  let used = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done || value === undefined) break;
    if (used + value.length > buffer.length) {
      const larger = new Uint8Array(Math.max(used + value.length, buffer.length * 2));
      larger.set(buffer.subarray(0, used));
      buffer = larger;
    }
    buffer.set(value, used);
    used += value.length;
    progress(used, size);
  }
  return used === buffer.length ? buffer.buffer : buffer.buffer.slice(0, used);
}

// Source and assembly of a function.
export async function loadCode(key: number, serverIsGone: boolean): Promise<Code> {
  const element = document.getElementById("wick-code");
  if (element !== null) {
    embedded ??= unpack(decodeBase64(element.textContent ?? "")).then((json) => JSON.parse(new TextDecoder().decode(json)) as Record<string, Code>);
    const all = await embedded;
    const code = Object.prototype.hasOwnProperty.call(all, String(key)) ? all[key] : undefined;
    if (code === undefined) throw new Error("this file has source and assembly of the hottest functions only");
    return checked(code);
  }
  if (isOneFile) throw new Error("this file has no source and no assembly");
  if (serverIsGone) throw new Error("wick view has ended; start it again to see source and assembly");
  const response = await fetch(`code?function=${key}`, { cache: "no-store" });
  if (!response.ok) throw new Error(`the server answered with status ${response.status}`);
  return checked((await response.json()) as Code);
}
function checked(code: Code): Code {
  if (![code?.rows, code?.instructions, code?.notes].every(Array.isArray)) throw new Error("source and assembly come from another version of wick");
  return code;
}
let embedded: Promise<Record<string, Code>> | undefined;

// Keeps a stream to the server open, which ends when no page has one any more. `gone` is called when it breaks and cannot be opened
// again, `back` when it can.
export class Alive {
  private retry = 0;
  isGone = false;

  constructor(
    private readonly gone: () => void,
    private readonly back: () => void,
  ) {
    void this.run();
  }

  again(): void {
    if (this.isGone) void this.run();
  }

  private async run(): Promise<void> {
    for (this.retry = 0; this.retry < 3; ++this.retry) {
      try {
        const response = await fetch("alive", { cache: "no-store" });
        if (response.ok && response.body !== null) {
          if (this.isGone) this.back();
          this.isGone = false;
          this.retry = 0;
          const reader = response.body.getReader();
          while (!(await reader.read()).done);
        }
      } catch {
        // Not reachable.
      }
      await new Promise((resolve) => setTimeout(resolve, 300 * (this.retry + 1)));
    }
    this.isGone = true;
    this.gone();
  }
}

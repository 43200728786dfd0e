// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Writes the bytes of docs/view-protocol.md.

import type { Meta } from "../../../web/src/engine/api";

export type Column = Uint8Array | Uint32Array | Float64Array | { constant: number; count: number };
export type Columns = Record<string, Column>;

export function encodePayload(meta: unknown, columns: Columns, version = 1): Uint8Array {
  const align = (n: number) => (n + 7) & ~7;
  const rows: unknown[] = [];
  let size = 0;
  for (const [name, column] of Object.entries(columns)) {
    if ("constant" in column) {
      rows.push({ name, constant: column.constant, count: column.count });
      continue;
    }
    const type = column instanceof Uint8Array ? "u8" : column instanceof Uint32Array ? "u32" : "f64";
    rows.push({ name, type, offset: size, count: column.length });
    size = align(size + column.byteLength);
  }
  const header = new TextEncoder().encode(JSON.stringify({ meta, columns: rows }));
  const begin = align(16 + header.length);
  const out = new Uint8Array(begin + size);
  out.fill(0x20, 16, begin);
  out.set(new TextEncoder().encode("WICKVIEW"));
  new DataView(out.buffer).setUint32(8, version, true);
  new DataView(out.buffer).setUint32(12, begin - 16, true);
  out.set(header, 16);
  let at = begin;
  for (const column of Object.values(columns)) {
    if ("constant" in column) continue;
    out.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at);
    at = align(at + column.byteLength);
  }
  return out;
}

export function stringColumns(strings: readonly string[]): Columns {
  const encoded = strings.map((s) => new TextEncoder().encode(s));
  const offsets = new Uint32Array(strings.length + 1);
  encoded.forEach((bytes, i) => (offsets[i + 1] = offsets[i]! + bytes.length));
  const all = new Uint8Array(offsets[strings.length]!);
  encoded.forEach((bytes, i) => all.set(bytes, offsets[i]));
  return { string_offset: offsets, string_bytes: all };
}

// What tests do not care about.
export function plainMeta(change: Partial<Meta> = {}): Meta {
  return {
    title: "test", command: ["test"], target: "", startWallNs: "0", durationNs: 1e9, timeUnitNs: 1000, hasTimes: true, hasCounts: true,
    importedFrom: "", isDifference: false, sides: [], files: ["test.wick"], events: [], defaultEvent: 0, processes: [], threads: [],
    modules: [], groups: [], kinds: ["program"], palette: { light: [["#cccccc"]], dark: [["#333333"]] }, summary: [], quality: [],
    warnings: [], insights: [], stackWays: null, cpuTime: null, hasSource: false, ...change,
  };
}

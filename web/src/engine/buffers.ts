// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Columns that are needed for a while. A view of ten million samples needs some of several megabytes; left to the garbage
// collector, they would double the worker's memory.

const kMostKept = 4 << 20; // bytes

type Column = Uint8Array | Uint32Array | Float64Array;

// Frees the memory at once where the browser can; else the collector will. Nothing else may use it.
export function freeColumns(...columns: Column[]): void {
  for (const column of columns) (column.buffer as { transfer?: (length: number) => unknown }).transfer?.(0);
}

export class Buffers {
  private free: Column[] = [];
  private kept = 0;

  // Columns may be longer than asked, and have any content.
  u8(length: number): Uint8Array {
    return this.take(Uint8Array, length);
  }
  u32(length: number): Uint32Array {
    return this.take(Uint32Array, length);
  }
  f64(length: number): Float64Array {
    return this.take(Float64Array, length);
  }

  give(...columns: Column[]): void {
    for (const column of columns) {
      if (column.byteLength < 1024) continue;
      if (this.kept + column.byteLength > kMostKept) {
        freeColumns(column);
        continue;
      }
      this.free.push(column);
      this.kept += column.byteLength;
    }
  }

  private take<T extends Column>(type: new (length: number) => T, length: number): T {
    let best = -1;
    this.free.forEach((column, i) => {
      if (column instanceof type && column.length >= length && (best < 0 || column.length < this.free[best]!.length)) best = i;
    });
    if (best < 0) return new type(length);
    const [found] = this.free.splice(best, 1);
    this.kept -= found!.byteLength;
    return found as T;
  }
}

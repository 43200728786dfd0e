// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The names and kinds of what boxes and rows stand for (keys, engine/api.ts).

import { kNone, type Meta, type SymbolColumns } from "../engine/api";

const decoder = new TextDecoder();

export class Symbols {
  readonly functions: number;
  private readonly texts = new Map<number, string>();

  constructor(
    private readonly columns: SymbolColumns,
    private readonly meta: Meta,
  ) {
    this.functions = columns.name.length;
  }

  text(string: number): string {
    if (string === kNone) return "";
    let text = this.texts.get(string);
    if (text === undefined) {
      const { offsets, bytes } = this.columns;
      text = decoder.decode(bytes.subarray(offsets[string]!, offsets[string + 1]!));
      this.texts.set(string, text);
    }
    return text;
  }

  isFunction(key: number): boolean {
    return key < this.functions;
  }
  isGroup(key: number): boolean {
    return key >= this.functions && key < this.functions + this.meta.groups.length;
  }
  // The full name. Names are foreign text: show them as text, never as HTML.
  name(key: number): string {
    if (key === kNone) return "all";
    if (this.isFunction(key)) return this.text(this.columns.name[key]!);
    const group = key - this.functions;
    if (group < this.meta.groups.length) return this.meta.groups[group]!;
    return this.meta.modules[group - this.meta.groups.length]?.name ?? "";
  }
  module(key: number): number {
    if (this.isFunction(key)) return this.columns.module[key]!;
    const module = key - this.functions - this.meta.groups.length;
    return module >= 0 && key !== kNone ? module : kNone;
  }
  moduleName(key: number): string {
    const module = this.module(key);
    return module === kNone ? "" : (this.meta.modules[module]?.name ?? "");
  }
  // Where the function is in its source: "file:line", or empty.
  place(key: number): string {
    if (!this.isFunction(key)) return "";
    const file = this.text(this.columns.file[key]!);
    const line = this.columns.line[key]!;
    return file === "" ? "" : line === 0 ? file : `${file}:${line}`;
  }
  kind(key: number): number {
    return this.isFunction(key) ? this.columns.kind[key]! : 0;
  }
  color(key: number, dark: boolean): string {
    const palette = dark ? this.meta.palette.dark : this.meta.palette.light;
    return this.isFunction(key) ? (palette[this.columns.kind[key]!]?.[this.columns.shade[key]!] ?? "#999") : dark ? "#3a3f4b" : "#d8dce3";
  }
}

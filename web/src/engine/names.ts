// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Names of keys: for search and for the order of equal costs.

import { compilePattern } from "../format/pattern";
import { kNone } from "./api";
import type { Profile } from "./payload";

export type Named = Pick<Profile, "meta" | "functions" | "keys" | "functionName" | "functionModule" | "stringOffset" | "stringBytes">;

export class Names {
  // Results of match() that came with a request.
  known: ReadonlyMap<string, Uint8Array> = new Map();
  private readonly texts: (string | undefined)[];
  private readonly decoder = new TextDecoder();

  constructor(private readonly profile: Named) {
    this.texts = new Array<string | undefined>(profile.functions);
  }

  name(key: number): string {
    const { functions, meta, functionName, stringOffset, stringBytes } = this.profile;
    if (key >= functions) {
      const group = key - functions;
      return (group < meta.groups.length ? meta.groups[group] : meta.modules[group - meta.groups.length]?.name) ?? "";
    }
    let text = this.texts[key];
    if (text === undefined) {
      const string = functionName[key]!;
      text = this.decoder.decode(stringBytes.subarray(stringOffset[string]!, stringOffset[string + 1]!));
      this.texts[key] = text;
    }
    return text;
  }

  isGroup(key: number): boolean {
    return key >= this.profile.functions && key < this.profile.functions + this.profile.meta.groups.length;
  }

  // A row of meta.modules, or kNone.
  module(key: number): number {
    const { functions, functionModule, meta, keys } = this.profile;
    if (key < functions) return functionModule[key]!;
    return key >= functions + meta.groups.length && key < keys ? key - functions - meta.groups.length : kNone;
  }

  keyOfModule(module: number): number {
    return this.profile.functions + this.profile.meta.groups.length + module;
  }

  moduleName(key: number): string {
    const module = this.module(key);
    return module === kNone ? "" : this.profile.meta.modules[module]!.name;
  }

  // By the bytes of the name, then of the module: the order of `wick report`.
  compare(a: number, b: number): number {
    if (a === b) return 0;
    const { functions } = this.profile;
    let order = 0;
    if (a < functions && b < functions) {
      const { functionName, stringOffset, stringBytes } = this.profile;
      const x = functionName[a]!, y = functionName[b]!;
      if (x !== y) {
        let i = stringOffset[x]!, j = stringOffset[y]!;
        const iEnd = stringOffset[x + 1]!, jEnd = stringOffset[y + 1]!;
        for (; i < iEnd && j < jEnd && stringBytes[i] === stringBytes[j]; ++i, ++j);
        order = i < iEnd && j < jEnd ? stringBytes[i]! - stringBytes[j]! : iEnd - i - (jEnd - j);
      }
      if (order === 0) order = compareTexts(this.moduleName(a), this.moduleName(b));
    } else {
      order = compareTexts(this.name(a), this.name(b));
    }
    return order !== 0 ? order : a - b;
  }

  // One flag per key. Process names never match: searching is about functions.
  match(pattern: string): Uint8Array {
    const known = this.known.get(pattern);
    if (known !== undefined) return known;
    const re = compilePattern(pattern);
    const { functions, meta, keys } = this.profile;
    const matches = new Uint8Array(keys);
    for (let key = 0; key < functions; ++key) if (re.test(this.name(key))) matches[key] = 1;
    for (let key = functions + meta.groups.length; key < keys; ++key) if (re.test(this.name(key))) matches[key] = 1;
    return matches;
  }
}

export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

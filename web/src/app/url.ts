// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The state as the fragment of the URL, such as "flame/t=3,5/r=100-200/x=f12,m7/s=malloc". Only what differs from the default is
// in it. Any text gives a valid state: what is not understood, or not in this profile, is left out.

import type { Transform } from "../engine/api";
import { isPattern } from "../format/pattern";
import { kLeastSpan, kViews } from "./state";
import type { Comparison, State } from "./view";

// What numbers in a state may be.
export interface Limits {
  events: number;
  threads: number;
  keys: number;
  modules: number;
  end: number; // of the recording, time units
  isDifference: boolean;
}

export const kSorts = ["self", "total", "name", "module", "delta"] as const;

// Letters of transforms: those that act on a function, a path, a module, a pattern.
const kOfKey = {
  f: "focus-function", S: "focus-self", m: "merge-function", d: "drop-function", c: "collapse-subtree", r: "collapse-recursion",
  R: "collapse-direct-recursion",
} as const;
const kOfPath = { F: "focus-subtree", M: "merge-node" } as const;
const kOfModule = { C: "collapse-module", l: "keep-module", L: "drop-module" } as const;
const kOfPattern = { g: "keep-matching", G: "drop-matching" } as const;

export function encodeState(state: State, defaults: State): string {
  const parts: string[] = [state.view];
  const put = (name: string, value: string) => parts.push(`${name}=${value}`);
  if (state.event !== defaults.event) put("e", String(state.event));
  if (state.threads !== null) put("t", encodeSet(state.threads));
  if (state.range !== null) put("r", encodeRange(state.range));
  if (!sameComparison(state.compare, defaults.compare)) put("c", encodeComparison(state.compare));
  if (state.normalize !== defaults.normalize) put("n", state.normalize ? "1" : "0");
  if (state.transforms.length > 0) put("x", state.transforms.map(encodeTransform).join(","));
  if (state.inverted) parts.push("inverted");
  if (state.icicle) parts.push("icicle");
  if (state.search !== "") put("s", encodeText(state.search));
  if (state.key >= 0) put("k", String(state.key));
  if (state.sort !== defaults.sort || state.descending !== defaults.descending) put("by", `${state.descending ? "-" : ""}${state.sort}`);
  if (state.zoom.length > 0) put("z", encodePath(state.zoom));
  if (state.span !== null) put("v", encodeSpan(state.span));
  if (state.time !== null) put("w", encodeSpan(state.time));
  if (state.selected.length > 0) put("p", encodePath(state.selected));
  if (state.opened.length > 0) put("o", encodePaths(state.opened));
  return parts.join("/");
}

export function decodeState(text: string, defaults: State, limits: Limits): State {
  const state: State = { ...defaults };
  for (const [i, part] of text.replace(/^#/, "").split("/").entries()) {
    const equals = part.indexOf("=");
    const name = equals < 0 ? part : part.slice(0, equals);
    const value = equals < 0 ? "" : part.slice(equals + 1);
    if (i === 0) {
      state.view = kViews.find((x) => x === name) ?? defaults.view;
      continue;
    }
    switch (name) {
      case "e": state.event = number(value, limits.events) ?? state.event; break;
      case "t": state.threads = decodeSet(value, limits.threads); break;
      case "r": state.range = decodeRange(value, limits.end); break;
      case "c": state.compare = decodeComparison(value, limits, defaults.compare); break;
      case "n": state.normalize = value === "1" ? true : value === "0" ? false : state.normalize; break;
      case "x": state.transforms = value.split(",").flatMap((x) => decodeTransform(x, limits) ?? []); break;
      case "inverted": state.inverted = true; break;
      case "icicle": state.icicle = true; break;
      case "s": state.search = decodePattern(value) ?? ""; break;
      case "k": state.key = number(value, limits.keys) ?? -1; break;
      case "by": {
        const sort = kSorts.find((x) => x === value.replace(/^-/, ""));
        if (sort !== undefined) [state.sort, state.descending] = [sort, value.startsWith("-")];
        break;
      }
      case "z": state.zoom = decodePath(value, limits.keys) ?? []; break;
      case "v": state.span = decodeSpan(value, 1, kLeastSpan / 2); break;
      case "w": state.time = decodeSpan(value, limits.end, 1); break;
      case "p": state.selected = decodePath(value, limits.keys) ?? []; break;
      case "o": state.opened = decodePaths(value, limits.keys); break;
    }
  }
  // Events 0 and 1 of a difference are its sides.
  if (state.compare?.kind === "files" && state.event > 1) state.event = defaults.event;
  return state;
}

function number(text: string, limit: number): number | null {
  if (!/^\d{1,16}$/.test(text)) return null;
  const value = Number(text);
  return value < limit ? value : null;
}

// encodeURIComponent fails on halves of characters.
function encodeText(text: string): string {
  return encodeURIComponent(text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd"));
}
function decodePattern(text: string): string | null {
  try {
    const pattern = decodeURIComponent(text);
    return pattern !== "" && isPattern(pattern) ? pattern : null;
  } catch {
    return null;
  }
}

// Ascending numbers, with runs: "0-3,7".
function encodeSet(values: readonly number[]): string {
  const sorted = [...new Set(values)].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < sorted.length; ) {
    let j = i;
    while (j + 1 < sorted.length && sorted[j + 1] === sorted[j]! + 1) ++j;
    parts.push(j === i ? String(sorted[i]) : `${sorted[i]}-${sorted[j]}`);
    i = j + 1;
  }
  return parts.join(",");
}
function decodeSet(text: string, limit: number): number[] | null {
  const values = new Set<number>();
  for (const part of text.split(",")) {
    const [first = "", last = first] = part.split("-");
    const begin = number(first, limit);
    const end = number(last, limit);
    if (begin === null || end === null) continue;
    for (let value = begin; value <= end; ++value) values.add(value);
  }
  return values.size === 0 ? null : [...values].sort((a, b) => a - b);
}

function encodeRange(range: readonly [number, number]): string {
  return `${range[0]}-${range[1]}`;
}
function decodeRange(text: string, end: number): [number, number] | null {
  const match = /^(\d{1,16})-(\d{1,16})$/.exec(text);
  if (match === null) return null;
  const range: [number, number] = [Number(match[1]), Math.min(Number(match[2]), end)];
  return range[0] < range[1] ? range : null;
}

// Fractions, as exact as a screen can show them.
function encodeSpan([from, to]: readonly [number, number]): string {
  const digits = Math.min(15, Math.max(0, 5 - Math.floor(Math.log10(to - from))));
  return [from, to].map((x) => x.toFixed(digits).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "")).join("-");
}
function decodeSpan(text: string, end: number, least: number): [number, number] | null {
  const match = /^(\d{1,16}(?:\.\d{1,15})?)-(\d{1,16}(?:\.\d{1,15})?)$/.exec(text);
  if (match === null) return null;
  const span: [number, number] = [Number(match[1]), Math.min(Number(match[2]), end)];
  if (!(span[1] - span[0] >= least)) return null;
  const [from, to] = encodeSpan(span).split("-").map(Number);
  return [from!, to!];
}

function encodeComparison(compare: Comparison | null): string {
  switch (compare?.kind) {
    case "files": return "files";
    case "range": return `r${encodeRange(compare.range)}`;
    case "threads": return `t${encodeSet(compare.threads)}`;
    default: return "none";
  }
}
function decodeComparison(text: string, limits: Limits, fallback: Comparison | null): Comparison | null {
  if (text === "none") return null;
  if (text === "files" && limits.isDifference) return { kind: "files" };
  if (text.startsWith("r")) {
    const range = decodeRange(text.slice(1), limits.end);
    if (range !== null) return { kind: "range", range };
  }
  if (text.startsWith("t")) {
    const threads = decodeSet(text.slice(1), limits.threads);
    if (threads !== null) return { kind: "threads", threads };
  }
  return fallback;
}
function sameComparison(a: Comparison | null, b: Comparison | null): boolean {
  return encodeComparison(a) === encodeComparison(b);
}

function encodeTransform(transform: Transform): string {
  const letter = (letters: Record<string, string>) => Object.keys(letters).find((x) => letters[x] === transform.op)!;
  if ("key" in transform) return letter(kOfKey) + String(transform.key);
  if ("path" in transform) return letter(kOfPath) + (transform.inverted ? "i" : "") + encodePath(transform.path);
  if ("module" in transform) return letter(kOfModule) + String(transform.module);
  return letter(kOfPattern) + encodeText(transform.pattern);
}
function decodeTransform(text: string, limits: Limits): Transform | null {
  const letter = text.charAt(0);
  const rest = text.slice(1);
  if (has(kOfKey, letter)) {
    const key = number(rest, limits.keys);
    return key === null ? null : { op: kOfKey[letter], key };
  }
  if (has(kOfPath, letter)) {
    const inverted = rest.startsWith("i");
    const path = decodePath(inverted ? rest.slice(1) : rest, limits.keys);
    return path === null ? null : { op: kOfPath[letter], path, inverted };
  }
  if (has(kOfModule, letter)) {
    const module = number(rest, limits.modules);
    return module === null ? null : { op: kOfModule[letter], module };
  }
  if (has(kOfPattern, letter)) {
    const pattern = decodePattern(rest);
    return pattern === null ? null : { op: kOfPattern[letter], pattern };
  }
  return null;
}
function has<T extends object>(object: T, name: string): name is Extract<keyof T, string> {
  return Object.prototype.hasOwnProperty.call(object, name);
}

// Keys with dots; a function that calls itself as "12*500".
const kLongestPath = 1 << 20;
function encodePath(path: readonly number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < path.length; ) {
    let j = i + 1;
    while (j < path.length && path[j] === path[i]) ++j;
    parts.push(j - i === 1 ? String(path[i]) : `${path[i]}*${j - i}`);
    i = j;
  }
  return parts.join(".");
}
// Null if a part of it is not understood: the rest would be another path.
function decodePath(text: string, keys: number): number[] | null {
  const path: number[] = [];
  for (const part of text.split(".")) {
    const match = /^(\d{1,10})(?:\*(\d{1,7}))?$/.exec(part);
    const key = match === null ? null : number(match[1]!, keys);
    const times = Number(match?.[2] ?? 1);
    if (key === null || times === 0 || path.length + times > kLongestPath) return null;
    for (let i = 0; i < times; ++i) path.push(key);
  }
  return path;
}

// Each path names how many keys it shares with the one before: "1.2.3,2~7.8" are 1.2.3 and 1.2.7.8.
function encodePaths(paths: readonly (readonly number[])[]): string {
  let before: readonly number[] = [];
  return paths
    .filter((path) => path.length > 0)
    .map((path) => {
      let shared = 0;
      while (shared < path.length - 1 && shared < before.length && path[shared] === before[shared]) ++shared;
      before = path;
      return shared === 0 ? encodePath(path) : `${shared}~${encodePath(path.slice(shared))}`;
    })
    .join(",");
}
function decodePaths(text: string, keys: number): number[][] {
  const paths: number[][] = [];
  let before: number[] = [];
  let size = 0;
  for (const part of text.split(",")) {
    const tilde = part.indexOf("~");
    const shared = tilde < 0 ? 0 : number(part.slice(0, tilde), before.length + 1);
    const rest = decodePath(part.slice(tilde + 1), keys);
    if (shared === null || rest === null) break; // those after it may build on it
    before = [...before.slice(0, shared), ...rest];
    size += before.length;
    if (size > kLongestPath) break;
    paths.push(before);
  }
  return paths;
}

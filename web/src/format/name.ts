// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Names of functions, modules and files as they are shown. They are foreign text: this makes them one harmless line, and the page
// shows them as text, never as HTML.

import { shortName as shorten, withoutOuterScope } from "./short_name";

// The longest name that is ever shown; the rest of a longer one helps nobody.
const kLongest = 4096;

// Control characters, line separators, marks that are invisible or change the direction of text, characters that are none.
const kHarmful = /[\p{Cc}\p{Cs}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/gu;

// One harmless line: "a\nb" becomes "a\\nb", as in wick's terminal.
export function clean(text: string): string {
  const part = text.length > kLongest ? cutEnd(text, kLongest) : text;
  return part.replace(kHarmful, (c) => {
    if (c === "\n") return "\\n";
    if (c === "\t") return "\\t";
    if (c === "\r") return "\\r";
    const code = c.charCodeAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

// A name as one harmless line, and a placeholder for an empty one.
export function shownName(name: string): string {
  return name === "" ? "[unnamed]" : clean(name);
}

// A line of a text file: tabs as spaces to the next multiple of 4, other harmful characters as in names.
export function cleanLine(line: string): string {
  const [head = "", ...rest] = line.slice(0, kLongest).split("\t");
  return clean(rest.reduce((out, part) => out + " ".repeat(4 - (out.length % 4)) + part, head));
}

// At most `size` characters, with "…" for what is left out.
export function cutEnd(text: string, size: number): string {
  if (text.length <= size) return text;
  if (size <= 0) return "";
  return `${text.slice(0, wholeBefore(text, size - 1))}…`;
}

export function cutMiddle(text: string, size: number): string {
  if (text.length <= size) return text;
  if (size <= 2) return cutEnd(text, size);
  const head = wholeBefore(text, Math.floor((size - 1) / 2));
  let tail = text.length - (size - 1 - Math.floor((size - 1) / 2));
  if (isLowHalf(text, tail)) ++tail;
  return `${text.slice(0, head)}…${text.slice(tail)}`;
}

// Without template arguments and parameters, cleaned. Kept for the names that were asked for last.
const shortNames = new Map<string, string>();
export function shortName(name: string): string {
  let short = shortNames.get(name);
  if (short === undefined) {
    short = shownName(shorten(name.length > kLongest ? name.slice(0, kLongest) : name));
    if (shortNames.size >= 20_000) shortNames.clear();
    shortNames.set(name, short);
  }
  return short;
}

// The most telling form of a name for so many characters: in full, without arguments, without outer scopes, then cut at the end.
// Empty if there is no room for anything that helps.
export function nameFor(name: string, characters: number): string {
  if (characters < 3) return name.length > 0 && name.length <= characters ? shownName(name) : "";
  if (name.length <= characters) {
    const full = shownName(name);
    if (full.length <= characters) return full;
  }
  let short = shortName(name);
  while (short.length > characters) {
    const inner = withoutOuterScope(short);
    if (inner === "") break;
    short = inner;
  }
  return cutEnd(short, characters);
}

// The last part of a path: "src/main.cc" -> "main.cc".
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

// A path of Rust's standard library, wherever it was built, as "<std>/core/src/…"; other paths unchanged.
export function shortSource(path: string): string {
  const installed = "/rustlib/src/rust/library/";
  const at = path.indexOf(installed);
  if (at >= 0) return `<std>/${path.slice(at + installed.length)}`;
  if (path.startsWith("/rust/deps/")) return `<std>/${path.slice("/rust/deps/".length)}`;
  const built = /^\/(?:rustc\/|usr\/src\/rustc-)[^/]*\/library\//.exec(path);
  return built ? `<std>/${path.slice(built[0]!.length)}` : path;
}

function isLowHalf(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

// `at`, or one less if a character of two halves would be split there.
function wholeBefore(text: string, at: number): number {
  return isLowHalf(text, at) ? at - 1 : at;
}

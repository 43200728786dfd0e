// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// How views and the page's frame (app/app.ts) know each other. A view is one component with one element. It shows what the state
// says and changes it only through the context; it never talks to other views.

import type { Ask, Answer, Code, Meta, Query, RequestKind, Transform } from "../engine/api";
import type { Symbols } from "./symbols";

export type ViewName = "flame" | "chart" | "tree" | "functions" | "around" | "code" | "heat" | "quality";

// What is compared with the selection: the other file, another range of time, or other threads.
export type Comparison =
  | { kind: "files" }
  | { kind: "range"; range: [number, number] }
  | { kind: "threads"; threads: number[] };

// All that is shown follows from this and the profile. It is the URL's fragment (app/url.ts).
export interface State {
  view: ViewName;
  event: number;
  threads: number[] | null; // null: all
  range: [number, number] | null; // time units; null: all
  transforms: Transform[];
  inverted: boolean; // flame, tree: from the leaves
  icicle: boolean; // flame: the root is at the top
  search: string; // a regular expression, case-insensitive unless it has an upper-case letter
  selected: number[]; // path of keys; empty: none
  zoom: number[]; // flame: path of the box that fills the width; empty: the root
  span: [number, number] | null; // flame: part of the root (0 … 1) that is shown, if zoomed or panned by hand; null: that of `zoom`
  time: [number, number] | null; // chart: part of the time that is shown, in time units; null: all
  key: number; // around, code: the function; -1: the selected one, or the hottest
  opened: number[][]; // tree: paths that the user opened
  sort: "self" | "total" | "name" | "module" | "delta";
  descending: boolean;
  compare: Comparison | null;
  normalize: boolean;
}

export interface Context {
  readonly meta: Meta;
  readonly symbols: Symbols;
  readonly state: State; // the current one
  readonly query: Query; // that follows from it
  readonly dark: boolean;
  // Changes the state. `replace`: the last step of a movement (dragging, typing), which "back" skips.
  set(change: Partial<State>, how?: "push" | "replace"): void;
  transform(transform: Transform): void; // adds one, and goes to where it shows
  // Asks the engine. Of a channel, one request is under way and the newest waits; one that a newer request overtook before it was
  // sent is never answered (the promise stays pending). Answers arrive in order, so while the brush moves, they may be a step behind.
  ask<K extends RequestKind>(kind: K, ask: Ask<K>, channel?: string): Promise<Answer<K>>;
  fetchCode(key: number): Promise<Code>; // docs/view-protocol.md
  tooltip(content: TooltipContent | null, x: number, y: number): void; // null hides it
  menu(path: readonly number[], x: number, y: number): void; // actions for a node: transforms, callers, source, copy
  toast(text: string): void; // a short message
}

export interface TooltipContent {
  title: string;
  lines: { label: string; value: string; detail?: string; color?: string }[];
}

export interface View {
  readonly name: ViewName;
  readonly title: string; // of its tab
  readonly element: HTMLElement;
  // Called when the state, the theme or the size changes, and only while the view is visible.
  update(context: Context): void;
  // Keys, before the frame's own (letters of transforms, Esc) but after digits, "/", "?", n and N. True: handled.
  key?(event: KeyboardEvent, context: Context): boolean;
  // For "copy as text" and "save picture".
  text?(context: Context): string;
  svg?(context: Context): string;
  // Goes to the next (1) or previous (-1) match of the search.
  step?(direction: 1 | -1, context: Context): void;
}

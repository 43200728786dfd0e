// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The state that a profile begins with, and the query that follows from a state.

import type { Meta, Query, Selection, Transform } from "../engine/api";
import type { State, ViewName } from "./view";

export const kViews: readonly ViewName[] = ["flame", "chart", "tree", "functions", "around", "code", "heat", "quality"];

export const kLeastSpan = 1e-9; // of State.span; 64-bit numbers cannot represent narrower ones exactly

// Everything of the recording. The URL names only what differs from it.
export function defaultState(meta: Meta): State {
  return {
    view: "flame",
    event: meta.isDifference ? 1 : meta.defaultEvent,
    threads: null,
    range: null,
    transforms: [],
    inverted: false,
    icicle: false,
    search: "",
    selected: [],
    zoom: [],
    span: null,
    time: null,
    key: -1,
    opened: [],
    sort: "self",
    descending: true,
    compare: meta.isDifference ? { kind: "files" } : null,
    normalize: !meta.isDifference,
  };
}

// The threads to begin with: the busiest one, unless it is a small part of the whole; then those of the busiest process, unless that
// is a small part, too. Null: all.
const kSmallPart = 0.25;
export function firstThreads(meta: Meta, weight: ArrayLike<number>): number[] | null {
  let all = 0;
  let busiest = -1;
  const processes = new Map<number, { threads: number[]; weight: number }>();
  meta.threads.forEach(({ process }, t) => {
    const own = weight[t] ?? 0;
    all += own;
    if (own > 0 && (busiest < 0 || own > weight[busiest]!)) busiest = t;
    const known = processes.get(process) ?? { threads: [], weight: 0 };
    known.threads.push(t);
    known.weight += own;
    processes.set(process, known);
  });
  if (busiest < 0 || meta.threads.length < 2) return null;
  if (weight[busiest]! >= kSmallPart * all) return [busiest];
  const process = [...processes.values()].reduce((a, b) => (b.weight > a.weight ? b : a));
  return process.weight >= kSmallPart * all && process.threads.length < meta.threads.length ? process.threads : null;
}

// The end of the recording in time units: later than every sample.
export function endTime(meta: Meta): number {
  return Math.floor(meta.durationNs / meta.timeUnitNs) + 1;
}

export function timeToNs(meta: Meta, time: number): number {
  return time * meta.timeUnitNs;
}

export function queryOf(state: State, meta: Meta): Query {
  const selection: Selection = { event: state.event, threads: state.threads, range: state.range };
  let base: Selection | null = null;
  switch (state.compare?.kind) {
    case "files":
      selection.threads = threadsOfSide(state.threads, state.event, meta);
      base = { event: 1 - state.event, threads: threadsOfSide(state.threads, 1 - state.event, meta), range: state.range };
      break;
    case "range":
      base = { ...selection, range: state.compare.range };
      break;
    case "threads":
      base = { ...selection, threads: state.compare.threads };
      break;
  }
  return { selection, base, normalize: state.normalize, transforms: state.transforms, inverted: state.inverted };
}

// In a comparison of files: the chosen threads of one file. If all are of the other, those that they are compared with.
function threadsOfSide(threads: readonly number[] | null, side: number, meta: Meta): readonly number[] | null {
  if (threads === null) return null;
  const own = threads.filter((t) => meta.threads[t]?.side === side);
  if (own.length > 0) return own;
  const common = (of: { name: string; commonName?: string } | undefined) => of?.commonName ?? of?.name ?? "";
  const name = (t: number) => `${common(meta.processes[meta.threads[t]!.process])}\n${common(meta.threads[t])}`;
  const names = new Set(threads.map(name));
  return meta.threads.flatMap((thread, t) => (thread.side === side && names.has(name(t)) ? [t] : []));
}

// The state after a change, with what follows from it.
export function changed(state: State, change: Partial<State>): State {
  const next = { ...state, ...change };
  // Paths of an inverted tree begin at the other end.
  if (next.inverted !== state.inverted) {
    if (change.selected === undefined) next.selected = [];
    if (change.zoom === undefined) next.zoom = [];
    if (change.opened === undefined) next.opened = [];
  }
  // Parts of the width mean nothing in another picture. A range changes the picture little by little, while it is dragged.
  const keepsPicture = (["event", "threads", "transforms", "inverted", "zoom", "compare"] as const).every((name) => next[name] === state[name]);
  if (!keepsPicture && change.span === undefined) next.span = null;
  // What is selected among callers and callees is a function, not a node of the tree.
  const last = state.selected[state.selected.length - 1];
  if (state.view === "around" && next.view !== "around" && state.selected.length === 1 && change.selected === undefined && change.key === undefined) {
    next.selected = [];
    next.key = last!;
  }
  // A box and a function can both be chosen; letters and views are about the one that was chosen last.
  if (change.key === undefined && change.selected !== undefined && change.selected.length > 0) next.key = -1;
  if (change.selected === undefined && change.key !== undefined && change.key >= 0 && next.selected[next.selected.length - 1] !== change.key) next.selected = [];
  return next;
}

// What a path is called after a transform, so that selection and zoom stay where they were. Empty if it is gone.
export function pathAfter(path: readonly number[], transform: Transform): number[] {
  switch (transform.op) {
    case "focus-function": {
      const at = path.indexOf(transform.key);
      return at < 0 ? [] : path.slice(at);
    }
    case "merge-function":
      return path.filter((key) => key !== transform.key);
    case "drop-function":
      return path.includes(transform.key) ? [] : [...path];
    case "collapse-subtree": {
      const at = path.indexOf(transform.key);
      return at < 0 ? [...path] : path.slice(0, at + 1);
    }
    case "collapse-recursion": {
      const first = path.indexOf(transform.key);
      return first < 0 ? [...path] : [...path.slice(0, first), ...path.slice(path.lastIndexOf(transform.key))];
    }
    case "collapse-direct-recursion":
      return path.filter((key, i) => key !== transform.key || path[i - 1] !== key);
    case "focus-subtree":
      return startsWith(path, transform.path) ? path.slice(transform.path.length - 1) : [];
    case "merge-node": {
      const at = transform.path.length - 1;
      return startsWith(path, transform.path) ? path.filter((_, i) => i !== at) : [...path];
    }
    case "collapse-module":
    case "focus-self":
      return [];
    default:
      return [...path];
  }
}

function startsWith(path: readonly number[], start: readonly number[]): boolean {
  return start.length <= path.length && start.every((key, i) => path[i] === key);
}

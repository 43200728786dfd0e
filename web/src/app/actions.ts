// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// What can be done with a node: one table for its menu and for the letters, which are those of the Firefox Profiler.

import { kNone, type Meta, type Transform } from "../engine/api";
import { shownName } from "../format/name";
import type { Symbols } from "./symbols";
import type { State } from "./view";

export interface NodeAction {
  key: string;
  text: string;
  transform: Transform;
  group: "focus" | "merge" | "collapse" | "library";
}

// The transforms for a node, named by its path; empty if there are none. A process name has none.
export function nodeActions(path: readonly number[], state: State, meta: Meta, symbols: Symbols): NodeAction[] {
  const key = path[path.length - 1];
  if (key === undefined || key === kNone || symbols.isGroup(key)) return [];
  const inverted = state.inverted && (state.view === "flame" || state.view === "tree");
  const actions: NodeAction[] = [
    { key: "f", text: "Focus on function", transform: { op: "focus-function", key }, group: "focus" },
    { key: "F", text: "Focus on this subtree", transform: { op: "focus-subtree", path: [...path], inverted }, group: "focus" },
    { key: "S", text: "Focus on self time", transform: { op: "focus-self", key }, group: "focus" },
    { key: "m", text: "Merge function into callers", transform: { op: "merge-function", key }, group: "merge" },
    { key: "M", text: "Merge this node into its caller", transform: { op: "merge-node", path: [...path], inverted }, group: "merge" },
    { key: "d", text: "Drop samples with this function", transform: { op: "drop-function", key }, group: "merge" },
    { key: "c", text: "Collapse what it calls", transform: { op: "collapse-subtree", key }, group: "collapse" },
    { key: "r", text: "Collapse recursion", transform: { op: "collapse-recursion", key }, group: "collapse" },
    { key: "R", text: "Collapse direct recursion", transform: { op: "collapse-direct-recursion", key }, group: "collapse" },
  ];
  // Other views have functions, not nodes of a tree.
  const isNode = (state.view === "flame" || state.view === "tree") && path.length === state.selected.length && path.every((x, i) => x === state.selected[i]);
  if (!isNode) actions.splice(0, actions.length, ...actions.filter((x) => !("path" in x.transform)));
  const module = symbols.module(key);
  if (module !== kNone) {
    const name = shownName(meta.modules[module]?.name ?? "");
    actions.push(
      { key: "C", text: `Collapse library ${name}`, transform: { op: "collapse-module", module }, group: "library" },
      { key: "", text: `Keep only samples with ${name}`, transform: { op: "keep-module", module }, group: "library" },
      { key: "", text: `Drop samples with ${name}`, transform: { op: "drop-module", module }, group: "library" },
    );
  }
  return actions;
}

// The node that letters act on: the selected one, else the function of the view.
export function targetPath(state: State): number[] {
  if (state.selected.length > 0) return state.selected;
  return state.key >= 0 ? [state.key] : [];
}

export const kTransformKeys = "fFSmMdcrRC";
export const kNodeKeys = "FM"; // of them, those that act on a node, not on a function

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// What is said about a box: in the tooltip, in the bar below the picture, to a screen reader.

import type { Context, TooltipContent } from "../app/view";
import { kNone, type EventInfo, type FlameBoxes, type Totals } from "../engine/api";
import { change, cost, costChange, count, share } from "../format/cost";
import { clean, shownName } from "../format/name";

export type Facts = Pick<Context, "meta" | "symbols" | "query" | "dark">;

export function eventOf(facts: Facts): EventInfo {
  return facts.meta.events[facts.query.selection.event] ?? facts.meta.events[0]!;
}

export function nameOf(facts: Facts, key: number): string {
  return key === kNone ? "all" : shownName(facts.symbols.name(key));
}

export function boxTooltip(facts: Facts, boxes: FlameBoxes, totals: Totals, row: number): TooltipContent {
  const key = boxes.key[row]!;
  const event = eventOf(facts);
  const lines: TooltipContent["lines"] = [];
  const add = (label: string, value: string, detail?: string) =>
    lines.push(detail === undefined ? { label, value } : { label, value, detail });
  const total = boxes.total[row]!;
  if (boxes.baseTotal === null) {
    add("Total", cost(total, event), share(total, totals.weight));
    add("Self", cost(boxes.self[row]!, event), share(boxes.self[row]!, totals.weight));
  } else {
    const before = boxes.baseTotal[row]!;
    add(facts.query.normalize ? "Before (scaled)" : "Before", cost(before, event), share(before, totals.baseWeight));
    add("After", cost(total, event), share(total, totals.weight));
    add("Change", costChange(before, total, event), change(before, total));
    add("Verdict", verdictOf(boxes.verdict?.[row] ?? 0, before, total));
    const selfBefore = boxes.baseSelf?.[row] ?? 0;
    add("Self change", costChange(selfBefore, boxes.self[row]!, event), change(selfBefore, boxes.self[row]!));
  }
  if (facts.meta.hasCounts && event.unit !== "samples") add("Samples", count(boxes.samples[row]!));
  addPlace(facts, key, boxes.inlined[row]!, lines);
  return { title: nameOf(facts, key), lines };
}

export function addPlace(facts: Facts, key: number, inlined: number, lines: TooltipContent["lines"]): void {
  if (key === kNone) return;
  if (facts.symbols.isGroup(key)) {
    lines.push({ label: "Kind", value: "process name" });
    return;
  }
  const module = facts.symbols.moduleName(key);
  if (module !== "" && facts.symbols.isFunction(key)) lines.push({ label: "Module", value: clean(module) });
  const place = facts.symbols.place(key);
  if (place !== "") lines.push({ label: "Source", value: clean(place) });
  if (inlined !== 0) lines.push({ label: "Inlined", value: inlined === 2 ? "yes" : "in some calls" });
  const kind = facts.symbols.isFunction(key) ? facts.meta.kinds[facts.symbols.kind(key)] : undefined;
  if (kind !== undefined) lines.push({ label: "Kind", value: kind, color: facts.symbols.color(key, facts.dark) });
}

// "1.23 s, 12.3% of the total; self 0.4 s, 4.0%", or both sides of a comparison.
export function boxSummary(facts: Facts, boxes: FlameBoxes, totals: Totals, row: number): string {
  const event = eventOf(facts);
  const total = boxes.total[row]!;
  if (boxes.baseTotal !== null) {
    const before = boxes.baseTotal[row]!;
    const verdict = verdictOf(boxes.verdict?.[row] ?? 0, before, total);
    return `${cost(before, event)} before, ${cost(total, event)} after (${change(before, total)}, ${verdict})`;
  }
  const self = boxes.self[row]!;
  return `total ${cost(total, event)} (${share(total, totals.weight)}), self ${cost(self, event)} (${share(self, totals.weight)})`;
}

function verdictOf(verdict: number, before: number, after: number): string {
  if (verdict > 0) return "significantly more";
  if (verdict < 0) return "significantly less";
  return before === after ? "unchanged" : "within sampling noise";
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Columns that the call tree and the function table share.

import { h, type Child } from "../app/dom";
import type { Context, TooltipContent } from "../app/view";
import type { FunctionRows, FunctionSort, Totals } from "../engine/api";
import { change, cost, costChange, count, scaled, scaledChange, scaleFor, share, type Unit } from "../format/cost";
import { shortName, shortSource, shownName, clean, baseName } from "../format/name";
import { marked, type Column } from "./table";

export interface CostRow {
  readonly key: number;
  readonly self: number;
  readonly total: number;
  readonly samples: number;
  readonly baseSelf: number;
  readonly baseTotal: number;
  readonly verdict: number;
  readonly inlined: number;
}

export function costRowAt(rows: FunctionRows, i: number): CostRow {
  return {
    key: rows.key[i]!,
    self: rows.self[i]!,
    total: rows.total[i]!,
    samples: rows.samples[i]!,
    baseSelf: rows.baseSelf?.[i] ?? 0,
    baseTotal: rows.baseTotal?.[i] ?? 0,
    verdict: rows.verdict?.[i] ?? 0,
    inlined: rows.inlined[i]!,
  };
}

type Which = "self" | "total";
const kTitle = { self: "Self", total: "Total" } as const;
const kHint = {
  self: "Cost of the function's own code",
  total: "Cost of the function and everything it calls",
} as const;
const kInvertedHint = "Self cost of the function at the top of the branch, on behalf of these callers";
const kVerdict: Record<number, string> = { [-1]: "less", 0: "faint", 1: "more" };
const kWidth = "76px";
const kWide = "92px";

export function unitOf(context: Context): Unit {
  return context.meta.events[context.state.event] ?? { unit: "samples", divisor: 1 };
}

export function isComparison(context: Context): boolean {
  return context.query.base !== null;
}

// "Change" is sorted only in comparisons.
export function sortOf(context: Context): FunctionSort {
  return context.state.sort === "delta" && !isComparison(context) ? "self" : context.state.sort;
}

// Cost and share, with a bar behind the share.
export function costColumns<R extends CostRow>(
  which: Which,
  context: Context,
  totals: Totals,
  options: { sortable: boolean; title?: string },
): Column<R>[] {
  const scale = scaleFor(totals.weight, unitOf(context));
  const sort = options.sortable ? ({ sort: "desc" } as const) : {};
  const title = options.title ?? kTitle[which];
  const hint = title === kTitle[which] ? kHint[which] : kInvertedHint;
  const value = (row: R) => row[which];
  return [
    {
      id: which,
      title,
      unit: scale.unit,
      hint,
      width: kWidth,
      class: "number",
      ...sort,
      text: (row) => scaled(value(row), scale),
      tone: (row) => (value(row) === 0 ? "zero" : ""),
    },
    {
      id: `${which}-share`,
      title: "",
      unit: "%",
      hint: `${title} cost as a share of the selection`,
      width: "64px",
      class: "number bar",
      text: (row) => (value(row) === 0 ? "" : share(value(row), totals.weight)),
      bar: (row) => (totals.weight === 0 ? 0 : value(row) / totals.weight),
    },
  ];
}

// Before, after and change. The verdict is about one of the two costs only; the other is shown without color.
export function changeColumns<R extends CostRow>(
  which: Which,
  context: Context,
  totals: Totals,
  options: { full: boolean; judged: boolean; sortable: boolean; title?: string },
): Column<R>[] {
  const scale = scaleFor(Math.max(totals.weight, totals.baseWeight), unitOf(context));
  const before = (row: R) => (which === "self" ? row.baseSelf : row.baseTotal);
  const after = (row: R) => row[which];
  const tone = (row: R) => (options.judged ? (kVerdict[row.verdict] ?? "") : before(row) === after(row) ? "zero" : "second");
  const name = options.title ?? kTitle[which];
  const difference: Column<R> = {
    id: options.sortable && options.judged ? "delta" : `${which}-delta`,
    title: options.full ? "Change" : `${name} change`,
    unit: scale.unit,
    hint: `Change of ${name.toLowerCase()} cost; gray: within sampling noise`,
    width: options.full ? kWidth : "104px",
    class: "number",
    ...(options.sortable && options.judged ? { sort: "desc" } : {}),
    text: (row) => scaledChange(before(row), after(row), scale),
    tone,
  };
  if (!options.full) return [difference];
  const scaledBase = context.query.normalize ? ", scaled to the total after" : "";
  return [
    {
      id: `${which}-before`,
      title: `${name} before`,
      unit: scale.unit,
      hint: `${name} cost before${scaledBase}`,
      width: kWide,
      class: "number",
      text: (row) => scaled(before(row), scale),
      tone: (row) => (before(row) === 0 ? "zero" : "second"),
    },
    {
      id: which,
      title: `${name} after`,
      unit: scale.unit,
      hint: `${name} cost after`,
      width: kWide,
      class: "number",
      ...(options.sortable ? { sort: "desc" } : {}),
      text: (row) => scaled(after(row), scale),
      tone: (row) => (after(row) === 0 ? "zero" : ""),
    },
    difference,
    {
      id: `${which}-change`,
      title: "",
      unit: "%",
      hint: `Relative change of ${name.toLowerCase()} cost`,
      width: "64px",
      class: "number",
      text: (row) => change(before(row), after(row)),
      tone,
    },
  ];
}

export function samplesColumn<R extends CostRow>(): Column<R> {
  return {
    id: "samples",
    title: "Samples",
    hint: "Samples that have the function on their stack",
    width: "66px",
    class: "number",
    text: (row) => count(row.samples),
    tone: (row) => (row.samples === 0 ? "zero" : "second"),
  };
}

export function moduleColumn<R extends CostRow>(context: Context, sortable: boolean): Column<R> {
  return {
    id: "module",
    title: "Module",
    width: "minmax(80px, 0.22fr)",
    least: 80,
    class: "second",
    ...(sortable ? { sort: "asc" } : {}),
    text: (row) => clean(context.symbols.moduleName(row.key)),
  };
}

export function placeColumn<R extends CostRow>(context: Context): Column<R> {
  return {
    id: "place",
    title: "Source",
    hint: "A line of the function that was sampled",
    width: "minmax(80px, 0.26fr)",
    least: 80,
    class: "second",
    text: (row) => shownPlace(context, row.key),
  };
}

function shownPlace(context: Context, key: number): string {
  return clean(baseName(context.symbols.place(key)));
}

// A name's parts: color of its kind, text, marks. The short form where the full name does not fit.
export function nameNodes(row: CostRow, context: Context, pattern: RegExp | null, room: number): Child[] {
  const full = shownName(context.symbols.name(row.key));
  const tag = row.inlined === 2 ? "inlined" : row.inlined === 1 ? "partly inlined" : "";
  const left = room - 24 - (tag === "" ? 0 : 6 * tag.length + 16);
  const text = full.length * 6.6 <= left ? full : shortName(context.symbols.name(row.key));
  const swatch = h("span", { class: "swatch" });
  swatch.style.background = context.symbols.color(row.key, context.dark);
  return [swatch, marked(text, pattern), tag !== "" && h("span", { class: "tag", text: tag })];
}

export function rowTooltip(row: CostRow, context: Context, totals: Totals, inverted = false): TooltipContent {
  const unit = unitOf(context);
  const { symbols, meta } = context;
  const lines: TooltipContent["lines"] = [];
  if (isComparison(context)) {
    const costs: [string, number, number][] = [[inverted ? "Self" : "Total", row.baseTotal, row.total]];
    if (!inverted) costs.push(["Self", row.baseSelf, row.self]);
    for (const [label, before, after] of costs) {
      lines.push({
        label,
        value: `${cost(before, unit)} → ${cost(after, unit)}`,
        detail: before === after ? "unchanged" : `${costChange(before, after, unit)} (${change(before, after)})`,
      });
    }
  } else {
    lines.push({ label: inverted ? "Self" : "Total", value: cost(row.total, unit), detail: share(row.total, totals.weight) });
    if (!inverted) lines.push({ label: "Self", value: cost(row.self, unit), detail: share(row.self, totals.weight) });
    if (meta.hasCounts) lines.push({ label: "Samples", value: count(row.samples) });
  }
  const module = symbols.moduleName(row.key);
  const place = symbols.place(row.key);
  if (module !== "") lines.push({ label: "Module", value: clean(module) });
  if (place !== "") lines.push({ label: "Source", value: clean(shortSource(place)) });
  return { title: shownName(symbols.name(row.key)), lines };
}

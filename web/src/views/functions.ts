// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Function table: one row per function, with its cost over all callers. The search filters it.

import { h } from "../app/dom";
import type { Context, View } from "../app/view";
import type { FunctionRows, Totals } from "../engine/api";
import { count, countOf } from "../format/cost";
import { shownName } from "../format/name";
import {
  changeColumns,
  costColumns,
  costRowAt,
  isComparison,
  moduleColumn,
  nameNodes,
  placeColumn,
  rowTooltip,
  samplesColumn,
  sortOf,
  type CostRow,
} from "./columns";
import { searchPattern } from "./rows";
import { Note, Table, tableView, type Column } from "./table";

const kMostRows = 200_000;

export class FunctionsView implements View {
  readonly name = "functions" as const;
  readonly title = "Functions";
  readonly element: HTMLElement;
  private readonly table: Table<CostRow>;
  private readonly note = new Note();
  private readonly status = h("span", { attributes: { role: "status" } });
  private context!: Context;
  private rows: FunctionRows | null = null;
  private totals: Totals = { weight: 0, samples: 0, baseWeight: 0, baseSamples: 0 };
  private asked = "";
  private chosen = -2; // the function that was scrolled to last
  private pattern: RegExp | null = null;

  constructor() {
    this.table = new Table<CostRow>({
      label: "Functions",
      select: (index) => this.context.set({ key: this.keyAt(index) }, "replace"),
      activate: (index) => this.context.set({ view: "around", key: this.keyAt(index) }),
      menu: (index, x, y) => this.context.menu([this.keyAt(index)], x, y),
      sort: (column, descending) => this.context.set({ sort: column as Context["state"]["sort"], descending }, "replace"),
      hover: (index, x, y) =>
        this.context.tooltip(index < 0 ? null : rowTooltip(this.rowAt(index), this.context, this.totals), x, y),
    });
    this.element = tableView("functions-view", this.table, this.note, this.status, { Enter: "callers and callees", "⇧F10": "actions" });
  }

  update(context: Context): void {
    this.context = context;
    const { state } = context;
    this.pattern = searchPattern(state.search);
    const asked = JSON.stringify([{ ...context.query, inverted: false }, state.sort, state.descending, state.search]);
    if (asked !== this.asked) {
      this.asked = asked;
      void this.load();
    } else if (this.rows !== null) {
      this.show();
    }
  }

  key(event: KeyboardEvent): boolean {
    return this.table.key(event);
  }

  text(): string {
    return this.table.text();
  }

  step(direction: 1 | -1): void {
    const rows = this.rows?.count ?? 0;
    if (rows > 0) this.table.choose((this.table.selected + direction + rows) % rows);
  }

  private keyAt(index: number): number {
    return this.rows?.key[index] ?? -1;
  }

  private rowAt(i: number): CostRow {
    return costRowAt(this.rows!, i);
  }

  private async load(): Promise<void> {
    const { context } = this;
    const { state } = context;
    this.element.classList.add("stale");
    if (this.rows === null) this.note.later("Computing…");
    try {
      const ask = {
        query: { ...context.query, inverted: false },
        sort: sortOf(context),
        descending: state.descending,
        pattern: state.search,
        limit: kMostRows,
      };
      const { rows, totals } = await context.ask("functions", ask, "functions");
      this.rows = rows;
      this.totals = totals;
      this.note.set("");
      if (rows.count === 0 && state.search !== "" && rows.all > 0)
        this.note.set(`No function matches “${shownName(state.search)}”`, `${countOf(rows.all, "function")} in this selection`);
      else if (rows.count === 0) this.note.set("Nothing to show", "The selection has no samples of this event.");
      this.element.classList.remove("stale");
      this.chosen = -2;
      this.show();
    } catch (error) {
      this.asked = "";
      this.rows = null;
      this.element.classList.remove("stale");
      this.table.show({ count: 0, at: () => this.rowAt(0) }, -1);
      this.status.textContent = "";
      this.note.set("The function table could not be computed", error instanceof Error ? error.message : String(error));
    }
  }

  private show(): void {
    const { context, rows } = this;
    if (rows === null) return;
    const { state } = context;
    this.table.setColumns(this.columns(), { column: sortOf(context), descending: state.descending });
    const key = state.key >= 0 ? state.key : (state.selected[state.selected.length - 1] ?? -1);
    const selected = key < 0 ? -1 : rows.key.subarray(0, rows.count).indexOf(key);
    this.table.show({ count: rows.count, at: (i) => this.rowAt(i) }, selected);
    if (key !== this.chosen) this.table.reveal(selected);
    this.chosen = key;
    this.status.textContent =
      state.search === ""
        ? countOf(rows.all, "function")
        : `${count(rows.count)} of ${countOf(rows.all, "function")} ${rows.count === 1 ? "matches" : "match"} the search`;
  }

  private columns(): Column<CostRow>[] {
    const { context, totals } = this;
    const numbers = isComparison(context)
      ? [
          ...changeColumns("self", context, totals, { full: true, judged: true, sortable: true }),
          ...changeColumns("total", context, totals, { full: false, judged: false, sortable: false }),
        ]
      : [
          ...costColumns("self", context, totals, { sortable: true }),
          ...costColumns("total", context, totals, { sortable: true }),
          ...(context.meta.hasCounts ? [samplesColumn()] : []),
        ];
    const name: Column<CostRow> = {
      id: "name",
      title: "Function",
      width: "minmax(240px, 1fr)",
      least: 240,
      class: "name",
      sort: "asc",
      text: (row) => shownName(context.symbols.name(row.key)),
      nodes: (row, room) => nameNodes(row, context, this.pattern, room),
    };
    return [...numbers, name, moduleColumn(context, true), placeColumn(context)];
  }
}

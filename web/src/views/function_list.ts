// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The functions beside their callers and callees: a narrow function table that chooses what is in the middle. The search filters it.

import { h } from "../app/dom";
import type { Context } from "../app/view";
import type { FunctionRows, Totals } from "../engine/api";
import { shownName } from "../format/name";
import { changeColumns, costColumns, costRowAt, isComparison, nameNodes, rowTooltip, sortOf, type CostRow } from "./columns";
import { searchPattern } from "./rows";
import { Note, Table, type Column } from "./table";

const kMostRows = 20_000;

export class FunctionList {
  readonly element: HTMLElement;
  private readonly table: Table<CostRow>;
  private readonly note = new Note();
  private context: Context | null = null;
  private rows: FunctionRows | null = null;
  private totals: Totals = { weight: 0, samples: 0, baseWeight: 0, baseSamples: 0 };
  private asked = "";
  private key = -1; // of the function in the middle
  private revealed = -2;

  constructor(choose: (key: number) => void) {
    this.table = new Table<CostRow>({
      label: "Functions",
      select: (index) => {
        this.revealed = this.rows!.key[index]!; // where it was clicked
        choose(this.revealed);
      },
      menu: (index, x, y) => this.context!.menu([this.rows!.key[index]!], x, y),
      sort: (column, descending) => this.context!.set({ sort: column as Context["state"]["sort"], descending }, "replace"),
      hover: (index, x, y) => this.context!.tooltip(index < 0 ? null : rowTooltip(costRowAt(this.rows!, index), this.context!, this.totals), x, y),
    });
    this.element = h("div", { class: "table-view function-list" }, this.table.element, this.note.element);
  }

  get hasFocus(): boolean {
    return this.table.element.contains(document.activeElement);
  }

  handle(event: KeyboardEvent): boolean {
    return this.table.key(event);
  }

  // `key`: the function to mark; -1: none.
  update(context: Context, key: number): void {
    this.context = context;
    this.key = key;
    const { state } = context;
    const query = { ...context.query, inverted: false };
    const ask = { query, sort: sortOf(context), descending: state.descending, pattern: state.search, limit: kMostRows };
    const asked = JSON.stringify(ask);
    if (asked === this.asked) return this.show();
    this.asked = asked;
    context.ask("functions", ask, "function-list").then(
      ({ rows, totals }) => {
        if (asked !== this.asked) return;
        [this.rows, this.totals] = [rows, totals];
        this.note.set(rows.count > 0 || rows.all === 0 ? "" : "No function matches", "");
        this.revealed = -2;
        this.show();
      },
      (error: Error) => {
        if (asked !== this.asked) return;
        this.asked = "";
        this.note.set("No functions", error.message);
      },
    );
  }

  private show(): void {
    const { context, rows } = this;
    if (context === null || rows === null) return;
    this.table.setColumns(this.columns(context), { column: sortOf(context), descending: context.state.descending });
    const selected = rows.key.subarray(0, rows.count).indexOf(this.key);
    this.table.show({ count: rows.count, at: (i) => costRowAt(rows, i) }, selected);
    if (this.key !== this.revealed) this.table.reveal(selected);
    this.revealed = this.key;
  }

  private columns(context: Context): Column<CostRow>[] {
    const { totals } = this;
    const pattern = searchPattern(context.state.search);
    const share = (which: "self" | "total", title: string): Column<CostRow> => {
      const [cost, part] = costColumns<CostRow>(which, context, totals, { sortable: true });
      return { ...part!, id: which, title, hint: cost!.hint ?? "", sort: "desc", width: "66px" };
    };
    const numbers = isComparison(context)
      ? [share("self", "Self"), ...changeColumns<CostRow>("self", context, totals, { full: false, judged: true, sortable: true })]
      : [share("self", "Self"), share("total", "Total")];
    const name: Column<CostRow> = {
      id: "name",
      title: "Function",
      width: "minmax(120px, 1fr)",
      least: 120,
      class: "name",
      sort: "asc",
      text: (row) => shownName(context.symbols.name(row.key)),
      nodes: (row, room) => nameNodes(row, context, pattern, room),
    };
    return [...numbers, name];
  }
}

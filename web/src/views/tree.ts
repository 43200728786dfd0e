// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Call tree, from the outermost functions down, or inverted, from the leaves up to their callers. The engine gives the rows that are
// open; the heaviest path is, until something is opened or closed here.

import { h } from "../app/dom";
import type { Context, View } from "../app/view";
import type { Answer, Totals, TreeRow } from "../engine/api";
import { count, countOf } from "../format/cost";
import { shownName } from "../format/name";
import { changeColumns, costColumns, isComparison, moduleColumn, nameNodes, placeColumn, rowTooltip, samplesColumn } from "./columns";
import { endOf, findPath, indentStep, openPaths, parentOf, pathOf, searchPattern, startsWith } from "./rows";
import { Note, Table, tableView, type Column } from "./table";

const kMostRows = 100_000;
const kMostOpened = 5_000; // rows that "*" opens
const kMostLevels = 256;
const kMostKept = 500; // keys of opened paths that the URL keeps

// Opened by hand. `[[]]`: all were closed; `[]`: nothing was done, and the heaviest path is open.
type Opened = readonly (readonly number[])[];

export class TreeView implements View {
  readonly name = "tree" as const;
  readonly title = "Call tree";
  readonly element: HTMLElement;
  private readonly table: Table<TreeRow>;
  private readonly note = new Note();
  private readonly status = h("span");
  private context!: Context;
  private rows: TreeRow[] = [];
  private totals: Totals = { weight: 0, samples: 0, baseWeight: 0, baseSamples: 0 };
  private opened: Opened = [];
  private readonly closed = new Map<string, number[][]>(); // what was open below a row that was closed
  private stateOpened = "[]"; // of the state, when it was read or written last
  private revealed: readonly number[] = []; // a selection from elsewhere, opened to be seen
  private asked = "";
  private answered = "";
  private cut = false;
  private deepest = 0;
  private pattern: RegExp | null = null;

  constructor() {
    this.table = new Table<TreeRow>({
      label: "Call tree",
      tree: (row) => ({ level: row.depth + 1, open: row.children === 0 ? null : row.open }),
      select: (index) => this.context.set({ selected: pathOf(this.rows, index), key: -1 }, "replace"),
      activate: (index) => this.toggle(index),
      toggle: (index) => this.toggle(index),
      menu: (index, x, y) => this.context.menu(pathOf(this.rows, index), x, y),
      hover: (index, x, y) => {
        const row = this.rows[index];
        this.context.tooltip(row ? rowTooltip(row, this.context, this.totals, this.context.query.inverted) : null, x, y);
      },
    });
    const keys = { "→": "open", "←": "close", "*": "open all below", "⇧F10": "actions" };
    this.element = tableView("tree-view", this.table, this.note, this.status, keys);
  }

  update(context: Context): void {
    this.context = context;
    const { state } = context;
    this.pattern = searchPattern(state.search);
    const opened = JSON.stringify(state.opened);
    if (opened !== this.stateOpened) {
      this.stateOpened = opened;
      this.opened = state.opened;
    }
    const signature = JSON.stringify(context.query);
    const asked = `${signature} ${JSON.stringify(this.opened)}`;
    if (asked !== this.asked) {
      this.asked = asked;
      this.revealed = state.selected;
      void this.load(signature);
    } else if (signature === this.answered) {
      this.show(); // the theme, the search or the selection
      this.follow();
    }
  }

  key(event: KeyboardEvent): boolean {
    const at = this.table.selected;
    const row = this.rows[at];
    if (row !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
      if (event.key === "ArrowRight") {
        if (row.children > 0 && !row.open) this.toggle(at);
        else if (row.open && at + 1 < this.rows.length) this.table.choose(at + 1);
        return true;
      }
      if (event.key === "ArrowLeft") {
        if (row.open) this.toggle(at);
        else if (parentOf(this.rows, at) >= 0) this.table.choose(parentOf(this.rows, at));
        return true;
      }
      if (event.key === "*") {
        void this.openBelow(at);
        return true;
      }
    }
    return this.table.key(event);
  }

  text(): string {
    return this.table.text();
  }

  step(direction: 1 | -1, context: Context): void {
    const { query, state } = context;
    if (this.pattern === null || this.rows.length === 0) return;
    context.ask("search", { query, pattern: state.search }, "tree-step").then(
      ({ result }) => this.stepTo(direction, context, result.keys),
      (error: Error) => context.toast(error.message),
    );
  }

  private stepTo(direction: 1 | -1, context: Context, keys: Uint8Array): void {
    const count = this.rows.length;
    const from = this.table.selected < 0 ? (direction === 1 ? -1 : 0) : this.table.selected;
    for (let i = 1; i <= count; ++i) {
      const index = (((from + direction * i) % count) + count) % count;
      if (keys[this.rows[index]!.key] === 1) {
        this.table.choose(index);
        return;
      }
    }
    context.toast("No match in open rows. * opens all rows below the selected one.");
  }

  private async load(signature: string): Promise<void> {
    const { context } = this;
    this.element.classList.add("stale");
    if (this.rows.length === 0) this.note.later("Computing…");
    try {
      let answer = await this.ask(context, this.opened);
      // Of another thread or direction, what was opened may not exist.
      const lost = this.opened.some((path) => path.length > 0) && !answer.rows.some((row) => row.open);
      if (lost) answer = await this.ask(context, []);
      if (lost || this.opened.length === 0) answer = await this.openFirst(context, answer);
      this.rows = answer.rows;
      this.totals = answer.totals;
      this.cut = answer.cut;
      this.answered = signature;
      this.deepest = this.rows.reduce((deepest, row) => Math.max(deepest, row.depth), 0);
      this.element.classList.remove("stale");
      if (this.rows.length > 0) this.note.set("");
      else this.note.set("Nothing to show", "The selection has no samples of this event.");
      this.show();
      this.table.reveal(this.table.selected);
    } catch (error) {
      this.asked = "";
      this.element.classList.remove("stale");
      this.rows = [];
      this.show();
      this.note.set("The call tree could not be computed", error instanceof Error ? error.message : String(error));
    }
  }

  // If no function has most of the cost, the engine opens nothing: then the first row, down to where it splits.
  private async openFirst(context: Context, answer: Answer<"tree">): Promise<Answer<"tree">> {
    for (let depth = 0; depth < 12; ++depth) {
      const { rows } = answer;
      if (depth === 0 && rows.some((row) => row.open)) return answer;
      const row = rows[depth];
      const splits = depth > 0 && row !== undefined && row.total * 2 <= rows[depth - 1]!.total;
      if (row === undefined || row.depth !== depth || row.children === 0 || splits) return answer;
      answer = await this.ask(context, [pathOf(rows, depth)]);
    }
    return answer;
  }

  private ask(context: Context, opened: Opened) {
    const open = opened.filter((path) => path.length > 0).map((path) => [...path]);
    if (this.revealed.length > 1) open.push(this.revealed.slice(0, -1));
    return context.ask("tree", { query: context.query, open, heaviest: opened.length === 0, limit: kMostRows }, "tree");
  }

  // A selection made elsewhere is opened and scrolled to.
  private follow(): void {
    const { selected } = this.context.state;
    const index = findPath(this.rows, selected);
    if (index >= 0) {
      this.table.reveal(index);
    } else if (selected.length > 1 && JSON.stringify(selected) !== JSON.stringify(this.revealed)) {
      this.revealed = selected;
      void this.load(this.answered);
    }
  }

  private show(): void {
    const { context } = this;
    this.table.setColumns(this.columns());
    const selected = findPath(this.rows, context.state.selected);
    this.table.show({ count: this.rows.length, at: (i) => this.rows[i]! }, selected);
    this.status.textContent = this.cut
      ? `Only the first ${count(this.rows.length)} rows are shown`
      : countOf(this.rows.length, "row");
  }

  private columns(): Column<TreeRow>[] {
    const { context, totals } = this;
    // From the leaves, the cost of a row is self cost of the function it begins with.
    const inverted = context.query.inverted;
    const title = inverted ? "Self" : "Total";
    const numbers = isComparison(context)
      ? [
          ...changeColumns<TreeRow>("total", context, totals, { full: true, judged: true, sortable: false, title }),
          ...(inverted ? [] : changeColumns<TreeRow>("self", context, totals, { full: false, judged: false, sortable: false })),
        ]
      : [
          ...costColumns<TreeRow>("total", context, totals, { sortable: false, title }),
          ...(inverted ? [] : costColumns<TreeRow>("self", context, totals, { sortable: false })),
          ...(context.meta.hasCounts ? [samplesColumn<TreeRow>()] : []),
        ];
    const name: Column<TreeRow> = {
      id: "name",
      title: context.query.inverted ? "Function, then its callers" : "Function",
      width: "minmax(260px, 1fr)",
      least: 260,
      class: "name",
      text: (row) => "  ".repeat(Math.min(row.depth, 200)) + shownName(context.symbols.name(row.key)),
      nodes: (row, room) => this.nameCell(row, room),
    };
    return [...numbers, name, moduleColumn(context, false), placeColumn(context)];
  }

  private nameCell(row: TreeRow, room: number) {
    const step = indentStep(this.deepest, room);
    const most = 0.6 * room; // deeper rows say how deep they are
    const indent = Math.min(row.depth * step, most);
    const opener = h("span", { class: row.children === 0 ? "opener" : row.open ? "opener can open" : "opener can" });
    opener.style.marginLeft = `${indent}px`;
    const deep =
      row.depth * step > most ? h("span", { class: "tag", text: count(row.depth), title: `Level ${count(row.depth)}` }) : null;
    return [opener, deep, ...nameNodes(row, this.context, this.pattern, room - indent - 24)];
  }

  private toggle(index: number): void {
    const row = this.rows[index];
    if (row === undefined || row.children === 0) return;
    const path = pathOf(this.rows, index);
    const id = path.join();
    const open = openPaths(this.rows);
    if (row.open) {
      const below = open.filter((x) => startsWith(x, path));
      this.closed.set(id, below);
      const selected = this.context.state.selected;
      const hides = selected.length > path.length && startsWith(selected, path);
      this.revealed = [];
      this.setOpened([...open.filter((x) => !startsWith(x, path)), path.slice(0, -1)], hides ? path : null);
    } else {
      this.setOpened([...open, path, ...(this.closed.get(id) ?? [])], null);
    }
  }

  private setOpened(paths: readonly (readonly number[])[], selected: readonly number[] | null): void {
    // Without those that others open anyway; at least the root, so that the heaviest path stays as it was left.
    const unique = [...new Map(paths.map((path) => [path.join(), path])).values()].filter((path) => path.length > 0);
    this.opened = unique.length === 0 ? [[]] : unique;
    const size = this.opened.reduce((sum, path) => sum + path.length, 0);
    const change = selected === null ? {} : { selected: [...selected] };
    if (size <= kMostKept) {
      const opened = this.opened.map((path) => [...path]);
      this.stateOpened = JSON.stringify(opened);
      this.context.set({ ...change, opened }, "replace");
    } else {
      if (selected !== null) this.context.set(change, "replace");
      this.update(this.context);
    }
  }

  // Level by level, until there is nothing more to open or there are enough rows.
  private async openBelow(index: number): Promise<void> {
    const { context } = this;
    const path = pathOf(this.rows, index);
    let rows = this.rows;
    let open = openPaths(rows);
    let more: number[][] = [path];
    let at = index;
    for (let level = 0; level < kMostLevels && more.length > 0; ++level) {
      at = findPath(rows, path);
      if (at < 0) return;
      const end = endOf(rows, at);
      more = [];
      for (let i = at; i < end && end - at + more.length < kMostOpened; ++i) {
        if (rows[i]!.children > 0 && !rows[i]!.open) more.push(pathOf(rows, i));
      }
      if (more.length === 0) break;
      open = [...open, ...more];
      rows = (await context.ask("tree", { query: context.query, open, heaviest: false, limit: kMostRows }, "tree")).rows;
      open = openPaths(rows);
    }
    if (more.length > 0) context.toast(`Opened ${count(kMostLevels)} levels; there are more.`);
    else if (endOf(rows, at) - at >= kMostOpened) context.toast(`Opened ${count(endOf(rows, at) - at - 1)} rows; there are more.`);
    this.setOpened(open, null);
  }
}

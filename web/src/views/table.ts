// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// A table of any length: only visible rows are in the DOM, and rows that scroll out are used again for those that scroll in. Used by
// the call tree, the function table and the source view.

import { addStyle, h, isMenuKey, perFrame, type Child } from "../app/dom";
import { alignText, matches, moved, rowWindow, scrollTo } from "./rows";
import css from "./table.css";

export const kRowHeight = 22;
const kHeadHeight = 28;
const kMore = 12; // rows drawn above and below the visible ones
const kMostCopied = 10_000;

export interface Column<R> {
  readonly id: string;
  readonly title: string;
  readonly unit?: string; // faint, in the heading
  readonly hint?: string; // tooltip of the heading
  readonly width: string; // a track of a CSS grid
  readonly least?: number; // pixels, for tracks without a fixed width
  readonly class: string; // of its cells: "number", "name", …
  readonly sort?: "asc" | "desc"; // sortable; the first click sorts so
  text(row: R): string;
  // Part of the cell that is filled by a bar, 0 … 1.
  bar?(row: R): number;
  // A further class of the cell, for its color.
  tone?(row: R): string;
  // What the cell shows, if it is more than the text. `room`: its width in pixels.
  nodes?(row: R, room: number): Child[];
}

export interface Source<R> {
  readonly count: number;
  at(index: number): R;
}

export interface Options<R> {
  readonly label: string; // for screen readers
  readonly tree?: (row: R) => { level: number; open: boolean | null }; // null: nothing to open
  readonly rowClass?: (row: R) => string;
  select?(index: number): void;
  activate?(index: number): void; // Enter, double click
  menu?(index: number, x: number, y: number): void;
  toggle?(index: number): void; // a click on the opener
  sort?(column: string, descending: boolean): void;
  hover?(index: number, x: number, y: number): void; // the pointer rests on the name; -1: no longer
  drawn?(first: number, end: number): void; // after rows were drawn
}

interface Slot {
  readonly element: HTMLElement;
  readonly cells: HTMLElement[];
  index: number; // shown; -1: none
}

let styled = false;
let tables = 0;

export class Table<R> {
  readonly element: HTMLElement; // scrolls
  readonly body: HTMLElement;
  selected = -1;
  private readonly id = `table${++tables}`;
  private readonly head: HTMLElement;
  private columns: readonly Column<R>[] = [];
  private rooms: number[] = [];
  private source: Source<R> = {
    count: 0,
    at: () => {
      throw new Error("empty table");
    },
  };
  private slots: Slot[] = [];
  private readonly schedule = perFrame(() => this.draw());
  private hovered = -1;
  private hoverTimer = 0;
  private menuByKey = 0;
  private layout = "";

  constructor(private readonly options: Options<R>) {
    if (!styled) addStyle(css);
    styled = true;
    this.head = h("div", { class: "table-head", role: "row", attributes: { "aria-rowindex": "1" } });
    this.body = h("div", { class: "table-body", role: "rowgroup" });
    this.element = h(
      "div",
      { class: "table", role: options.tree ? "treegrid" : "grid", tabIndex: 0, attributes: { "aria-label": options.label } },
      this.head,
      this.body,
    );
    this.element.addEventListener(
      "scroll",
      () => {
        this.leave();
        this.schedule();
      },
      { passive: true },
    );
    this.body.addEventListener("mousedown", (event) => this.pressed(event));
    this.body.addEventListener("dblclick", (event) => {
      const index = this.indexAt(event);
      if (index >= 0 && !isOpener(event)) options.activate?.(index);
    });
    this.element.addEventListener("contextmenu", (event) => this.contextMenu(event));
    this.body.addEventListener("pointermove", (event) => this.moving(event));
    this.body.addEventListener("pointerleave", () => this.leave());
    new ResizeObserver(() => {
      this.measure();
      this.schedule();
    }).observe(this.element);
  }

  // Columns and sort order. Rows are drawn again by the next `show`.
  setColumns(columns: readonly Column<R>[], sort?: { column: string; descending: boolean }): void {
    const layout = JSON.stringify([columns.map((c) => [c.id, c.title, c.unit, c.width, c.least, c.class]), sort]);
    this.columns = columns;
    if (layout === this.layout) return;
    this.layout = layout;
    const least = columns.reduce((sum, c) => sum + 12 + (c.least ?? (parseFloat(c.width) || 80)), 12);
    this.element.style.setProperty("--columns", columns.map((c) => c.width).join(" "));
    this.element.style.setProperty("--least", `${least}px`);
    const focused = Array.from(this.head.children).indexOf(document.activeElement as Element);
    this.head.replaceChildren(...columns.map((column) => this.heading(column, sort)));
    if (focused >= 0) (this.head.children[focused] as HTMLElement | undefined)?.focus();
    this.element.setAttribute("aria-colcount", String(columns.length));
    this.body.replaceChildren();
    this.slots = [];
    this.measure();
  }

  // Shows these rows. Keeps the scroll position as far as they reach.
  show(source: Source<R>, selected: number): void {
    this.source = source;
    this.selected = selected;
    this.body.style.height = `${source.count * kRowHeight}px`;
    this.element.setAttribute("aria-rowcount", String(source.count + 1));
    for (const slot of this.slots) slot.index = -1;
    this.leave();
    this.draw();
  }

  // Moves the cursor without telling.
  select(index: number, reveal = true): void {
    const before = this.slots.find((slot) => slot.index === this.selected);
    this.selected = index;
    if (before) this.mark(before);
    const now = this.slots.find((slot) => slot.index === index);
    if (now) this.mark(now);
    if (reveal) this.reveal(index);
  }

  reveal(index: number): void {
    if (index < 0 || index >= this.source.count) return;
    const height = this.element.clientHeight - kHeadHeight;
    const top = scrollTo(index, this.element.scrollTop, height, kRowHeight);
    if (top !== this.element.scrollTop) this.element.scrollTop = top;
    this.draw();
  }

  focus(): void {
    this.element.focus({ preventScroll: true });
  }

  // Arrows, page keys, Enter and the menu key. True: handled.
  key(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const at = this.selected;
    if (event.key === "Enter" && at >= 0 && this.options.activate) {
      this.options.activate(at);
      return true;
    }
    if (isMenuKey(event) && at >= 0 && this.options.menu) {
      this.menuByKey = performance.now();
      this.openMenu(at);
      return true;
    }
    const page = Math.max(1, Math.floor((this.element.clientHeight - kHeadHeight) / kRowHeight) - 1);
    const to = moved(event.key, at, this.source.count, page);
    if (to < 0) return false;
    if (to !== at) this.choose(to);
    return true;
  }

  // Selects as if clicked.
  choose(index: number): void {
    this.select(index);
    this.options.select?.(index);
  }

  text(): string {
    const count = Math.min(this.source.count, kMostCopied);
    const rows: string[][] = [];
    for (let i = 0; i < count; ++i) {
      const row = this.source.at(i);
      rows.push(this.columns.map((column) => column.text(row)));
    }
    const titles = this.columns.map((c) => (c.unit ? `${c.title} ${c.unit}` : c.title));
    return alignText(
      titles,
      rows,
      this.columns.map((c) => c.class.includes("number")),
    );
  }

  private heading(column: Column<R>, sort?: { column: string; descending: boolean }): HTMLElement {
    const sorted = sort?.column === column.id;
    const cell = h(
      "div",
      {
        class: column.class
          .split(" ")
          .filter((x) => x === "number" || x === "bar")
          .join(" "),
        role: "columnheader",
      },
      column.title,
    );
    if (column.hint !== undefined) cell.title = column.hint;
    if (column.unit) cell.append(" ", h("span", { class: "unit", text: column.unit })); // a space, so that it is read as a word
    if (column.sort === undefined || this.options.sort === undefined) return cell;
    cell.classList.add("sortable");
    cell.setAttribute("aria-sort", sorted ? (sort.descending ? "descending" : "ascending") : "none");
    const arrow = h("span", {
      class: "arrow",
      text: sorted ? (sort.descending ? "▼" : "▲") : "",
      attributes: { "aria-hidden": "true" },
    });
    // On the side where it moves no text.
    if (cell.classList.contains("number")) cell.prepend(arrow);
    else cell.append(arrow);
    const change = () => this.options.sort!(column.id, sorted ? !sort.descending : column.sort === "desc");
    cell.tabIndex = 0;
    cell.addEventListener("click", change);
    cell.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      change();
    });
    return cell;
  }

  private measure(): void {
    this.rooms = Array.from(this.head.children, (cell) => cell.clientWidth);
    for (const slot of this.slots) slot.index = -1;
  }

  private draw(): void {
    const height = this.element.clientHeight;
    if (height === 0) return;
    const [first, end] = rowWindow(this.element.scrollTop, height - kHeadHeight, kRowHeight, this.source.count, kMore);
    const free: Slot[] = [];
    const shown = new Set<number>();
    for (const slot of this.slots) {
      if (slot.index >= first && slot.index < end) shown.add(slot.index);
      else free.push(slot);
    }
    for (let index = first; index < end; ++index) {
      if (shown.has(index)) continue;
      const slot = free.pop() ?? this.addSlot();
      this.fill(slot, index);
    }
    for (const slot of free) {
      slot.index = -1;
      slot.element.hidden = true;
    }
    const active = this.selected >= first && this.selected < end;
    if (active) this.element.setAttribute("aria-activedescendant", `${this.id}-${this.selected}`);
    else this.element.removeAttribute("aria-activedescendant");
    this.options.drawn?.(first, end);
  }

  private addSlot(): Slot {
    const cells = this.columns.map((column) => h("div", { class: column.class, role: "gridcell" }));
    const element = h("div", { class: "table-row", role: "row" }, ...cells);
    this.body.append(element);
    const slot: Slot = { element, cells, index: -1 };
    this.slots.push(slot);
    return slot;
  }

  private fill(slot: Slot, index: number): void {
    const row = this.source.at(index);
    const { element, cells } = slot;
    slot.index = index;
    element.hidden = false;
    element.id = `${this.id}-${index}`;
    element.style.transform = `translateY(${index * kRowHeight}px)`;
    element.setAttribute("aria-rowindex", String(index + 2));
    const nested = this.options.tree?.(row);
    if (nested) {
      element.setAttribute("aria-level", String(nested.level));
      if (nested.open === null) element.removeAttribute("aria-expanded");
      else element.setAttribute("aria-expanded", String(nested.open));
    }
    this.columns.forEach((column, i) => {
      const cell = cells[i]!;
      if (column.nodes) cell.replaceChildren(...(column.nodes(row, this.rooms[i] ?? 200).filter((x) => x) as (Node | string)[]));
      else cell.textContent = column.text(row);
      if (column.bar) {
        const part = column.bar(row);
        cell.style.backgroundSize = `${(100 * (part > 0 ? Math.min(1, part) : 0)).toFixed(2)}% 16px`;
      }
      if (column.tone) cell.className = `${column.class} ${column.tone(row)}`;
    });
    element.className = `table-row ${index % 2 === 1 ? "odd " : ""}${this.options.rowClass?.(row) ?? ""}`;
    this.mark(slot);
  }

  private mark(slot: Slot): void {
    const selected = slot.index === this.selected;
    slot.element.classList.toggle("selected", selected);
    slot.element.setAttribute("aria-selected", String(selected));
    if (selected) this.element.setAttribute("aria-activedescendant", slot.element.id);
  }

  private indexAt(event: MouseEvent): number {
    const row = event.target instanceof Element ? event.target.closest(".table-row") : null;
    return row === null ? -1 : (this.slots.find((slot) => slot.element === row)?.index ?? -1);
  }

  private pressed(event: MouseEvent): void {
    const index = this.indexAt(event);
    if (index < 0 || event.button > 2 || event.button === 1) return;
    this.leave();
    if (event.button === 0 && isOpener(event) && this.options.toggle) {
      event.preventDefault();
      this.focus();
      this.options.toggle(index);
      return;
    }
    if (index !== this.selected) {
      this.select(index, false);
      this.options.select?.(index);
    }
  }

  private contextMenu(event: MouseEvent): void {
    if (!this.options.menu) return;
    event.preventDefault();
    if (performance.now() - this.menuByKey < 500) return; // already open
    const index = this.indexAt(event);
    if (index >= 0) {
      if (index !== this.selected) this.choose(index);
      this.options.menu(index, event.clientX, event.clientY);
    } else if (this.selected >= 0 && event.target === this.element) {
      this.openMenu(this.selected);
    }
  }

  private openMenu(index: number): void {
    this.reveal(index);
    const slot = this.slots.find((x) => x.index === index);
    const name = slot?.cells[this.columns.findIndex((c) => c.class.includes("name"))] ?? slot?.element;
    const box = (name ?? this.element).getBoundingClientRect();
    this.options.menu?.(index, box.left + 24, box.top + kRowHeight);
  }

  private moving(event: PointerEvent): void {
    if (!this.options.hover || event.pointerType === "touch") return;
    const onName = event.target instanceof Element && event.target.closest(".name") !== null;
    const index = onName ? this.indexAt(event) : -1;
    if (index === this.hovered && index < 0) return;
    if (index !== this.hovered) this.leave();
    this.hovered = index;
    clearTimeout(this.hoverTimer);
    const { clientX, clientY } = event;
    if (index >= 0) this.hoverTimer = window.setTimeout(() => this.options.hover!(index, clientX, clientY), 350);
  }

  private leave(): void {
    clearTimeout(this.hoverTimer);
    if (this.hovered < 0) return;
    this.hovered = -1;
    this.options.hover?.(-1, 0, 0);
  }
}

function isOpener(event: Event): boolean {
  return event.target instanceof Element && event.target.classList.contains("opener");
}

// A view with a table, and below it the status and what keys do.
export function tableView<R>(
  name: string,
  table: Table<R>,
  note: Note,
  status: HTMLElement,
  keys: Readonly<Record<string, string>>,
): HTMLElement {
  const hints = Object.entries(keys).flatMap(([key, what], i) => [i === 0 ? "" : "    ", h("kbd", { text: key }), ` ${what}`]);
  return h(
    "div",
    { class: `table-view ${name}` },
    table.element,
    note.element,
    h("div", { class: "table-foot" }, status, h("span", { class: "keys" }, ...hints)),
  );
}

// Text with the matches of the search marked.
export function marked(text: string, pattern: RegExp | null): HTMLElement {
  const element = h("span", { class: "text" });
  let at = 0;
  for (const [begin, end] of matches(text, pattern)) {
    element.append(text.slice(at, begin), h("mark", { text: text.slice(begin, end) }));
    at = end;
  }
  element.append(text.slice(at));
  return element;
}

// What is shown instead of rows: nothing found, still computing, an error.
export class Note {
  readonly element = h("div", { class: "table-note", hidden: true, role: "status" });
  private timer = 0;

  set(title: string, detail = ""): void {
    clearTimeout(this.timer);
    this.element.hidden = title === "";
    this.element.replaceChildren(h("div", { class: "title", text: title }), h("div", { text: detail }));
  }
  // Only if it takes long enough to be noticed.
  later(title: string): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.set(title), 200);
  }
}

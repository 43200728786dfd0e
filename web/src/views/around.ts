// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Callers above and callees below one function.

import { h, isMenuKey, setText } from "../app/dom";
import type { Context, View } from "../app/view";
import type { FlameBoxes, Totals } from "../engine/api";
import { change, cost, count, countOf, share } from "../format/cost";
import { outline, svgOf } from "../draw/export";
import { boxSummary, boxTooltip, eventOf, nameOf } from "../draw/facts";
import { Follower } from "../draw/follower";
import { legendItems, Message, PaneFrame, savedLegend, savedStyle, SearchMatches } from "../draw/frame";
import { boxSet, kRow, type BoxSet } from "../draw/layout";
import { flameLook, type Look } from "../draw/look";
import { BoxPane } from "../draw/pane";
import { theme } from "../draw/theme";
import { heaviestPath, move, nextMatch } from "../draw/tree";
import { FunctionList } from "./function_list";

type SideName = "callers" | "callees";

// One of the two pictures. The function itself, row 0, is the row in the middle that both share.
interface Side {
  readonly boxes: FlameBoxes;
  readonly set: BoxSet; // without row 0: row i of the boxes is row i - 1
  readonly whole: BoxSet;
}
interface Shown {
  readonly key: number;
  readonly callers: Side;
  readonly callees: Side;
  readonly totals: Totals;
}

export class AroundView implements View {
  readonly name = "around";
  readonly title = "Callers and callees";
  readonly element: HTMLElement;

  private readonly panes: Record<SideName, BoxPane>;
  private readonly frames: Record<SideName, PaneFrame>;
  private readonly notes: Record<SideName, HTMLElement> = {
    callers: h("div", { class: "aside above" }),
    callees: h("div", { class: "aside below" }),
  };
  private readonly search = new SearchMatches("around-search", () => this.restyle());
  private readonly middleName = h("span", { class: "name" });
  private readonly middleCost = h("span", { class: "cost" });
  private readonly middle = h("div", { class: "middle" });
  private readonly counts = h("span", { class: "counts" });
  private readonly list = new FunctionList((key) => this.choose(key));
  private readonly both = h("div", { class: "both" });
  private readonly about = h("span", { class: "grow about" });
  private readonly hidden = h("span");
  private readonly legend = h("span", { class: "key" });
  private readonly message = new Message();
  private readonly follower: Follower;

  private context: Context | null = null;
  private shown: Shown | null = null;
  private selected: { side: SideName; row: number } | null = null; // a row of the boxes; 0: the function in the middle
  private askedKey = "";
  private hottestKey = "";
  private hottest = -1;
  private wanted = -1; // the function in the middle

  constructor() {
    const pane = (side: SideName, label: string) =>
      new BoxPane(label, {
        hover: (row, x, y) => this.hover(side, row, x, y),
        click: (row) => this.select(row < 0 ? null : { side, row: row + 1 }),
        open: (row) => this.center(this.shown?.[side].boxes.key[row + 1]),
        menu: (row, x, y) => this.menu(side, row + 1, x, y),
        resized: () => this.request(),
      });
    this.panes = { callers: pane("callers", "Callers"), callees: pane("callees", "Callees") };
    this.panes.callers.setOrientation(true);
    this.frames = { callers: new PaneFrame(this.panes.callers), callees: new PaneFrame(this.panes.callees) };
    this.follower = new Follower(() => this.ask(), this.frames.callees, (error) => this.failed(error));
    this.frames.callers.element.append(this.notes.callers);
    this.frames.callees.element.append(this.notes.callees);
    this.middle.addEventListener("click", () => this.select({ side: "callees", row: 0 }));
    this.middle.addEventListener("pointermove", (event) => this.hover("callees", -1, event.clientX, event.clientY, true));
    this.middle.addEventListener("pointerleave", () => this.context?.tooltip(null, 0, 0));
    this.middle.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.menu("callees", 0, event.clientX, event.clientY);
    });
    this.middle.append(this.middleName, this.middleCost, this.counts);
    this.both.append(this.frames.callers.element, this.middle, this.frames.callees.element, this.message.element);
    this.element = h("div", { class: "drawn around" }, h("div", { class: "halves" }, this.list.element, this.both), h("div", { class: "bar bottom" }, this.about, this.hidden, this.legend));
    new ResizeObserver(() => this.arrange()).observe(this.both);
  }

  update(context: Context): void {
    this.context = context;
    const colors = theme(context.dark);
    for (const pane of [this.panes.callers, this.panes.callees]) {
      pane.setTheme(colors);
      pane.measure();
    }
    this.legend.replaceChildren(...legendItems(colors, context.query.base !== null));
    this.request();
    this.search.update(context, context.query, JSON.stringify(context.query));
    this.restyle();
    this.list.update(context, this.wanted);
  }

  key(event: KeyboardEvent, context: Context): boolean {
    this.context = context;
    if (this.list.hasFocus) return this.list.handle(event);
    if (event.ctrlKey || event.metaKey || event.altKey || this.shown === null) return false;
    if (isMenuKey(event)) return this.menuAtSelected();
    const { selected } = this;
    switch (event.key) {
      case "ArrowUp":
        return this.moveUp(-1);
      case "ArrowDown":
        return this.moveUp(1);
      case "ArrowLeft":
      case "ArrowRight": {
        if (selected === null || selected.row === 0) return this.select({ side: "callees", row: 0 });
        const side = this.shown[selected.side];
        const step = event.key === "ArrowLeft" ? "left" : "right";
        return this.select({ side: selected.side, row: move(side.boxes, side.whole, selected.row, step) });
      }
      case "Home":
        return this.select({ side: "callees", row: 0 });
      case "Enter":
        if (selected === null || selected.row === 0) return false;
        return this.center(this.shown[selected.side].boxes.key[selected.row]);
      case "Escape":
        return selected !== null && this.select(null);
      default:
        return false;
    }
  }

  step(direction: 1 | -1, context: Context): void {
    this.context = context;
    const { matches } = this.search;
    if (this.shown === null || matches === null) return;
    // Through the callees, then the callers, then around.
    const sides: SideName[] = ["callees", "callers"];
    const start = this.selected ?? { side: "callees" as SideName, row: 0 };
    for (const side of start.side === "callees" ? sides : [...sides].reverse()) {
      const { boxes } = this.shown[side];
      const from = side === start.side ? start.row : direction > 0 ? 0 : boxes.count;
      const row = nextMatch(boxes, matches, from === 0 && direction < 0 ? boxes.count : from, direction);
      const goesAround = row >= 0 && (direction > 0 ? row <= from : row >= from && from > 0);
      const other = this.shown[side === "callees" ? "callers" : "callees"].boxes;
      if (row >= 0 && (!goesAround || side !== start.side || nextMatch(other, matches, 0, 1) < 0)) {
        this.select({ side, row });
        return;
      }
    }
    context.toast("No caller or callee matches.");
  }

  text(context: Context): string {
    const { shown } = this;
    if (shown === null) return "";
    const event = eventOf(context);
    const part = (side: Side) => {
      const { boxes } = side;
      const columns = (row: number) => {
        const total = boxes.total[row]!;
        if (boxes.baseTotal === null) return [share(total, shown.totals.weight), cost(total, event)];
        return [cost(boxes.baseTotal[row]!, event), cost(total, event), change(boxes.baseTotal[row]!, total)];
      };
      return outline(boxes, { from: 0, to: 1 }, columns, (key) => nameOf(context, key));
    };
    const name = nameOf(context, shown.key);
    return `Callers of ${name}\n${part(shown.callers)}\nCallees of ${name}\n${part(shown.callees)}`;
  }

  svg(context: Context): string {
    const { shown } = this;
    if (shown === null) return "";
    const { set, look, rows } = this.joined(context, shown);
    const note = this.hiddenText();
    return svgOf({
      ...savedStyle(context),
      set,
      look,
      span: { from: 0, to: 1 },
      width: Math.max(600, this.panes.callees.clientWidth),
      rootAtBottom: false,
      title: `Callers and callees of ${nameOf(context, shown.key)}`,
      notes: note === "" ? [] : [note],
      legend: savedLegend(context, set.key, shown.callees.boxes.baseTotal !== null),
      tip: (row) => boxSummary(context, shown[rows[row]!.side].boxes, shown.totals, rows[row]!.row),
    });
  }

  // Both pictures as one: callers upwards, the function, callees downwards.
  private joined(context: Context, shown: Shown): { set: BoxSet; look: Look; rows: { side: SideName; row: number }[] } {
    const looks = { callers: this.look(context, shown.callers), callees: this.look(context, shown.callees) };
    const above = Math.max(0, shown.callers.whole.levels - 1);
    const rows: { side: SideName; row: number }[] = [];
    for (const side of ["callers", "callees"] as const) {
      for (let i = side === "callers" ? 1 : 0; i < shown[side].boxes.count; ++i) rows.push({ side, row: i });
    }
    const at = <T>(pick: (boxes: FlameBoxes, whole: BoxSet, row: number) => T) =>
      rows.map(({ side, row }) => pick(shown[side].boxes, shown[side].whole, row));
    const depth = rows.map(({ side, row }) => above + (side === "callers" ? -1 : 1) * shown[side].boxes.depth[row]!);
    const set = boxSet(
      rows.length,
      Uint32Array.from(at((boxes, _, row) => boxes.key[row]!)),
      Uint32Array.from(depth),
      Float64Array.from(at((boxes, _, row) => boxes.x[row]!)),
      Float64Array.from(at((_, whole, row) => whole.end[row]!)),
    );
    const shift = looks.callers.styles.length;
    const look: Look = {
      styles: [...looks.callers.styles, ...looks.callees.styles],
      of: Uint16Array.from(rows.map(({ side, row }) => looks[side].of[row]! + (side === "callees" ? shift : 0))),
      inlined: Uint8Array.from(at((boxes, _, row) => boxes.inlined[row]!)),
    };
    return { set, look, rows };
  }

  // The function: that of the state, of the selected box, or the one with the highest self cost.

  private request(): void {
    const { context } = this;
    if (context === null || this.panes.callees.clientWidth === 0) return;
    const { state, query, symbols } = context;
    const usable = (key: number | undefined): key is number => key !== undefined && key >= 0 && !symbols.isGroup(key);
    if (usable(state.key)) {
      this.want(state.key);
    } else if (usable(state.selected[state.selected.length - 1])) {
      this.want(state.selected[state.selected.length - 1]!);
    } else {
      const hottestKey = JSON.stringify(query);
      if (hottestKey === this.hottestKey) {
        if (this.hottest >= 0) this.want(this.hottest);
        return;
      }
      this.hottestKey = hottestKey;
      this.hottest = -1;
      this.frames.callees.setBusy(true);
      context.ask("functions", { query, sort: "self", descending: true, pattern: "", limit: 1 }, "around-hottest").then(
        ({ rows }) => {
          if (this.hottestKey !== hottestKey) return;
          this.frames.callees.setBusy(false);
          this.hottest = rows.count > 0 ? rows.key[0]! : -1;
          if (this.hottest >= 0) this.want(this.hottest);
          else this.nothing(context);
        },
        (error: unknown) => this.failed(error),
      );
    }
  }

  private want(key: number): void {
    const askedKey = `${key} ${this.panes.callees.clientWidth} ${JSON.stringify(this.context!.query)}`;
    if (askedKey === this.askedKey) return;
    this.askedKey = askedKey;
    this.wanted = key;
    this.list.update(this.context!, key);
    this.follower.follow(true);
  }

  private ask(): Promise<() => void> {
    const context = this.context!;
    const key = this.wanted;
    const ask = { query: context.query, key, pixels: this.panes.callees.clientWidth };
    return context.ask("around", ask, "around").then(({ callers, callees, totals }) => () => {
      const other = this.shown === null || this.shown.key !== key;
      this.shown = { key, callers: side(callers), callees: side(callees), totals };
      if (other) this.selected = null;
      if (this.selected !== null && this.selected.row >= this.shown[this.selected.side].boxes.count) this.selected = null;
      if (totals.weight === 0 && totals.baseWeight === 0) {
        this.nothing(context);
        return;
      }
      this.message.say("");
      this.arrange();
      this.restyle();
      if (other) this.bringIntoView();
    });
  }

  private failed(error: unknown): void {
    this.frames.callees.setBusy(false);
    this.askedKey = "";
    this.message.failed("Callers and callees", error);
  }
  private nothing(context: Context): void {
    this.askedKey = "";
    this.message.noSamples(context);
  }

  // What is drawn.

  private look(context: Context, side: Side): Look {
    return flameLook(side.boxes, side.whole, context.symbols, theme(context.dark), this.search.matches);
  }

  private restyle(): void {
    const { context, shown } = this;
    if (context === null || shown === null) return;
    for (const name of ["callers", "callees"] as const) {
      const side = shown[name];
      const look = this.look(context, side);
      const inlined = look.inlined === null ? null : look.inlined.subarray(1);
      const shownLook = { styles: look.styles, of: look.of.subarray(1), inlined };
      this.panes[name].setPicture({ set: side.set, look: shownLook, name: (key) => context.symbols.name(key) });
      this.panes[name].setLabel(`${name === "callers" ? "Callers" : "Callees"} of ${nameOf(context, shown.key)}`);
    }
    const style = this.look(context, shown.callees);
    const own = style.styles[style.of[0] ?? 0];
    if (own !== undefined) {
      this.middle.style.background = own.fill;
      this.middle.style.color = own.ink;
    }
    const { boxes } = shown.callees;
    setText(this.middleName, nameOf(context, shown.key));
    this.middleName.title = nameOf(context, shown.key);
    setText(this.middleCost, boxes.count > 0 ? boxSummary(context, boxes, shown.totals, 0) : "no cost in this selection");
    const callers = directCount(shown.callers);
    const callees = directCount(shown.callees);
    setText(this.notes.callers, callers === 0 ? "No callers: outermost function" : "");
    setText(this.notes.callees, callees === 0 ? "No callees: all cost is self cost" : "");
    setText(this.counts, `${directText(callers, shown.callers, "caller")}, ${directText(callees, shown.callees, "callee")}`);
    setText(this.hidden, this.hiddenText());
    this.markSelected();
  }

  private hiddenText(): string {
    const { shown } = this;
    if (shown === null) return "";
    const boxes = shown.callers.boxes.hiddenBoxes + shown.callees.boxes.hiddenBoxes;
    return boxes === 0 ? "" : `${count(boxes)} narrow ${boxes === 1 ? "box" : "boxes"} not shown`;
  }

  // The row in the middle moves so that both sides get the room they need, if there is enough.
  private arrange(): void {
    const { shown } = this;
    const room = this.both.clientHeight - 28;
    if (shown === null || room <= 0) return;
    const need = (side: Side) => Math.max(4, side.set.levels + 1) * kRow;
    const [above, below] = [need(shown.callers), need(shown.callees)];
    const fits = above + below <= room;
    const top = fits ? Math.max(above, Math.min(room - below, room * 0.4)) : Math.min(above, Math.max(room / 2, room - below));
    const height = `${Math.round(top)}px`;
    if (this.frames.callers.element.style.flexBasis !== height) this.frames.callers.element.style.flex = `0 0 ${height}`;
    this.panes.callers.measure();
    this.panes.callees.measure();
  }

  private bringIntoView(): void {
    for (const name of ["callers", "callees"] as const) {
      const { boxes } = this.shown![name];
      this.panes[name].showRoot();
      const row = heaviestPath(boxes, 0, 0.2).pop();
      if (row !== undefined && name === "callees") this.panes[name].showLevel(Math.min(boxes.depth[row]! - 1, 3));
    }
  }

  // Selection.

  private select(selected: { side: SideName; row: number } | null): boolean {
    const { context, shown } = this;
    if (context === null || shown === null) return false;
    this.selected = selected;
    context.tooltip(null, 0, 0);
    const key = selected === null ? undefined : shown[selected.side].boxes.key[selected.row];
    // The selection must not change which function is in the middle.
    const path = key === undefined ? [] : [selected!.row === 0 ? shown.key : key];
    context.set({ key: shown.key, selected: path }, "replace");
    if (selected !== null) this.panes[selected.row === 0 ? "callees" : selected.side].takeFocus();
    if (selected !== null && selected.row > 0) this.panes[selected.side].showLevel(shown[selected.side].boxes.depth[selected.row]! - 1);
    this.markSelected();
    return true;
  }

  // Up: from callees to the function in the middle, then to its callers.
  private moveUp(direction: 1 | -1): boolean {
    const shown = this.shown!;
    const { selected } = this;
    if (selected === null) return this.select({ side: "callees", row: 0 });
    const away: SideName = direction < 0 ? "callers" : "callees";
    if (selected.row === 0) {
      const { boxes, whole } = shown[away];
      return this.select({ side: away, row: boxes.count > 1 ? move(boxes, whole, 0, "callee") : 0 });
    }
    const { boxes, whole } = shown[selected.side];
    return this.select({ side: selected.side, row: move(boxes, whole, selected.row, selected.side === away ? "callee" : "caller") });
  }

  private markSelected(): void {
    const { context, shown, selected } = this;
    if (context === null || shown === null) return;
    for (const name of ["callers", "callees"] as const) {
      const row = selected !== null && selected.side === name ? selected.row : 0;
      const { boxes, whole } = shown[name];
      if (row <= 0) {
        const isMiddle = name === "callees" && selected !== null && selected.row === 0 && boxes.count > 0;
        const text = isMiddle ? `${nameOf(context, shown.key)}, ${boxSummary(context, boxes, shown.totals, 0)}` : "";
        const expanded = boxes.count > 1 ? true : null;
        this.panes[name].setSelected(-1, isMiddle ? { text, level: 1, position: 1, siblings: 1, expanded } : null);
        continue;
      }
      const level = boxes.depth[row]!;
      this.panes[name].setSelected(row - 1, {
        text: `${nameOf(context, boxes.key[row]!)}, ${boxSummary(context, boxes, shown.totals, row)}`,
        level: level + 1,
        position: whole.order.indexOf(row, whole.first[level]!) - whole.first[level]! + 1,
        siblings: whole.first[level + 1]! - whole.first[level]!,
        expanded: row + 1 < boxes.count && boxes.parent[row + 1] === row ? true : null,
      });
    }
    this.middle.classList.toggle("selected", selected !== null && selected.row === 0);
    if (selected === null || selected.row === 0) {
      setText(this.about, "Callers above, callees below. Double click or Enter puts a function in the middle.");
    } else {
      const { boxes } = shown[selected.side];
      const name = h("span", { class: "name", text: nameOf(context, boxes.key[selected.row]!) });
      this.about.replaceChildren(name, h("span", { text: boxSummary(context, boxes, shown.totals, selected.row) }));
    }
  }

  // From the list.
  private choose(key: number): void {
    this.selected = null;
    this.context!.set({ key, selected: [] }, "replace");
  }

  private center(key: number | undefined): boolean {
    const { context } = this;
    if (context === null || key === undefined || context.symbols.isGroup(key)) return false;
    context.tooltip(null, 0, 0);
    this.selected = null;
    context.set({ key, selected: [key] });
    return true;
  }

  // The mouse.

  private hover(name: SideName, row: number, x: number, y: number, middle = false): void {
    const { context, shown } = this;
    if (context === null) return;
    if (shown === null || (row < 0 && !middle) || row + 1 >= shown[name].boxes.count) {
      context.tooltip(null, x, y);
      return;
    }
    const { boxes } = shown[name];
    const content = boxTooltip(context, boxes, shown.totals, row + 1);
    if (middle) content.title = nameOf(context, shown.key);
    context.tooltip(content, x, y);
  }

  private menu(name: SideName, row: number, x: number, y: number): void {
    const { context, shown } = this;
    if (context === null || shown === null || row < 0 || (row === 0 && name === "callers")) return;
    const key = row === 0 ? shown.key : shown[name].boxes.key[row];
    if (key === undefined) return;
    this.select({ side: name, row });
    context.menu([key], x, y);
  }

  private menuAtSelected(): boolean {
    const { selected } = this;
    if (selected === null) return false;
    const { x, y } = this.panes[selected.side].pointOf(selected.row - 1);
    this.menu(selected.row === 0 ? "callees" : selected.side, selected.row, x, y);
    return true;
  }
}

function side(boxes: FlameBoxes): Side {
  const end = new Float64Array(boxes.count);
  for (let i = 0; i < boxes.count; ++i) end[i] = boxes.x[i]! + boxes.width[i]!;
  const whole = boxSet(boxes.count, boxes.key, boxes.depth, boxes.x, end);
  const rest = Math.max(0, boxes.count - 1);
  const depth = boxes.depth.slice(1, boxes.count).map((x) => x - 1);
  return { boxes, whole, set: boxSet(rest, boxes.key.subarray(1), depth, boxes.x.subarray(1), end.subarray(1)) };
}

function directCount(side: Side): number {
  return side.set.levels === 0 ? 0 : side.set.first[1]! - side.set.first[0]!;
}

// "5 callees", or "5+ callees" if narrow ones are not shown.
function directText(direct: number, side: Side, one: string): string {
  return side.boxes.hiddenBoxes > 0 ? `${count(direct)}+ ${one}s` : countOf(direct, one);
}

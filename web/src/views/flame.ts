// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The flame graph (root at the bottom) and the icicle (root at the top).

import { h, isMenuKey, setText } from "../app/dom";
import { kLeastSpan } from "../app/state";
import type { Context, State, View } from "../app/view";
import type { FlameBoxes, Totals } from "../engine/api";
import { change, cost, count, share } from "../format/cost";
import { clean, shownName } from "../format/name";
import { outline, svgOf } from "../draw/export";
import { boxSummary, boxTooltip, eventOf, nameOf } from "../draw/facts";
import { Follower } from "../draw/follower";
import { legendItems, Message, PaneFrame, savedLegend, savedStyle, SearchMatches } from "../draw/frame";
import { flameBoxSet, kRow, type BoxSet, type Span } from "../draw/layout";
import { flameLook, type Look } from "../draw/look";
import { BoxPane, type Described } from "../draw/pane";
import { theme, type Theme } from "../draw/theme";
import { heaviestPath, move, nextMatch, pathOf, rowOf, samePath, widerAncestor, type Step } from "../draw/tree";
import { clampSpan, panBy, reveal, sameSpan, zoomAt } from "../draw/zoom";

const kWhole: Span = { from: 0, to: 1 };

interface Shown {
  readonly boxes: FlameBoxes;
  readonly totals: Totals;
  readonly set: BoxSet;
  readonly queryKey: string;
}

export class FlameView implements View {
  readonly name = "flame";
  readonly title = "Flame graph";
  readonly element: HTMLElement;

  private readonly pane: BoxPane;
  private readonly frame: PaneFrame;
  private readonly search = new SearchMatches("flame-search", () => this.restyle());
  private readonly flameButton = h("button", {
    text: "Flame",
    title: "Root at the bottom",
    on: { click: () => this.context?.set({ icicle: false }) },
  });
  private readonly icicleButton = h("button", {
    text: "Icicle",
    title: "Root at the top",
    on: { click: () => this.context?.set({ icicle: true }) },
  });
  private readonly invertedButton = h("button", {
    class: "alone",
    text: "Inverted",
    title: "Start with the functions where samples end, and show their callers (i)",
    on: { click: () => this.context?.set({ inverted: !this.context.state.inverted, selected: [], zoom: [] }) },
  });
  private readonly resetButton = h("button", {
    class: "alone",
    text: "Reset zoom",
    title: "Show everything (0)",
    on: { click: () => this.resetZoom() },
  });
  private readonly about = h("span", { class: "grow about" });
  private readonly hidden = h("span");
  private readonly legend = h("span", { class: "key" });
  private readonly message = new Message();
  private readonly follower: Follower;

  private context: Context | null = null;
  private shown: Shown | null = null;
  private queryKey = ""; // of the newest query
  private zoomKey = "";
  private selectedKey = "";
  private orientationKey = "";
  private spanKey = ""; // of State.span, when it was read or written last
  private panning = false;
  private showHeaviest = true;
  private showZoomed = false;
  private legendKey = "";
  private styled: { set: BoxSet; colors: Theme; keys: Uint8Array | null; look: Look } | null = null;

  constructor() {
    this.pane = new BoxPane("Flame graph", {
      hover: (row, x, y) => this.hover(row, x, y),
      click: (row) => this.click(row),
      open: (row) => this.zoomTo(row),
      menu: (row, x, y) => this.menu(row, x, y),
      pan: (distance, done) => {
        this.panning = !done;
        this.moveTo(panBy(this.pane.target, distance, kWhole));
      },
      zoom: (at, factor) => this.moveTo(zoomAt(this.pane.target, at, factor, kWhole, kLeastSpan)),
      resized: () => this.follower.follow(),
    });
    this.frame = new PaneFrame(this.pane);
    this.follower = new Follower(() => this.ask(), this.frame, (error) => this.failed(error));
    this.frame.element.append(this.message.element);
    this.element = h(
      "div",
      { class: "drawn" },
      this.frame.element,
      h(
        "div",
        { class: "bar bottom" },
        h("span", { class: "segments", role: "group", attributes: { "aria-label": "Direction" } }, this.flameButton, this.icicleButton),
        this.invertedButton,
        this.resetButton,
        this.about,
        this.hidden,
        this.legend,
      ),
    );
  }

  update(context: Context): void {
    this.context = context;
    const { state } = context;
    const colors = theme(context.dark);
    this.pane.setTheme(colors);
    this.pane.setOrientation(!state.icicle);
    const kind = `${state.icicle ? "Icicle" : "Flame graph"}${state.inverted ? ", inverted" : ""}`;
    this.pane.setLabel(`${kind}: arrow keys move, Enter zooms, Escape zooms out`);
    this.pane.measure();
    this.flameButton.setAttribute("aria-pressed", String(!state.icicle));
    this.icicleButton.setAttribute("aria-pressed", String(state.icicle));
    this.invertedButton.setAttribute("aria-pressed", String(state.inverted));
    const legendKey = `${context.dark} ${context.query.base !== null}`;
    if (legendKey !== this.legendKey) this.legend.replaceChildren(...legendItems(colors, context.query.base !== null));
    this.legendKey = legendKey;

    const queryKey = JSON.stringify(context.query);
    const zoomKey = state.zoom.join();
    const newQuery = queryKey !== this.queryKey;
    const spanKey = keyOf(state.span);
    const newZoom = zoomKey !== this.zoomKey;
    const newSpan = spanKey !== this.spanKey;
    // A new range keeps the scroll position: it changes while the brush moves.
    const orientationKey = JSON.stringify([state.threads, state.event, state.inverted, state.transforms, state.icicle]);
    if (orientationKey !== this.orientationKey) this.showHeaviest = true;
    this.orientationKey = orientationKey;
    this.queryKey = queryKey;
    this.zoomKey = zoomKey;
    this.spanKey = spanKey;
    if (newZoom || newSpan || newQuery) {
      if (newZoom) this.showZoomed = true;
      this.goToZoom(newQuery);
    } else if (this.shown === null) {
      this.follower.follow();
    }
    this.search.update(context, context.query, queryKey);
    this.restyle();
    const selectedKey = state.selected.join();
    if (selectedKey !== this.selectedKey && this.shown !== null) this.showSelected();
    this.selectedKey = selectedKey;
  }

  key(event: KeyboardEvent, context: Context): boolean {
    this.context = context;
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (isMenuKey(event)) return this.menuAtSelected();
    const up: Step = context.state.icicle ? "caller" : "callee";
    const down: Step = context.state.icicle ? "callee" : "caller";
    const row = this.selectedRow();
    switch (event.key) {
      case "ArrowUp":
        return this.stepTo(up);
      case "ArrowDown":
        return this.stepTo(down);
      case "ArrowLeft":
        return this.stepTo("left");
      case "ArrowRight":
        return this.stepTo("right");
      case "Home":
        return this.stepTo("first");
      case "End":
        return this.stepTo("last");
      case "PageUp":
      case "PageDown":
        this.pane.scrollBy((event.key === "PageUp" ? -1 : 1) * Math.max(kRow, this.pane.clientHeight - 2 * kRow));
        return true;
      case "Enter":
        if (row < 0) return false;
        this.zoomTo(row);
        return true;
      case "Escape":
      case "Backspace":
        return this.zoomOut();
      case "0":
        if (!isZoomed(context.state)) return false;
        this.resetZoom();
        return true;
      case "+":
      case "=":
      case "-": {
        const span = this.pane.target;
        const box = row >= 0 && this.shown ? this.spanOf(row) : span;
        const middle = (Math.max(span.from, box.from) + Math.min(span.to, box.to)) / 2;
        this.moveTo(zoomAt(span, middle, event.key === "-" ? 1.5 : 1 / 1.5, kWhole, kLeastSpan), true);
        return true;
      }
      default:
        return false;
    }
  }

  step(direction: 1 | -1, context: Context): void {
    this.context = context;
    const { matches } = this.search;
    if (this.shown === null || matches === null) return;
    const row = nextMatch(this.shown.boxes, matches, this.selectedRow(), direction);
    if (row >= 0) this.select(row);
    else if (isZoomed(context.state)) context.toast("No match in the part that is shown. Press 0 to zoom out.");
    else context.toast("No visible box matches.");
  }

  text(context: Context): string {
    if (this.shown === null) return "";
    const { boxes, totals } = this.shown;
    const event = eventOf(context);
    const columns = (row: number) => {
      const total = boxes.total[row]!;
      if (boxes.baseTotal === null) return [share(total, totals.weight), cost(total, event), cost(boxes.self[row]!, event)];
      const before = boxes.baseTotal[row]!;
      return [cost(before, event), cost(total, event), change(before, total)];
    };
    const head = boxes.baseTotal === null ? "share, total, self" : "before, after, change";
    const note = hiddenText(boxes);
    const lines = outline(boxes, this.pane.target, columns, (key) => nameOf(context, key));
    return `${clean(context.meta.title)}: ${head}\n${lines}${note === "" ? "" : `${note}\n`}`;
  }

  svg(context: Context): string {
    if (this.shown === null) return "";
    const { boxes, totals, set } = this.shown;
    const note = hiddenText(boxes);
    return svgOf({
      ...savedStyle(context),
      set,
      look: this.look(context),
      span: this.pane.target,
      width: Math.max(600, this.pane.clientWidth),
      rootAtBottom: !context.state.icicle,
      title: context.meta.title,
      notes: note === "" ? [] : [note],
      legend: savedLegend(context, set.key, boxes.baseTotal !== null),
      tip: (row) => boxSummary(context, boxes, totals, row),
    });
  }

  // What is drawn.

  private look(context: Context): Look {
    const { boxes, set } = this.shown!;
    const colors = theme(context.dark);
    const { keys } = this.search;
    if (this.styled === null || this.styled.set !== set || this.styled.colors !== colors || this.styled.keys !== keys) {
      this.styled = { set, colors, keys, look: flameLook(boxes, set, context.symbols, colors, this.search.matches) };
    }
    return this.styled.look;
  }

  private restyle(): void {
    const { context, shown } = this;
    if (context === null || shown === null) return;
    this.pane.setPicture({ set: shown.set, look: this.look(context), name: (key) => context.symbols.name(key) });
    this.markSelected();
    setText(this.hidden, hiddenText(shown.boxes));
    this.resetButton.hidden = !isZoomed(context.state);
  }

  private goToZoom(newQuery: boolean): void {
    const context = this.context!;
    const { zoom, span } = context.state;
    if (zoom.length === 0 || span !== null) {
      this.pane.setSpan(span === null ? kWhole : { from: span[0], to: span[1] }, !newQuery);
      this.follower.follow(newQuery);
      return;
    }
    const row = !newQuery && this.shown !== null && this.shown.queryKey === this.queryKey ? rowOf(this.shown.boxes, zoom) : -1;
    if (row >= 0) {
      this.pane.setSpan(this.spanOf(row), true);
      this.follower.follow();
      return;
    }
    // Another query, or a URL: only the engine knows where the box is.
    const { queryKey, zoomKey, spanKey } = this;
    context.ask("locate", { query: context.query, path: [...zoom] }, "flame-locate").then(
      (found) => {
        if (this.queryKey !== queryKey || this.zoomKey !== zoomKey || this.spanKey !== spanKey) return;
        this.pane.setSpan(found === null || !(found.width > 0) ? kWhole : { from: found.x, to: found.x + found.width }, false);
        this.follower.follow(newQuery);
      },
      (error: unknown) => this.failed(error),
    );
  }

  // Asks for the boxes of the span that is shown.
  private ask(): Promise<() => void> | null {
    const { context, queryKey, panning } = this;
    if (context === null || this.pane.clientWidth === 0) return null;
    const target = this.pane.target;
    const margin = panning ? (target.to - target.from) / 2 : 0;
    const wide = { from: Math.max(0, target.from - margin), to: Math.min(1, target.to + margin) };
    const pixels = Math.ceil((this.pane.clientWidth * (wide.to - wide.from)) / (target.to - target.from));
    return context.ask("flame", { query: context.query, viewport: { ...wide, pixels } }, "flame").then(({ boxes, totals }) => () => {
      if (queryKey !== this.queryKey) return;
      this.shown = { boxes, totals, set: flameBoxSet(boxes), queryKey };
      if (boxes.count <= 1) this.message.noSamples(context);
      else this.message.say("");
      this.restyle();
      this.bringIntoView();
    });
  }

  private failed(error: unknown): void {
    this.frame.setBusy(false);
    this.shown = null;
    setText(this.about, "");
    setText(this.hidden, "");
    this.message.failed("The flame graph", error);
  }

  // At first and after changes: the heaviest path, the zoomed box, or the selected one.
  private bringIntoView(): void {
    const { shown, context } = this;
    if (shown === null || context === null) return;
    const { boxes } = shown;
    const zoomRow = Math.max(0, rowOf(boxes, context.state.zoom));
    if (this.showHeaviest) {
      this.pane.showRoot();
      const least = boxes.width[zoomRow]! / 10;
      const path = heaviestPath(boxes, zoomRow, least);
      const row = path[path.length - 1] ?? zoomRow;
      if (boxes.count > 0) this.pane.showLevel(boxes.depth[row]!, 2);
    } else if (this.showZoomed && boxes.count > 0) {
      this.pane.showLevel(boxes.depth[zoomRow]!, 1);
    }
    if (this.showHeaviest && this.selectedRow() >= 0) this.showSelected();
    this.showHeaviest = false;
    this.showZoomed = false;
  }

  // Zooms or pans by hand.
  private moveTo(wanted: Span, animate = false): void {
    const { context } = this;
    const target = clampSpan(wanted, kWhole);
    if (context !== null && !sameSpan(target, this.pane.target)) {
      this.pane.setSpan(target, animate);
      const span: State["span"] = sameSpan(target, kWhole) && context.state.zoom.length === 0 ? null : [target.from, target.to];
      this.spanKey = keyOf(span);
      context.set({ span }, "replace");
      context.tooltip(null, 0, 0);
    }
    this.follower.follow();
  }

  private spanOf(row: number): Span {
    const { boxes } = this.shown!;
    return { from: boxes.x[row]!, to: Math.min(1, boxes.x[row]! + boxes.width[row]!) };
  }

  private zoomTo(row: number): void {
    const { context, shown } = this;
    if (context === null || shown === null) return;
    const path = pathOf(shown.boxes, row);
    const zoom = this.zoomPath(row);
    context.tooltip(null, 0, 0);
    if (context.state.span !== null || !samePath(zoom, context.state.zoom)) context.set({ zoom, span: null, selected: path });
    else if (!samePath(path, context.state.selected)) context.set({ selected: path }, "replace");
  }

  // What State.zoom is for a row: empty if the box is as wide as the root.
  private zoomPath(row: number): number[] {
    const { boxes } = this.shown!;
    return boxes.width[row]! > 1 - 1e-9 ? [] : pathOf(boxes, row);
  }

  private resetZoom(): void {
    if (this.context !== null && isZoomed(this.context.state)) this.context.set({ zoom: [], span: null });
  }

  private zoomOut(): boolean {
    const { context, shown } = this;
    if (context === null || shown === null) return false;
    if (!isZoomed(context.state)) return false;
    if (context.state.span !== null) {
      context.set({ span: null });
      return true;
    }
    const row = rowOf(shown.boxes, context.state.zoom);
    context.set({ zoom: row < 0 ? [] : this.zoomPath(widerAncestor(shown.boxes, row)) });
    return true;
  }

  // Selection.

  private selectedRow(): number {
    const { context, shown } = this;
    if (context === null || shown === null || context.state.selected.length === 0) return -1;
    return rowOf(shown.boxes, context.state.selected);
  }

  private select(row: number): void {
    const { context, shown } = this;
    if (context === null || shown === null) return;
    context.set({ selected: row <= 0 ? [] : pathOf(shown.boxes, row) }, "replace");
  }

  private stepTo(step: Step): boolean {
    const { context, shown } = this;
    if (context === null || shown === null || shown.boxes.count < 2) return false;
    const row = this.selectedRow();
    const zoomRow = Math.max(0, rowOf(shown.boxes, context.state.zoom));
    const outermost = zoomRow > 0 ? zoomRow : move(shown.boxes, shown.set, 0, "callee");
    const next = row < 0 || step === "first" ? outermost : move(shown.boxes, shown.set, row, step);
    context.tooltip(null, 0, 0);
    if (next > 0) this.select(next);
    this.pane.takeFocus();
    return true;
  }

  private showSelected(): void {
    const row = this.selectedRow();
    if (row < 0 || this.shown === null) return;
    this.pane.showLevel(this.shown.boxes.depth[row]!);
    const wanted = reveal(this.pane.target, this.spanOf(row), kWhole);
    if (!sameSpan(wanted, this.pane.target)) this.moveTo(wanted, true);
  }

  private markSelected(): void {
    const { context, shown } = this;
    if (context === null || shown === null) return;
    const row = this.selectedRow();
    this.pane.setSelected(row, row < 0 ? null : this.describe(row));
    if (row < 0) {
      setText(this.about, shown.boxes.count > 1 ? "Click selects, double click zooms, right click shows actions." : "");
      return;
    }
    const name = h("span", { class: "name", text: nameOf(context, shown.boxes.key[row]!) });
    this.about.replaceChildren(name, h("span", { text: boxSummary(context, shown.boxes, shown.totals, row) }));
  }

  private describe(row: number): Described {
    const { boxes, totals } = this.shown!;
    const parent = boxes.parent[row]!;
    let position = 0;
    let siblings = 0;
    for (let i = parent + 1; i < boxes.count && boxes.depth[i]! > (parent < 0 ? -1 : boxes.depth[parent]!); ++i) {
      if (boxes.parent[i] !== parent) continue;
      ++siblings;
      if (i === row) position = siblings;
    }
    const hasCallees = row + 1 < boxes.count && boxes.parent[row + 1] === row;
    const key = boxes.key[row]!;
    const module = this.context!.symbols.moduleName(key);
    const text = `${nameOf(this.context!, key)}, ${boxSummary(this.context!, boxes, totals, row)}`;
    return {
      text: module === "" ? text : `${text}, ${shownName(module)}`,
      level: boxes.depth[row]! + 1,
      position: Math.max(1, position),
      siblings: Math.max(1, siblings),
      expanded: hasCallees ? true : null,
    };
  }

  // The mouse.

  private hover(row: number, x: number, y: number): void {
    const { context, shown } = this;
    if (context === null) return;
    if (row < 0 || shown === null || row >= shown.boxes.count) context.tooltip(null, x, y);
    else context.tooltip(boxTooltip(context, shown.boxes, shown.totals, row), x, y);
  }

  private click(row: number): void {
    const { context, shown } = this;
    if (context === null || shown === null) return;
    if (row < 0) {
      if (context.state.selected.length > 0) context.set({ selected: [] }, "replace");
      return;
    }
    const path = pathOf(shown.boxes, row);
    const [box, target] = [this.spanOf(row), this.pane.target];
    const slack = (target.to - target.from) * 1e-6;
    const covers = box.from <= target.from + slack && box.to >= target.to - slack;
    if (covers && box.to - box.from > target.to - target.from + 2 * slack) {
      this.zoomTo(row); // an ancestor of what is shown
    } else {
      this.selectedKey = path.join(); // it is under the mouse: nothing to bring into view
      context.set({ selected: path }, "replace");
    }
  }

  private menu(row: number, x: number, y: number): void {
    const { context, shown } = this;
    if (context === null || shown === null || row <= 0) return;
    const path = pathOf(shown.boxes, row);
    this.selectedKey = path.join();
    context.set({ selected: path }, "replace");
    context.tooltip(null, 0, 0);
    context.menu(path, x, y);
  }

  private menuAtSelected(): boolean {
    const row = this.selectedRow();
    if (row <= 0) return false;
    const { x, y } = this.pane.pointOf(row);
    this.menu(row, x, y);
    return true;
  }
}

function isZoomed(state: State): boolean {
  return state.zoom.length > 0 || state.span !== null;
}

function keyOf(span: State["span"]): string {
  return span === null ? "" : span.join("-");
}

function hiddenText(boxes: FlameBoxes): string {
  if (boxes.hiddenBoxes === 0) return "";
  // In a comparison, widths are the sum of both costs.
  const whole = (boxes.total[0] ?? 0) + (boxes.baseTotal?.[0] ?? 0);
  return `${count(boxes.hiddenBoxes)} narrow ${boxes.hiddenBoxes === 1 ? "box" : "boxes"} not shown (${share(boxes.hiddenWeight, whole)})`;
}

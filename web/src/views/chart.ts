// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Stacks of one thread in the order of time.

import { h, isMenuKey, setText } from "../app/dom";
import { endTime, timeToNs } from "../app/state";
import { ticks } from "../app/axis";
import type { Context, State, TooltipContent, View } from "../app/view";
import type { ChartBoxes } from "../engine/api";
import { share } from "../format/cost";
import { duration, moment } from "../format/duration";
import { shownName } from "../format/name";
import type { Surface } from "../draw/boxes";
import { usedLevels, svgOf } from "../draw/export";
import { addPlace, nameOf } from "../draw/facts";
import { Follower } from "../draw/follower";
import { Message, PaneFrame, savedLegend, savedStyle, SearchMatches } from "../draw/frame";
import { chartBoxSet, firstEndingAfter, hit, kRow, type BoxSet, type Span } from "../draw/layout";
import { kindLook } from "../draw/look";
import { BoxPane } from "../draw/pane";
import { theme } from "../draw/theme";
import { clampSpan, columnsOf, panBy, reveal, sameSpan, zoomAt } from "../draw/zoom";

const kAxis = 22; // height of the time axis

interface Shown {
  readonly boxes: ChartBoxes;
  readonly set: BoxSet;
  readonly span: Span; // that was asked for
  readonly source: string; // event, thread and transforms
}

export class ChartView implements View {
  readonly name = "chart";
  readonly title = "Stack chart";
  readonly element: HTMLElement;

  private readonly pane: BoxPane;
  private readonly frame: PaneFrame;
  private readonly search = new SearchMatches("chart-search", () => this.restyle());
  private readonly what = h("span", { class: "what" });
  private readonly about = h("span", { class: "grow about" });
  private readonly resetButton = h("button", {
    class: "alone",
    text: "Reset zoom",
    title: "Show the whole recording (0)",
    on: { click: () => this.resetZoom() },
  });
  private readonly message = new Message();
  private readonly follower: Follower;

  private context: Context | null = null;
  private shown: Shown | null = null;
  private thread = -1;
  private threadKey = "";
  private source = "";
  private timeKey = ""; // of State.time, when it was read or written last
  private whole: Span = { from: 0, to: 1 };
  private selected = -1;
  private brush: Span | null = null; // while it is dragged
  private panning = false;

  constructor() {
    this.pane = new BoxPane("Stack chart: arrow keys move, Enter zooms, w and s zoom, a and d move in time", {
      hover: (row, x, y) => this.hover(row, x, y),
      click: (row) => this.select(row, false),
      open: (row) => this.zoomTo(row),
      menu: (row, x, y) => this.menu(row, x, y),
      pan: (distance, done) => {
        this.panning = !done;
        this.moveTo(panBy(this.pane.target, distance, this.whole), false);
      },
      zoom: (at, factor) => this.zoom(factor, at, false),
      brush: (from, to, done) => this.brushed(from, to, done),
      resized: () => this.follower.follow(),
    });
    this.pane.inset = kAxis;
    this.pane.over = (surface, height) => this.drawOver(surface, height);
    this.frame = new PaneFrame(this.pane);
    this.follower = new Follower(() => this.ask(), this.frame, (error) => this.failed(error));
    this.frame.element.append(this.message.element);
    this.element = h(
      "div",
      { class: "drawn" },
      this.frame.element,
      h("div", { class: "bar bottom" }, this.what, this.resetButton, this.about),
    );
  }

  update(context: Context): void {
    const first = this.context === null;
    this.context = context;
    this.pane.setTheme(theme(context.dark));
    this.pane.measure();
    const { meta, state } = context;
    if (!meta.hasTimes) {
      this.message.say("No times", "The profile does not say when its samples were taken.");
      return;
    }
    const end = endTime(meta);
    this.whole = { from: 0, to: Math.max(1, end) };
    const timeKey = keyOf(state.time);
    if (first && state.time === null && state.range !== null) {
      this.moveTo(around(state.range, this.whole), false);
    } else if (first || timeKey !== this.timeKey) {
      this.timeKey = timeKey;
      this.setSpan(state.time === null ? this.whole : { from: state.time[0], to: state.time[1] }, !first);
      this.follower.follow();
    }
    this.chooseThread(context);
    this.search.update(context, context.query, JSON.stringify(context.query));
    this.restyle();
    this.pane.invalidateMarks();
  }

  key(event: KeyboardEvent, context: Context): boolean {
    this.context = context;
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (isMenuKey(event)) return this.menuAtSelected();
    switch (event.key) {
      case "ArrowLeft":
      case "ArrowRight":
        return this.stepAside(event.key === "ArrowLeft" ? -1 : 1);
      case "ArrowUp":
      case "ArrowDown":
        return this.stepLevel(event.key === "ArrowUp" ? -1 : 1);
      case "Enter":
        if (this.selected < 0) return false;
        this.zoomTo(this.selected);
        return true;
      case "Escape":
      case "Backspace":
      case "0":
        if (sameSpan(this.pane.target, this.whole)) return false;
        this.resetZoom();
        return true;
      case "PageUp":
      case "PageDown":
        this.pane.scrollBy((event.key === "PageUp" ? -1 : 1) * Math.max(kRow, this.pane.clientHeight - 2 * kRow));
        return true;
      case "Home":
      case "End":
        this.moveTo(panBy(this.pane.target, event.key === "Home" ? -this.whole.to : this.whole.to, this.whole), true);
        return true;
      case "+":
      case "=":
      case "-":
        this.zoom(event.key === "-" ? 1.5 : 1 / 1.5, this.center(), true);
        return true;
      default:
        return this.letter(event);
    }
  }

  step(direction: 1 | -1, context: Context): void {
    this.context = context;
    const { matches } = this.search;
    if (this.shown === null || matches === null) return;
    const { set } = this.shown;
    const rows: number[] = [];
    for (let i = 0; i < set.count; ++i) if (matches(set.key[i]!)) rows.push(i);
    rows.sort((a, b) => set.begin[a]! - set.begin[b]! || set.depth[a]! - set.depth[b]!);
    if (rows.length === 0) {
      context.toast("No match in the part that is shown.");
      return;
    }
    const at = rows.indexOf(this.selected);
    this.select(rows[at < 0 ? (direction > 0 ? 0 : rows.length - 1) : (at + direction + rows.length) % rows.length]!);
  }

  text(context: Context): string {
    if (this.shown === null) return "";
    const { set } = this.shown;
    const { from, to } = this.pane.target;
    const rows: number[] = [];
    for (let i = 0; i < set.count; ++i) if (set.end[i]! > from && set.begin[i]! < to) rows.push(i);
    rows.sort((a, b) => set.begin[a]! - set.begin[b]! || set.depth[a]! - set.depth[b]!);
    const step = timeToNs(context.meta, to - from) / 1000;
    const lines = rows.map((row) => {
      const begin = timeToNs(context.meta, set.begin[row]!);
      const end = timeToNs(context.meta, set.end[row]!);
      const depth = set.depth[row]!;
      const indent = depth <= 100 ? "  ".repeat(depth) : `${"  ".repeat(100)}[level ${depth}] `;
      return `${moment(begin, step).padStart(14)} ${duration(end - begin).padStart(10)}  ${indent}${nameOf(context, set.key[row]!)}\n`;
    });
    return `${this.whatText(context)}: begin, duration\n${lines.join("")}`;
  }

  svg(context: Context): string {
    if (this.shown === null) return "";
    const { set } = this.shown;
    const { from, to } = this.pane.target;
    return svgOf({
      ...savedStyle(context),
      set,
      look: this.look(context),
      span: this.pane.target,
      width: Math.max(600, this.pane.clientWidth),
      rootAtBottom: false,
      title: `${context.meta.title}: ${this.whatText(context)}`,
      notes: [`From ${moment(timeToNs(context.meta, from))} to ${moment(timeToNs(context.meta, to))}`],
      legend: savedLegend(context, set.key, false),
      tip: (row) => this.timesOf(context, row),
    });
  }

  // The thread: the chosen one, or the busiest of the chosen ones.

  private chooseThread(context: Context): void {
    const { event } = context.query.selection;
    const { threads, range } = context.query.selection;
    const threadKey = JSON.stringify([event, threads, threads?.length === 1 ? null : range]);
    if (threadKey === this.threadKey) {
      if (this.thread >= 0) this.setThread(context, this.thread); // transforms may have changed
      return;
    }
    this.threadKey = threadKey;
    if (threads?.length === 1) {
      this.setThread(context, threads[0]!);
      return;
    }
    context.ask("threads", { event, range }, "chart-threads").then(
      (costs) => {
        if (this.threadKey !== threadKey) return;
        let best = costs.busiest;
        if (threads !== null) {
          best = -1;
          for (const t of threads) if (best < 0 || costs.weight[t]! > costs.weight[best]!) best = t;
        }
        this.setThread(context, best);
      },
      (error: unknown) => this.failed(error),
    );
  }

  private setThread(context: Context, thread: number): void {
    const source = JSON.stringify([context.query.selection.event, thread, context.query.transforms]);
    this.thread = thread;
    setText(this.what, this.whatText(context));
    if (thread < 0) {
      this.source = "";
      this.message.say("No samples", "No thread has samples in this selection.");
      return;
    }
    if (source === this.source) return;
    this.source = source;
    this.selected = -1;
    this.follower.follow(true);
  }

  private whatText(context: Context): string {
    const { meta, state } = context;
    const thread = meta.threads[this.thread];
    if (thread === undefined) return "";
    const process = meta.processes[thread.process]?.name ?? "";
    const name = shownName(thread.name || process);
    const why = state.threads?.length === 1 ? "" : state.threads === null ? ", the busiest" : ", the busiest selected";
    return `Thread ${name} (${thread.tid})${why}`;
  }

  // What is drawn.

  private look(context: Context) {
    return kindLook(this.shown!.set, context.symbols, theme(context.dark), this.search.matches, null);
  }

  private restyle(): void {
    const { context, shown } = this;
    if (context === null || shown === null) return;
    this.pane.setPicture({ set: shown.set, look: this.look(context), name: (key) => context.symbols.name(key) });
    setText(this.what, this.whatText(context));
    this.resetButton.hidden = sameSpan(this.pane.target, this.whole);
    this.markSelected();
  }

  private ask(): Promise<() => void> | null {
    const { context, source } = this;
    if (context === null || this.thread < 0 || this.pane.clientWidth === 0) return null;
    const target = this.pane.target;
    const margin = this.panning ? (target.to - target.from) / 2 : 0;
    const { from, to, pixels } = columnsOf(target, margin, this.whole, this.pane.clientWidth);
    const { selection, transforms } = context.query;
    const ask = { event: selection.event, thread: this.thread, transforms, range: [from, to] as [number, number], pixels };
    return context.ask("chart", ask, "chart").then((boxes) => () => {
      if (source !== this.source) return;
      const old = this.shown;
      const oldSelected = this.selected;
      const set = chartBoxSet(boxes);
      this.shown = { boxes, set, span: { from, to }, source };
      this.selected = old !== null && old.source === source ? sameBox(old.set, oldSelected, set) : -1;
      const empty = boxes.count === 0 && sameSpan(target, this.whole);
      const why = transforms.length > 0 ? "No sample of the thread is left after the transforms." : "The thread has no samples of this event.";
      this.message.say(empty ? "No samples" : "", empty ? why : "");
      this.restyle();
    });
  }

  private failed(error: unknown): void {
    this.frame.setBusy(false);
    this.message.failed("The stack chart", error);
  }

  // The axis, and what lies outside the range of the other views.
  private drawOver(surface: Surface, height: number): void {
    const { context } = this;
    if (context === null) return;
    const { context: canvas, dpr, width } = surface;
    const colors = theme(context.dark);
    const { meta, state } = context;
    const span = this.pane.span;
    const scale = (width * dpr) / (span.to - span.from);
    const x = (time: number) => Math.round((time - span.from) * scale);
    const axis = Math.round(kAxis * dpr);
    const right = Math.round(width * dpr);
    const bottom = Math.round(height * dpr);
    const line = Math.max(1, Math.round(dpr));
    const range = this.brush ?? (state.range === null ? null : { from: state.range[0], to: state.range[1] });
    if (range !== null) {
      const [a, b] = [Math.max(0, Math.min(right, x(range.from))), Math.max(0, Math.min(right, x(range.to)))];
      canvas.globalAlpha = 0.6;
      canvas.fillStyle = colors.bg;
      canvas.fillRect(0, axis, a, bottom - axis);
      canvas.fillRect(b, axis, right - b, bottom - axis);
      canvas.globalAlpha = 1;
      canvas.fillStyle = colors.accent;
      if (x(range.from) >= 0 && x(range.from) <= right) canvas.fillRect(a - line, 0, line, bottom);
      if (x(range.to) >= 0 && x(range.to) <= right) canvas.fillRect(b, 0, line, bottom);
    }
    canvas.fillStyle = colors.surface;
    canvas.fillRect(0, 0, right, axis);
    if (range !== null) {
      const [a, b] = [Math.max(0, Math.min(right, x(range.from))), Math.max(0, Math.min(right, x(range.to)))];
      canvas.globalAlpha = 0.16;
      canvas.fillStyle = colors.accent;
      canvas.fillRect(a, 0, b - a, axis);
      canvas.globalAlpha = 1;
    }
    canvas.fillStyle = colors.line;
    canvas.fillRect(0, axis - line, right, line);
    const { step, at } = ticks(timeToNs(meta, span.from), timeToNs(meta, span.to), width, 110);
    canvas.font = `${11 * dpr}px ${colors.font}`;
    canvas.textBaseline = "middle";
    for (const ns of at) {
      const tick = Math.round((ns / meta.timeUnitNs - span.from) * scale);
      canvas.fillStyle = colors.line;
      canvas.fillRect(tick, axis - Math.round(6 * dpr), line, Math.round(6 * dpr));
      canvas.fillStyle = colors.text2;
      const text = moment(ns, step);
      const begin = tick + Math.round(4 * dpr);
      if (begin + canvas.measureText(text).width <= right) canvas.fillText(text, begin, Math.round(axis / 2));
    }
    if (this.brush !== null) {
      const text = duration(timeToNs(meta, this.brush.to - this.brush.from));
      const middle = (x(this.brush.from) + x(this.brush.to)) / 2;
      const wide = canvas.measureText(text).width + 12 * dpr;
      canvas.fillStyle = colors.accent;
      canvas.fillRect(Math.round(middle - wide / 2), 0, Math.round(wide), axis - line);
      canvas.fillStyle = colors.bg;
      canvas.fillText(text, Math.round(middle - wide / 2 + 6 * dpr), Math.round(axis / 2));
    }
  }

  // Moving along time.

  private get least(): number {
    return Math.min(this.whole.to, 20);
  }

  private center(): number {
    const span = this.pane.target;
    const set = this.shown?.set;
    if (set !== undefined && this.selected >= 0) {
      const middle = (Math.max(span.from, set.begin[this.selected]!) + Math.min(span.to, set.end[this.selected]!)) / 2;
      if (middle >= span.from && middle <= span.to) return middle;
    }
    return (span.from + span.to) / 2;
  }

  private setSpan(span: Span, animate: boolean): void {
    this.pane.setSpan(clampSpan(span, this.whole), animate);
  }

  // By hand.
  private moveTo(span: Span, animate: boolean): void {
    const { context } = this;
    if (context !== null && !sameSpan(span, this.pane.target)) {
      this.setSpan(span, animate);
      const { target } = this.pane;
      const time: State["time"] = sameSpan(target, this.whole) ? null : [target.from, target.to];
      this.timeKey = keyOf(time);
      context.set({ time }, "replace");
      context.tooltip(null, 0, 0);
    }
    this.follower.follow();
  }

  private zoom(factor: number, at: number, animate: boolean): void {
    this.moveTo(zoomAt(this.pane.target, at, factor, this.whole, this.least), animate);
  }

  private resetZoom(): void {
    this.moveTo(this.whole, true);
  }

  private zoomTo(row: number): void {
    const { shown } = this;
    if (shown === null) return;
    this.moveTo(around([shown.set.begin[row]!, shown.set.end[row]!], this.whole, this.least), true);
  }

  private letter(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
    const span = this.pane.target;
    const step = (span.to - span.from) / 6;
    switch (event.key) {
      case "w":
        this.zoom(1 / 1.4, this.center(), true);
        return true;
      case "s":
        this.zoom(1.4, this.center(), true);
        return true;
      case "a":
        this.moveTo(panBy(span, -step, this.whole), true);
        return true;
      case "d":
        this.moveTo(panBy(span, step, this.whole), true);
        return true;
      default:
        return false;
    }
  }

  private brushed(from: number, to: number, done: boolean): void {
    const { context } = this;
    if (context === null) return;
    const range = clampSpan({ from: Math.floor(from), to: Math.max(Math.floor(from) + 1, Math.ceil(to)) }, this.whole);
    this.brush = done ? null : range;
    // The chart itself does not change, so the other views follow when the mouse is released.
    if (done) context.set({ range: [range.from, range.to] });
    this.pane.invalidateMarks();
  }

  // Selection. The path is that of the stack at this time.

  private pathOf(row: number): number[] {
    const { set } = this.shown!;
    const middle = (set.begin[row]! + set.end[row]!) / 2;
    const path: number[] = [];
    for (let level = 0; level < set.depth[row]!; ++level) {
      const caller = hit(set, level, middle, 0);
      if (caller < 0) return [set.key[row]!];
      path.push(set.key[caller]!);
    }
    path.push(set.key[row]!);
    return path;
  }

  private select(row: number, bring = true): void {
    const { context, shown } = this;
    if (context === null || shown === null) return;
    this.selected = row;
    context.tooltip(null, 0, 0);
    if (row >= 0 && bring) {
      this.pane.takeFocus();
      this.pane.showLevel(shown.set.depth[row]!);
      this.moveTo(reveal(this.pane.target, { from: shown.set.begin[row]!, to: shown.set.end[row]! }, this.whole), true);
    }
    context.set({ selected: row < 0 ? [] : this.pathOf(row) }, "replace");
    this.markSelected();
  }

  private stepAside(direction: 1 | -1): boolean {
    const { shown } = this;
    if (shown === null || shown.set.count === 0) return false;
    const { set } = shown;
    if (this.selected < 0) return this.selectFirst();
    const level = set.depth[this.selected]!;
    const at = set.order.indexOf(this.selected, set.first[level]!) + direction;
    if (at >= set.first[level]! && at < set.first[level + 1]!) this.select(set.order[at]!);
    return true;
  }

  private stepLevel(direction: 1 | -1): boolean {
    const { shown } = this;
    if (shown === null || shown.set.count === 0) return false;
    const { set } = shown;
    if (this.selected < 0) return this.selectFirst();
    const level = set.depth[this.selected]! + direction;
    if (level < 0 || level >= set.levels) return true;
    if (direction < 0) {
      const caller = hit(set, level, (set.begin[this.selected]! + set.end[this.selected]!) / 2, 0);
      if (caller >= 0) this.select(caller);
      return true;
    }
    const at = firstEndingAfter(set, level, set.begin[this.selected]!);
    const callee = at < set.first[level + 1]! ? set.order[at]! : -1;
    if (callee >= 0 && set.begin[callee]! < set.end[this.selected]!) this.select(callee);
    return true;
  }

  private selectFirst(): boolean {
    const { set } = this.shown!;
    const row = hit(set, 0, this.center(), this.whole.to);
    if (row >= 0) this.select(row);
    return row >= 0;
  }

  private markSelected(): void {
    const { context, shown, selected } = this;
    if (context === null || shown === null) return;
    if (selected < 0) {
      this.pane.setSelected(-1, null);
      const merged = shown.boxes.merged ? "More samples than pixels: each column shows its costliest stack. " : "";
      const closed = shown.boxes.hasClosed && merged === "" ? "Zoom in to see short gaps between samples. " : "";
      setText(this.about, `${merged}${closed}Ctrl+wheel or w/s zooms, drag or a/d pans, Shift+drag selects a range.`);
      return;
    }
    const { set } = shown;
    const level = set.depth[selected]!;
    this.pane.setSelected(selected, {
      text: `${nameOf(context, set.key[selected]!)}, ${this.timesOf(context, selected)}`,
      level: level + 1,
      position: set.order.indexOf(selected, set.first[level]!) - set.first[level]! + 1,
      siblings: set.first[level + 1]! - set.first[level]!,
      expanded: level + 1 < usedLevels(set, { from: set.begin[selected]!, to: set.end[selected]! }) ? true : null,
    });
    const name = h("span", { class: "name", text: nameOf(context, set.key[selected]!) });
    this.about.replaceChildren(name, h("span", { text: this.timesOf(context, selected) }));
  }

  // "120 ms, from 1.200 s to 1.320 s"
  private timesOf(context: Context, row: number): string {
    const { set } = this.shown!;
    const [begin, end] = [timeToNs(context.meta, set.begin[row]!), timeToNs(context.meta, set.end[row]!)];
    const step = Math.max(1, (end - begin) / 100);
    return `${duration(end - begin)}, from ${moment(begin, step)} to ${moment(end, step)}`;
  }

  // The mouse.

  private hover(row: number, x: number, y: number): void {
    const { context, shown } = this;
    if (context === null) return;
    if (row < 0 || shown === null || row >= shown.set.count) {
      context.tooltip(null, x, y);
      return;
    }
    const { set } = shown;
    const key = set.key[row]!;
    const [begin, end] = [timeToNs(context.meta, set.begin[row]!), timeToNs(context.meta, set.end[row]!)];
    const lines: TooltipContent["lines"] = [
      { label: this.isCut(row) ? "In view" : "Duration", value: duration(end - begin), detail: `${share(end - begin, context.meta.durationNs)} of the recording` },
    ];
    const sampled = shown.boxes.sampled?.[row];
    if (sampled !== undefined) {
      const time = timeToNs(context.meta, sampled);
      if (time < 0.995 * (end - begin)) lines.push({ label: "Sampled", value: duration(time), detail: `${share(time, end - begin)} of that` });
    }
    lines.push({ label: "From", value: moment(begin, Math.max(1, (end - begin) / 100)) });
    addPlace(context, key, 0, lines);
    context.tooltip({ title: nameOf(context, key), lines }, x, y);
  }

  // Whether the box may go on beyond what the engine was asked for.
  private isCut(row: number): boolean {
    const { set, span } = this.shown!;
    const close = (span.to - span.from) / 100;
    return (span.from > this.whole.from && set.begin[row]! < span.from + close) || (span.to < this.whole.to && set.end[row]! > span.to - close);
  }

  private menu(row: number, x: number, y: number): void {
    const { context, shown } = this;
    if (context === null || shown === null || row < 0) return;
    this.select(row, false);
    context.menu(this.pathOf(row), x, y);
  }

  private menuAtSelected(): boolean {
    if (this.selected < 0) return false;
    const { x, y } = this.pane.pointOf(this.selected);
    this.menu(this.selected, x, y);
    return true;
  }
}

function keyOf(time: State["time"]): string {
  return time === null ? "" : time.join("-");
}

// A range with a little room on both sides.
function around(range: readonly [number, number], whole: Span, least = 20): Span {
  const length = Math.max(range[1] - range[0], Math.min(least, whole.to));
  const middle = (range[0] + range[1]) / 2;
  return clampSpan({ from: middle - length * 0.54, to: middle + length * 0.54 }, whole);
}

// The box of another answer that stands for the same: the widest of the function and level within the old box's time.
function sameBox(old: BoxSet, row: number, set: BoxSet): number {
  if (row < 0 || row >= old.count) return -1;
  const level = old.depth[row]!;
  if (level >= set.levels) return -1;
  const [from, to] = [old.begin[row]!, old.end[row]!];
  let best = -1;
  let most = 0;
  for (let i = firstEndingAfter(set, level, from); i < set.first[level + 1]!; ++i) {
    const candidate = set.order[i]!;
    if (set.begin[candidate]! >= to) break;
    const shared = Math.min(to, set.end[candidate]!) - Math.max(from, set.begin[candidate]!);
    if (set.key[candidate] !== old.key[row] || shared <= most) continue;
    best = candidate;
    most = shared;
  }
  return best;
}

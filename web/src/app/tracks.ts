// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The tracks at the top: activity of processes and threads over time. A click chooses threads, dragging makes the brush.

import type { ThreadCosts } from "../engine/api";
import { countOf, percent, share } from "../format/cost";
import { moment } from "../format/duration";
import { shownName } from "../format/name";
import { toX } from "./axis";
import { sumOf, threadCosts } from "./costs";
import { processName, rangeInWords, threadName } from "./describe";
import { clamp, h, icon, perFrame, setText } from "./dom";
import { endTime } from "./state";
import { recall, remember } from "./theme";
import { Timeline } from "./timeline";
import { kindEdges, TrackData, type Activity } from "./track_data";
import { afterClick, groupId, rowAt, rowId, rowTops, trackRows, visibleRows, type TrackRow } from "./track_layout";
import type { Context, State } from "./view";

const kHead = 26;
const kHeightKey = "wick.tracks";

export class Tracks {
  readonly element: HTMLElement;
  private readonly corner: HTMLElement;
  private readonly filter: HTMLInputElement;
  private readonly foldButton: HTMLButtonElement;
  private readonly zoomButton: HTMLButtonElement;
  private readonly body = h("div", { class: "tracks-body" });
  private readonly canvas = h("canvas", { attributes: { "aria-hidden": "true" } });
  private readonly scroll: HTMLElement;
  private readonly list = h("div", { class: "tracks-rows" });
  private readonly empty = h("div", { class: "tracks-empty" });
  private readonly resize: HTMLElement;
  private readonly timeline: Timeline;
  private readonly data: TrackData;
  private readonly elements = new Map<string, HTMLElement>(); // of visible rows
  private readonly opened = new Map<string, boolean>();
  private readonly unfolded = new Set<string>();
  private rows: TrackRow[] = [];
  private tops = new Float64Array(1);
  private layoutKey = "";
  private drawnKey = "";
  private costs: ThreadCosts; // of the range
  private costsKey = "";
  private cursor = -1; // row of the keyboard
  private folded = false;
  private height = 0; // of the body; 0: fits the rows
  private width = 0;
  private readonly schedule = perFrame(() => this.draw());
  private lastClicked: TrackRow | null = null;

  constructor(
    private readonly context: Context,
    private readonly all: ThreadCosts, // of the whole recording: the order of tracks
  ) {
    const { meta } = context;
    this.costs = all;
    this.data = new TrackData(meta, () => this.schedule());
    this.filter = h("input", {
      attributes: { type: "search", placeholder: `Filter ${countOf(meta.threads.length, "thread")}`, "aria-label": "Filter threads by name or ID", spellcheck: "false" },
      on: {
        input: () => this.update(),
        keydown: (event) => {
          if (event.key === "Escape" && this.filter.value !== "") {
            this.filter.value = "";
            this.update();
            event.stopPropagation();
          } else if (event.key === "ArrowDown") this.scroll.focus();
        },
      },
    });
    this.foldButton = h("button", { class: "button", title: "Fold tracks", attributes: { "aria-expanded": "true", "aria-label": "Tracks" }, on: { click: () => this.fold(!this.folded) } }, icon("next"));
    this.zoomButton = h("button", { class: "button", on: { click: () => this.timeline.toggleZoom() } });
    this.corner = h("div", { class: "tracks-corner" }, this.foldButton, this.filter, this.zoomButton);
    this.scroll = h("div", { class: "tracks-scroll", role: "tree", tabIndex: 0, attributes: { "aria-label": "Processes and threads", "aria-multiselectable": "true" } }, this.list);
    this.timeline = new Timeline(context, {
      clicked: (event) => this.clickLane(event),
      hovered: (event, time) => this.hover(event, time),
      left: () => context.tooltip(null, 0, 0),
      axisChanged: () => this.schedule(),
    });
    if (meta.hasTimes) this.timeline.listen(this.scroll, false, () => this.corner.offsetWidth);
    else this.scroll.addEventListener("pointerup", (event) => this.clickLane(event));
    this.scroll.addEventListener("scroll", () => this.schedule(), { passive: true });
    this.scroll.addEventListener("keydown", (event) => this.key(event));
    this.scroll.addEventListener("focus", () => this.schedule());
    this.scroll.addEventListener("blur", () => this.schedule());
    this.list.addEventListener("click", (event) => this.clickLabel(event));
    this.resize = h("div", { class: "tracks-resize", role: "separator", tabIndex: 0, attributes: { "aria-orientation": "horizontal", "aria-label": "Height of the tracks" } });
    this.listenResize();
    this.body.append(this.canvas, this.scroll, this.empty);
    this.element = h("section", { class: "tracks", attributes: { "aria-label": "Tracks" } },
      h("div", { class: "tracks-head" }, this.corner, this.timeline.axisElement), this.body, this.timeline.brushElement, this.resize);
    this.element.hidden = !meta.hasTimes && meta.threads.length < 2;
    this.timeline.brushElement.hidden = !meta.hasTimes;
    this.timeline.axisElement.tabIndex = meta.hasTimes ? 0 : -1;
    this.filter.hidden = meta.threads.length < 2;
    this.zoomButton.style.visibility = "hidden";
    this.restore();
    new ResizeObserver(() => this.schedule()).observe(this.element);
  }

  // Called for each change of the state or the theme.
  update(): void {
    if (this.element.hidden) return;
    const { state } = this.context;
    this.timeline.update(state);
    this.layout(state);
    this.askCosts(state);
    this.schedule();
  }

  clearRange(): boolean {
    return this.timeline.clear();
  }

  get isFolded(): boolean {
    return this.folded;
  }

  fold(folded: boolean): void {
    this.folded = folded;
    this.foldButton.setAttribute("aria-expanded", String(!folded));
    this.foldButton.title = folded ? "Unfold tracks" : "Fold tracks";
    this.foldButton.replaceChildren(icon(folded ? "right" : "next"));
    this.element.classList.toggle("folded", folded);
    this.body.inert = folded;
    this.store();
    this.applyHeight();
  }

  private layout(state: State): void {
    const { meta } = this.context;
    const chosen = state.threads ?? [];
    const key = [this.filter.value, [...this.opened].join(";"), [...this.unfolded].join(), chosen.length < 50 ? chosen.join() : chosen.length].join("|");
    if (key === this.layoutKey) return;
    this.layoutKey = key;
    const cursor = this.rows[this.cursor];
    this.rows = trackRows(meta, this.all.weight, { filter: this.filter.value, opened: this.opened, unfolded: this.unfolded, keep: new Set(chosen) });
    this.tops = rowTops(this.rows);
    this.cursor = cursor === undefined ? -1 : this.rows.findIndex((row) => rowId(row) === rowId(cursor));
    this.list.style.height = `${this.tops[this.rows.length]}px`;
    for (const element of this.elements.values()) element.remove();
    this.elements.clear();
    setText(this.empty, this.rows.length > 0 ? "" : "No thread matches the filter");
    if (this.filter.value === "") this.applyHeight(); // typing moves nothing below
  }

  // Shares follow the range; the order stays.
  private askCosts(state: State): void {
    const key = `${state.event}|${state.range?.join() ?? ""}`;
    if (key === this.costsKey) return;
    this.costsKey = key;
    threadCosts(this.context.ask.bind(this.context), this.context.meta, state.event, state.range, "threads").then(
      (costs) => {
        this.costs = costs;
        this.schedule();
      },
      () => undefined,
    );
  }

  private applyHeight(): void {
    const rows = this.tops[this.rows.length] ?? 0;
    const fit = Math.max(24, Math.min(rows, Math.round(innerHeight * 0.24)));
    const height = this.height > 0 ? clamp(this.height, 24, innerHeight - 300) : fit;
    this.element.style.height = this.folded ? `${kHead + 1}px` : `${kHead + height + 1}px`;
  }

  private draw(): void {
    if (this.element.hidden) return;
    const { meta, state } = this.context;
    const scrollbar = this.scroll.offsetWidth - this.scroll.clientWidth;
    this.width = Math.max(1, this.timeline.axisElement.clientWidth - scrollbar);
    if (meta.hasTimes) this.timeline.drawAxis(this.width);
    this.timeline.update(state);
    this.updateZoomButton(state);
    if (this.folded) return;
    const height = this.scroll.clientHeight;
    const top = this.scroll.scrollTop;
    const [first, last] = visibleRows(this.tops, top, top + height);
    this.showLabels(first, last, state);
    if (meta.hasTimes) this.data.want(this.context, state.event, this.window(state.event), this.rows.slice(first, last));
    this.drawActivity(first, last, top, height, state);
  }

  private updateZoomButton(state: State): void {
    const { isZoomed } = this.timeline;
    this.zoomButton.style.visibility = state.range !== null || isZoomed ? "visible" : "hidden";
    const title = isZoomed ? "Show all of the time" : "Zoom the tracks to the range (Enter on the time axis)";
    if (this.zoomButton.title === title) return;
    this.zoomButton.title = title;
    this.zoomButton.setAttribute("aria-label", title);
    this.zoomButton.replaceChildren(icon(isZoomed ? "zoomOut" : "zoomIn"));
  }

  // Few samples per bin would be noise, so bins are not shorter than some periods of the sampling.
  private window(event: number): { begin: number; end: number; bins: number } {
    const { meta } = this.context;
    const { begin, end } = this.timeline.axis;
    const whole = [Math.floor(begin), Math.ceil(end)] as const;
    const seconds = ((whole[1] - whole[0]) * meta.timeUnitNs) / 1e9;
    const rate = meta.events[event]?.rateHz || 1000;
    const most = Math.min(Math.floor(this.width / 2), whole[1] - whole[0]);
    return { begin: whole[0], end: whole[1], bins: Math.max(1, Math.min(most, Math.max(60, Math.floor((seconds * rate) / 4)))) };
  }

  private drawActivity(first: number, last: number, top: number, height: number, state: State): void {
    const { meta, dark } = this.context;
    // A brush that moves changes nothing here.
    const { axis } = this.timeline;
    const compared = state.compare?.kind === "threads" ? state.compare.threads : null;
    const key = JSON.stringify([first, last, top, height, this.width, devicePixelRatio, axis.begin, axis.end, this.layoutKey, this.data.version, state.event, state.threads, compared, dark]);
    if (key === this.drawnKey) return;
    this.drawnKey = key;
    const ratio = devicePixelRatio || 1;
    const [w, hgt] = [Math.round(this.width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== w || this.canvas.height !== hgt) {
      [this.canvas.width, this.canvas.height] = [w, hgt];
      this.canvas.style.width = `${this.width}px`;
    }
    const g = this.canvas.getContext("2d");
    if (g === null) return;
    const style = getComputedStyle(document.documentElement);
    const color = { line: style.getPropertyValue("--line"), on: style.getPropertyValue("--track"), off: style.getPropertyValue("--track-dim"), base: style.getPropertyValue("--text-3"), none: style.getPropertyValue("--surface-2"), lane: style.getPropertyValue("--accent-soft") };
    const palette = dark ? meta.palette.dark : meta.palette.light;
    const kinds = palette.map((shades) => shades[Math.floor(shades.length / 2)] ?? color.on);
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, this.width, height);
    const chosen = state.threads === null ? null : new Set(state.threads);
    const base = state.compare?.kind === "threads" ? new Set(state.compare.threads) : null;
    for (let i = first; i < last; ++i) {
      const row = this.rows[i]!;
      const y = this.tops[i]! - top;
      g.fillStyle = color.line;
      g.globalAlpha = 0.55;
      g.fillRect(0, Math.round(y + row.height) - 1, this.width, 1);
      g.globalAlpha = 1;
      if (row.kind === "more") continue;
      const threads = row.kind === "thread" ? [row.thread] : row.threads;
      const isBase = base !== null && threads.every((t) => base.has(t));
      const isChosen = chosen === null || threads.every((t) => chosen.has(t));
      if (chosen !== null && isChosen) {
        g.globalAlpha = 0.6; // as the label
        g.fillStyle = color.lane;
        g.fillRect(0, y, this.width, row.height - 1);
        g.globalAlpha = 1;
      }
      g.fillStyle = color.none;
      if (meta.hasTimes && row.kind === "thread") this.drawAbsence(g, row.thread, y, row.height - 1);
      g.fillStyle = isBase ? color.base : isChosen ? color.on : color.off;
      if (!meta.hasTimes) {
        g.fillRect(0, y + 5, (this.width * row.weight) / Math.max(1, this.totals(this.all)[this.sideOf(row)]!), row.height - 11);
        continue;
      }
      const activity = this.data.get(row);
      if (activity !== null) this.drawRow(g, activity, y + 2, row.height - 3, this.scaleOf(row, activity, state), isChosen && !isBase ? kinds : null);
    }
  }

  // The time before the thread's start and after its end.
  private drawAbsence(g: CanvasRenderingContext2D, thread: number, y: number, height: number): void {
    const { start, end } = this.context.meta.threads[thread]!;
    const from = clamp(Math.floor(toX(this.timeline.axis, start)), 0, this.width);
    const to = clamp(Math.ceil(toX(this.timeline.axis, end)), 0, this.width);
    g.globalAlpha = 0.5;
    g.fillRect(0, y, from, height);
    g.fillRect(to, y, this.width - to, height);
    g.globalAlpha = 1;
  }

  // The cost per time unit that fills a row: a CPU for a thread, more for a process; for other units the highest of all threads.
  private scaleOf(row: TrackRow, activity: Activity, state: State): number {
    const { meta } = this.context;
    const event = meta.events[state.event];
    if (event?.unit === "ns") {
      const cpu = meta.timeUnitNs * event.divisor;
      return row.kind === "process" ? Math.max(cpu, activity.peak) : cpu;
    }
    return (row.kind === "process" ? activity.peak : this.data.peakOfThreads) || 1;
  }

  // An area over time; with `colors`, divided by kinds of code.
  private drawRow(g: CanvasRenderingContext2D, activity: Activity, y: number, height: number, full: number, colors: readonly string[] | null): void {
    const { cost, begin, end } = activity;
    const { axis } = this.timeline;
    const bins = cost.length;
    const perBin = ((end - begin) / bins) * full;
    const x0 = toX(axis, begin);
    const step = (toX(axis, end) - x0) / bins;
    const bottom = y + height;
    const from = clamp(Math.floor(-x0 / step) - 1, 0, bins);
    const to = clamp(Math.ceil((axis.width - x0) / step) + 1, 0, bins);
    if (to <= from) return;
    // Bins have one sample more or less than their neighbors, which is nothing to see.
    const smooth = (i: number) => ((cost[i - 1] ?? cost[i]!) + 2 * cost[i]! + (cost[i + 1] ?? cost[i]!)) / 4;
    const heights = new Float64Array(to - from);
    for (let i = from; i < to; ++i) {
      const value = smooth(i) / perBin;
      heights[i - from] = value > 0 ? Math.max(1, Math.min(1, value) * height) : 0;
    }
    const areas = colors?.length ?? 1;
    const edges = new Float64Array(areas + 1);
    const tops = new Float64Array(areas * heights.length); // of each area, as parts of the height
    tops.fill(1);
    if (colors !== null) {
      heights.forEach((_, i) => {
        kindEdges(activity, from + i, edges);
        for (let area = 0; area < areas; ++area) tops[area * heights.length + i] = edges[area + 1]!;
      });
    }
    // Each area begins at the bottom and is drawn before the lower ones, so that no gap shows between two.
    for (let area = areas - 1; area >= 0; --area) {
      const part = tops.subarray(area * heights.length, (area + 1) * heights.length);
      if (colors !== null) {
        if (area > 0 && part.every((top, i) => top === tops[(area - 1) * heights.length + i])) continue;
        g.fillStyle = colors[area]!;
      }
      g.beginPath();
      g.moveTo(x0 + from * step, bottom);
      for (let i = from; i < to; ++i) {
        const top = bottom - heights[i - from]! * part[i - from]!;
        if (i === from) g.lineTo(x0 + i * step, top);
        g.lineTo(x0 + (i + 0.5) * step, top);
        if (i === to - 1) g.lineTo(x0 + to * step, top);
      }
      g.lineTo(x0 + to * step, bottom);
      g.closePath();
      g.fill();
    }
  }

  // Of each side of a comparison of files.
  private totals(costs: ThreadCosts): [number, number] {
    const sums: [number, number] = [0, 0];
    this.context.meta.threads.forEach(({ side }, t) => (sums[side === 1 ? 1 : 0] += costs.weight[t] ?? 0));
    return sums;
  }
  private sideOf(row: TrackRow): number {
    return row.kind === "thread" ? this.context.meta.threads[row.thread]!.side : row.side;
  }

  // Labels

  private showLabels(first: number, last: number, state: State): void {
    const seen = new Set<string>();
    const chosen = state.threads === null ? null : new Set(state.threads);
    const base = state.compare?.kind === "threads" ? new Set(state.compare.threads) : null;
    const totals = this.totals(this.costs);
    const focused = document.activeElement === this.scroll && this.scroll.matches(":focus-visible");
    for (let i = first; i < last; ++i) {
      const row = this.rows[i]!;
      const id = rowId(row);
      seen.add(id);
      let element = this.elements.get(id);
      if (element === undefined) {
        element = this.label(row, id);
        this.elements.set(id, element);
        this.list.append(element);
      }
      element.style.top = `${this.tops[i]}px`;
      element.style.height = `${row.height}px`;
      element.dataset["row"] = String(i);
      const isChosen = chosen !== null && (row.kind === "thread" ? chosen.has(row.thread) : row.kind === "process" && row.threads.every((t) => chosen.has(t)));
      const some = chosen === null || isChosen || (row.kind === "process" && row.threads.some((t) => chosen.has(t)));
      const isBase = base !== null && row.kind === "thread" && base.has(row.thread);
      element.classList.toggle("base", isBase);
      element.classList.toggle("chosen", isChosen);
      element.classList.toggle("unchosen", !some && !isBase && row.kind !== "more");
      element.classList.toggle("cursor", focused && i === this.cursor);
      element.setAttribute("aria-selected", String(isChosen));
      const weight = sumOf(this.costs, row.kind === "thread" ? [row.thread] : row.threads).weight;
      const shareElement = element.querySelector(".share");
      if (shareElement !== null) setText(shareElement, share(weight, totals[this.sideOf(row)] ?? 0));
    }
    for (const [id, element] of this.elements) {
      if (seen.has(id)) continue;
      element.remove();
      this.elements.delete(id);
    }
    const active = this.rows[this.cursor];
    if (focused && active !== undefined) this.scroll.setAttribute("aria-activedescendant", `track-${rowId(active)}`);
    else this.scroll.removeAttribute("aria-activedescendant");
  }

  private label(row: TrackRow, id: string): HTMLElement {
    const { meta } = this.context;
    const props = { class: `track ${row.kind}`, id: `track-${id}`, role: "treeitem" };
    if (row.kind === "more") {
      return h("div", { ...props, attributes: { "aria-level": "2" } }, h("span", { class: "name", text: countOf(row.threads.length, "more idle thread") }), h("span", { class: "id" }), h("span", { class: "share" }));
    }
    const thread = row.kind === "thread" ? meta.threads[row.thread]! : null;
    const process = meta.processes[row.kind === "thread" ? meta.threads[row.thread]!.process : row.process];
    const side = row.kind === "thread" ? meta.threads[row.thread]!.side : row.side;
    const showSide = meta.isDifference && (row.kind === "process" || row.alone);
    const name = thread !== null ? thread.name : (process?.name ?? "");
    const label = h(
      "div",
      {
        ...props,
        title: row.kind === "thread" ? `${threadName(meta, row.thread)}${row.alone ? "" : ` of ${processName(meta, thread!.process)}`}` : processName(meta, row.process),
        attributes: { "aria-level": row.kind === "thread" && !row.alone ? "2" : "1", ...(row.kind === "process" ? { "aria-expanded": String(row.open) } : {}) },
      },
      row.kind === "process" && h("button", { class: `fold${row.open ? " open" : ""}`, tabIndex: -1, attributes: { "aria-hidden": "true" } }, icon("right")),
      h("span", { class: "name", text: shownName(name) }),
      h("span", { class: "id", text: String(thread !== null ? thread.tid : (process?.pid ?? "")) }),
      showSide && h("span", { class: "side", text: side === 0 ? "before" : "after", title: shownName(meta.sides[side] ?? "") }),
      h("span", { class: "share" }),
    );
    if (row.kind === "thread" && row.alone) label.classList.add("alone");
    return label;
  }

  // Choosing

  private clickLabel(event: MouseEvent): void {
    const target = event.target as HTMLElement;
    const element = target.closest<HTMLElement>(".track");
    if (element === null) return;
    const row = this.rows[Number(element.dataset["row"])];
    if (row === undefined) return;
    this.cursor = this.rows.indexOf(row);
    if (target.closest(".fold") !== null) this.toggle(row);
    else this.choose(row, event.ctrlKey || event.metaKey, event.shiftKey);
  }

  private clickLane(event: PointerEvent): void {
    if ((event.target as HTMLElement).closest(".track") !== null) return;
    const y = event.clientY - this.scroll.getBoundingClientRect().top + this.scroll.scrollTop;
    const row = y < this.tops[this.rows.length]! ? this.rows[rowAt(this.tops, y)] : undefined;
    if (row === undefined) return;
    this.cursor = this.rows.indexOf(row);
    this.choose(row, event.ctrlKey || event.metaKey, event.shiftKey);
  }

  private choose(row: TrackRow, add: boolean, through: boolean): void {
    if (row.kind === "more") return this.toggle(row);
    const { meta, state } = this.context;
    let threads = row.kind === "thread" ? [row.thread] : row.threads;
    const last = this.lastClicked === null ? -1 : this.rows.findIndex((x) => rowId(x) === rowId(this.lastClicked!));
    if (through && last >= 0) {
      const [from, to] = [Math.min(last, this.cursor), Math.max(last, this.cursor)];
      threads = this.rows.slice(from, to + 1).flatMap((x) => (x.kind === "thread" ? [x.thread] : []));
      if (threads.length > 0) return this.context.set({ threads: threads.sort((a, b) => a - b) });
    }
    this.lastClicked = row;
    this.context.set({ threads: afterClick(state.threads, threads, add || through, meta.threads.length) });
  }

  private toggle(row: TrackRow): void {
    if (row.kind === "process") this.opened.set(groupId(row.process, row.side), !row.open);
    else if (row.kind === "more") this.unfolded.add(groupId(row.process, row.side));
    this.update();
  }

  private key(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.scroll.clientHeight / 24) - 1);
    const last = this.rows.length - 1;
    const go = (to: number) => {
      this.cursor = clamp(to, 0, last);
      const [top, bottom] = [this.tops[this.cursor]!, this.tops[this.cursor + 1]!];
      if (top < this.scroll.scrollTop) this.scroll.scrollTop = top;
      else if (bottom > this.scroll.scrollTop + this.scroll.clientHeight) this.scroll.scrollTop = bottom - this.scroll.clientHeight;
      this.schedule();
    };
    const row = this.rows[this.cursor];
    if (event.key === "ArrowDown") go(this.cursor + 1);
    else if (event.key === "ArrowUp") go(this.cursor - 1);
    else if (event.key === "PageDown") go(this.cursor + page);
    else if (event.key === "PageUp") go(this.cursor - page);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(last);
    else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      const open = event.key === "ArrowRight";
      if (row?.kind === "process" && row.open !== open) this.toggle(row);
      else if (row?.kind === "thread" && !row.alone && !open) {
        const { process, side } = this.context.meta.threads[row.thread]!;
        go(this.rows.findIndex((x) => x.kind === "process" && x.process === process && x.side === side));
      }
    } else if ((event.key === "Enter" || event.key === " ") && row !== undefined) this.choose(row, event.ctrlKey || event.metaKey, event.shiftKey);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private hover(event: PointerEvent, time: number): void {
    const { meta, state } = this.context;
    const unit = meta.timeUnitNs;
    const step = ((this.timeline.axis.end - this.timeline.axis.begin) * unit) / this.timeline.axis.width;
    const at = moment(clamp(time, 0, endTime(meta)) * unit, Math.max(1, step));
    const y = event.clientY - this.scroll.getBoundingClientRect().top;
    const row = y >= 0 ? this.rows[rowAt(this.tops, y + this.scroll.scrollTop)] : undefined;
    if (row === undefined || row.kind === "more" || y + this.scroll.scrollTop >= this.tops[this.rows.length]!) {
      return this.context.tooltip({ title: at, lines: state.range === null ? [] : [{ label: "Range", value: rangeInWords(meta, state.range) }] }, event.clientX, event.clientY);
    }
    const lines = [{ label: "Time", value: at }];
    const activity = this.data.get(row);
    const info = meta.events[state.event];
    if (activity !== null && info?.unit === "ns") {
      const bin = Math.floor(((time - activity.begin) / (activity.end - activity.begin)) * activity.cost.length);
      const perUnit = ((activity.cost[bin] ?? 0) * activity.cost.length) / (activity.end - activity.begin);
      lines.push({ label: "CPU use", value: percent(perUnit / (unit * info.divisor)) });
    }
    this.context.tooltip({ title: row.kind === "thread" ? threadName(meta, row.thread) : processName(meta, row.process), lines }, event.clientX, event.clientY);
  }

  // Height

  private listenResize(): void {
    let from: { y: number; height: number } | null = null;
    this.resize.addEventListener("pointerdown", (event) => {
      from = { y: event.clientY, height: this.body.clientHeight };
      this.resize.setPointerCapture(event.pointerId);
      this.resize.classList.add("active");
      event.preventDefault();
    });
    this.resize.addEventListener("pointermove", (event) => {
      if (from !== null) this.setHeight(from.height + event.clientY - from.y);
    });
    const end = () => {
      from = null;
      this.resize.classList.remove("active");
      this.store();
    };
    this.resize.addEventListener("pointerup", end);
    this.resize.addEventListener("pointercancel", end);
    this.resize.addEventListener("dblclick", () => {
      this.height = 0;
      this.applyHeight();
      this.store();
    });
    this.resize.addEventListener("keydown", (event) => {
      const by = event.key === "ArrowDown" ? 24 : event.key === "ArrowUp" ? -24 : 0;
      if (by === 0) return;
      this.setHeight(this.body.clientHeight + by);
      this.store();
      event.preventDefault();
      event.stopPropagation();
    });
    addEventListener("resize", () => this.applyHeight());
  }

  private setHeight(height: number): void {
    if (this.folded) this.fold(false);
    this.height = clamp(Math.round(height), 24, Math.max(48, innerHeight - 300));
    this.applyHeight();
  }

  private store(): void {
    remember(kHeightKey, `${this.folded ? "folded" : "open"} ${this.height}`);
  }
  private restore(): void {
    const [state, height] = (recall(kHeightKey) ?? "open 0").split(" ");
    this.height = Math.max(0, Number(height) || 0);
    if (state === "folded") this.fold(true);
  }
}

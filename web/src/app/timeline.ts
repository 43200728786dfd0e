// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The time axis above the tracks and the brush over them: pointer, keyboard, drawing. The logic is in axis.ts and brush.ts.

import { tickLabel, ticks, toTime, toX, zoomAxis, panAxis, type Axis } from "./axis";
import { dragTo, gripAt, moved, resized, type Drag, type Range } from "./brush";
import { rangeInWords, rangeLength } from "./describe";
import { clamp, h, setText } from "./dom";
import { endTime } from "./state";
import type { Context, State } from "./view";

// Movements of less than this many pixels are clicks.
const kClick = 4;

export interface TimelineHost {
  clicked(event: PointerEvent): void; // on a track, without dragging
  hovered(event: PointerEvent, time: number): void;
  left(): void;
  axisChanged(): void;
}

export class Timeline {
  readonly axisElement = h("div", { class: "tracks-axis", role: "slider", tabIndex: 0, attributes: { "aria-label": "Range of time" } });
  readonly brushElement = h("div", { class: "brush", attributes: { "aria-hidden": "true" } });
  axis: Axis;
  private readonly canvas = h("canvas", { attributes: { "aria-hidden": "true" } });
  private readonly band = h("div", { class: "band", hidden: true });
  private readonly baseBand = h("div", { class: "band base", hidden: true });
  private readonly label = h("div", { class: "label", hidden: true });
  private readonly baseLabel = h("div", { class: "label base", hidden: true });
  private readonly hair = h("div", { class: "hair", hidden: true });
  private readonly end: number;
  private drag: (Drag & { x: number; moved: boolean; base: boolean; onAxis: boolean; pan: number | null }) | null = null;
  private frame = 0;
  private next: Range | null = null;
  private lastKey = 0;

  constructor(
    private readonly context: Context,
    private readonly host: TimelineHost,
  ) {
    this.end = endTime(context.meta);
    this.axis = { begin: 0, end: this.end, width: 1 };
    this.axisElement.append(this.canvas);
    this.brushElement.append(this.baseBand, this.band, this.hair, this.baseLabel, this.label);
    this.listen(this.axisElement, true);
    this.axisElement.addEventListener("keydown", (event) => this.key(event));
    this.axisElement.addEventListener("focus", () => this.band.classList.toggle("focused", this.axisElement.matches(":focus-visible")));
    this.axisElement.addEventListener("blur", () => this.band.classList.remove("focused"));
    this.axisElement.setAttribute("aria-valuemin", "0");
    this.axisElement.setAttribute("aria-valuemax", String(this.end));
  }

  get isZoomed(): boolean {
    return this.axis.begin > 0 || this.axis.end < this.end;
  }

  // Presses, movements and wheel on an element. `inset`: pixels from its left edge to the beginning of time.
  listen(element: HTMLElement, onAxis: boolean, inset: () => number = () => 0): void {
    const xOf = (event: MouseEvent) => event.clientX - element.getBoundingClientRect().left - inset();
    element.addEventListener("pointerdown", (event) => {
      const x = xOf(event);
      if (event.button > 1 || x < 0 || x > this.axis.width) return;
      this.press(event, x, onAxis);
      element.setPointerCapture(event.pointerId);
      if (onAxis) this.axisElement.focus({ preventScroll: true });
      event.preventDefault();
    });
    element.addEventListener("pointermove", (event) => {
      const x = xOf(event);
      if (this.drag !== null) return this.move(x);
      this.hover(event, x, onAxis, element);
    });
    element.addEventListener("pointerup", (event) => this.release(event));
    element.addEventListener("pointercancel", () => (this.drag = null));
    element.addEventListener("pointerleave", () => {
      if (this.drag !== null) return;
      this.hair.hidden = true;
      this.host.left();
    });
    element.addEventListener("dblclick", (event) => {
      if (xOf(event) >= 0 && !this.clear()) this.zoomTo({ begin: 0, end: this.end });
    });
    element.addEventListener(
      "wheel",
      (event) => {
        const x = xOf(event);
        if (x < 0) return;
        if (event.ctrlKey || event.metaKey) this.zoomTo(zoomAxis(this.axis, Math.exp(clamp(event.deltaY, -200, 200) / 300), toTime(this.axis, x), this.end, 20));
        else if (event.deltaX !== 0 || event.shiftKey) this.pan(event.deltaX !== 0 ? event.deltaX : event.deltaY);
        else return;
        event.preventDefault();
      },
      { passive: false },
    );
  }

  zoomTo(axis: { begin: number; end: number }): void {
    this.axis = { begin: axis.begin, end: axis.end, width: this.axis.width };
    this.host.axisChanged();
  }
  // To the range, and back to all.
  toggleZoom(): void {
    const { range } = this.context.state;
    if (range === null || this.isZoomed) return this.zoomTo({ begin: 0, end: this.end });
    const room = (range[1] - range[0]) * 0.05;
    this.zoomTo({ begin: Math.max(0, range[0] - room), end: Math.min(this.end, range[1] + room) });
  }
  private pan(pixels: number): void {
    this.zoomTo(panAxis(this.axis, (pixels / this.axis.width) * (this.axis.end - this.axis.begin), this.end));
  }

  clear(): boolean {
    const { state } = this.context;
    if (state.range === null) return false;
    this.context.set({ range: null });
    return true;
  }

  private press(event: PointerEvent, x: number, onAxis: boolean): void {
    const { state } = this.context;
    const base = event.ctrlKey || event.metaKey;
    const range = base ? (state.compare?.kind === "range" ? state.compare.range : null) : state.range;
    const at = clamp(toTime(this.axis, x), 0, this.end);
    const grip = range === null ? "new" : gripAt(x, toX(this.axis, range[0]), toX(this.axis, range[1]), onAxis);
    const pan = event.button === 1 ? this.axis.begin : null;
    this.drag = { grip, at, from: range, x, moved: false, base, onAxis, pan };
    this.host.left();
  }

  private move(x: number): void {
    const drag = this.drag!;
    if (!drag.moved && Math.abs(x - drag.x) < kClick) return;
    if (drag.pan !== null) {
      drag.moved = true;
      const shift = ((drag.x - x) / this.axis.width) * (this.axis.end - this.axis.begin);
      return this.zoomTo(panAxis({ ...this.axis, begin: drag.pan, end: drag.pan + this.axis.end - this.axis.begin }, shift, this.end));
    }
    this.hair.hidden = true;
    this.next = dragTo(drag, clamp(toTime(this.axis, x), 0, this.end), this.end);
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame(() => this.flush());
  }

  // At most once per frame. The first step of a movement is one to come back to.
  private flush(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const drag = this.drag;
    if (this.next === null || drag === null) return;
    const range = this.next;
    this.next = null;
    this.context.set(drag.base ? { compare: { kind: "range", range } } : { range }, drag.moved ? "replace" : "push");
    drag.moved = true;
  }

  private release(event: PointerEvent): void {
    const drag = this.drag;
    if (drag === null) return;
    this.flush();
    this.drag = null;
    this.update(this.context.state);
    if (!drag.moved && !drag.onAxis && event.button === 0) this.host.clicked(event);
  }

  private hover(event: PointerEvent, x: number, onAxis: boolean, element: HTMLElement): void {
    const inside = x >= 0 && x <= this.axis.width;
    this.hair.hidden = !inside;
    if (!inside) {
      element.style.cursor = "";
      return this.host.left();
    }
    this.hair.style.transform = `translateX(${Math.round(x)}px)`;
    const range = this.context.state.range;
    const grip = range === null ? "new" : gripAt(x, toX(this.axis, range[0]), toX(this.axis, range[1]), onAxis);
    element.style.cursor = grip === "new" ? (onAxis ? "text" : "default") : grip === "move" ? "grab" : "ew-resize";
    this.host.hovered(event, toTime(this.axis, x));
  }

  private key(event: KeyboardEvent): void {
    const { state } = this.context;
    const direction = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    const window = this.axis.end - this.axis.begin;
    if (direction !== 0) {
      const step = direction * Math.max(1, window / 100);
      let range: Range;
      if (state.range === null) range = [Math.floor(this.axis.begin), Math.max(Math.floor(this.axis.begin) + 1, Math.round(this.axis.begin + window / 10))];
      else if (event.shiftKey) range = resized(state.range, event.ctrlKey || event.metaKey || event.altKey ? "begin" : "end", step, this.end);
      else range = moved(state.range, step, this.end);
      const now = performance.now();
      this.context.set({ range }, now - this.lastKey < 1000 ? "replace" : "push");
      this.lastKey = now;
    } else if (event.key === "Delete" || event.key === "Backspace") this.clear();
    else if (event.key === "Enter") this.toggleZoom();
    else if (event.key === "+" || event.key === "=") this.zoomTo(zoomAxis(this.axis, 0.7, this.middle(), this.end, 20));
    else if (event.key === "-") this.zoomTo(zoomAxis(this.axis, 1 / 0.7, this.middle(), this.end, 20));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private middle(): number {
    const range = this.context.state.range;
    return range === null ? (this.axis.begin + this.axis.end) / 2 : clamp((range[0] + range[1]) / 2, this.axis.begin, this.axis.end);
  }

  // Places the brush. Cheap: called for each step of a movement.
  update(state: State): void {
    const { meta } = this.context;
    const range = this.next !== null && this.drag?.base === false ? this.next : state.range;
    const base = state.compare?.kind === "range" ? state.compare.range : null;
    this.place(this.band, this.label, range);
    this.place(this.baseBand, this.baseLabel, base);
    const text = range === null ? "the whole recording" : `${rangeInWords(meta, range)}, ${rangeLength(meta, range)} long`;
    this.axisElement.setAttribute("aria-valuetext", text);
    this.axisElement.setAttribute("aria-valuenow", String(range?.[0] ?? 0));
  }

  private place(band: HTMLElement, label: HTMLElement, range: readonly [number, number] | null): void {
    band.hidden = label.hidden = range === null;
    if (range === null) return;
    const left = toX(this.axis, range[0]);
    const right = toX(this.axis, range[1]);
    const [from, to] = [clamp(left, -2, this.axis.width + 2), clamp(right, -2, this.axis.width + 2)];
    band.style.transform = `translateX(${from}px)`;
    band.style.width = `${Math.max(1, to - from)}px`;
    const { meta } = this.context;
    const text = `${label === this.baseLabel ? "before: " : ""}${rangeInWords(meta, range)} · ${rangeLength(meta, range)}`;
    setText(label, text);
    const labelWidth = 12 + text.length * 6; // an estimate, so that nothing is measured while dragging
    label.hidden = right < 0 || left > this.axis.width;
    const x = clamp((from + to) / 2 - labelWidth / 2, 2, Math.max(2, this.axis.width - labelWidth - 2));
    label.style.transform = `translateX(${Math.round(x)}px)`;
  }

  drawAxis(width: number): void {
    this.axis = { ...this.axis, width };
    const ratio = devicePixelRatio || 1;
    const height = 26;
    const [w, hgt] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== w || this.canvas.height !== hgt) {
      [this.canvas.width, this.canvas.height] = [w, hgt];
      this.canvas.style.width = `${width}px`;
    }
    const g = this.canvas.getContext("2d");
    if (g === null) return;
    const style = getComputedStyle(document.documentElement);
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, width, height);
    g.font = `11px ${style.getPropertyValue("--font")}`;
    g.textBaseline = "middle";
    const unit = this.context.meta.timeUnitNs;
    const { step, at } = ticks(this.axis.begin * unit, this.axis.end * unit, width);
    for (const ns of at) {
      const x = toX(this.axis, ns / unit);
      g.fillStyle = style.getPropertyValue("--line");
      g.fillRect(Math.round(x), 0, 1, height);
      const text = tickLabel(ns, step);
      if (x + 5 + g.measureText(text).width > width) continue;
      g.fillStyle = style.getPropertyValue("--text-2");
      g.fillText(text, Math.round(x) + 5, height / 2 + 0.5);
    }
  }
}

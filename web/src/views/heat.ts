// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The heat map of sub-second activity: a column for each second, upwards the parts of it. Dragging picks a stripe of time, and its
// flame graph opens.

import { tickLabel, ticks } from "../app/axis";
import { rangeInWords, rangeLength, threadsInWords } from "../app/describe";
import { h, setText } from "../app/dom";
import { endTime } from "../app/state";
import type { Context, View } from "../app/view";
import type { HeatMap } from "../engine/api";
import { cost } from "../format/cost";
import { duration, moment } from "../format/duration";
import { cellAt, cellsOfRange, rangeOfCells, stripe, type Box } from "./heat_cells";

const kLeft = 54;
const kBottom = 24;
const kTop = 6;
const kRows = 50;
const kColors = 64;

export class HeatView implements View {
  readonly name = "heat";
  readonly title = "Heat map";
  readonly element: HTMLElement;
  private readonly about = h("span");
  private readonly least = h("span", { text: "0" });
  private readonly most = h("span");
  private readonly ramp = h("canvas");
  private readonly picture = h("canvas", { attributes: { "aria-hidden": "true" } });
  private readonly overlay = h("canvas", { attributes: { "aria-hidden": "true" } });
  private readonly map = h("div", { class: "map", tabIndex: 0, role: "application", attributes: { "aria-label": "Heat map: arrows move, Shift and arrows choose a stripe of time, Enter opens its flame graph" } });
  private readonly said = h("span", { class: "hidden-text", role: "status" });
  private readonly empty = h("div", { class: "state", hidden: true });
  private context: Context | null = null;
  private heat: HeatMap | null = null;
  private asked = "";
  private colors: string[] = [];
  private colorsDark: boolean | null = null;
  private anchor = -1; // first cell of the stripe
  private cursor = -1; // cell of the pointer or the keyboard
  private dragging = false;

  constructor() {
    this.map.append(this.picture, this.overlay);
    this.element = h(
      "div",
      { class: "heat" },
      h("div", { class: "line" }, this.about, h("span", { class: "scale" }, this.least, this.ramp, this.most), this.said),
      this.map,
      this.empty,
    );
    this.listen();
  }

  update(context: Context): void {
    this.context = context;
    const { meta, state } = context;
    this.empty.hidden = meta.hasTimes;
    this.map.hidden = !meta.hasTimes;
    if (!meta.hasTimes) {
      setText(this.empty, "This profile has no times, so there is no heat map.");
      return;
    }
    const width = Math.max(40, this.map.clientWidth - kLeft);
    const columns = Math.max(1, Math.min(Math.ceil(meta.durationNs / 1e9), Math.floor(width / 2)));
    const selection = { ...context.query.selection, range: null };
    const key = JSON.stringify([selection, columns]);
    if (key !== this.asked) {
      this.asked = key;
      context.ask("heatmap", { selection, columns, rows: kRows }, "heat").then(
        (heat) => {
          this.heat = heat;
          this.draw();
        },
        (error: Error) => setText(this.about, error.message),
      );
    }
    setText(this.about, `Activity of ${threadsInWords(meta, state.threads)}. Drag to choose a stripe of time and see its flame graph.`);
    this.draw();
  }

  text(context: Context): string {
    const { heat } = this;
    if (heat === null) return "";
    const lines = [`begin\tcost in parts of ${duration((heat.columnTime / heat.rows) * context.meta.timeUnitNs)}`];
    for (let column = 0; column < heat.columns; ++column) {
      const cells = Array.from(heat.cost.subarray(column * heat.rows, (column + 1) * heat.rows));
      lines.push([moment(column * heat.columnTime * context.meta.timeUnitNs), ...cells.map((x) => String(Math.round(x)))].join("\t"));
    }
    return lines.join("\n");
  }

  key(event: KeyboardEvent, context: Context): boolean {
    if (event.key === "Escape" && this.anchor >= 0) {
      this.anchor = this.cursor = -1;
      this.dragging = false;
      context.tooltip(null, 0, 0);
      this.drawOverlay();
      return true;
    }
    if (document.activeElement !== this.map || this.heat === null) return false;
    const { rows, columns } = this.heat;
    const by = { ArrowUp: 1, ArrowDown: -1, ArrowRight: rows, ArrowLeft: -rows }[event.key];
    if (by !== undefined) {
      const from = this.cursor < 0 ? 0 : this.cursor;
      const to = this.cursor < 0 ? 0 : from + by;
      if (to < 0 || to >= rows * columns) return true;
      if (!event.shiftKey || this.anchor < 0) this.anchor = event.shiftKey ? from : to;
      this.cursor = to;
      this.drawOverlay();
      const range = rangeOfCells(this.heat, this.anchor, this.cursor, endTime(context.meta));
      setText(this.said, `${rangeInWords(context.meta, range)}, ${cost(this.heat.cost[to] ?? 0, context.meta.events[context.state.event]!)}`);
      return true;
    }
    if (event.key === "Enter" && this.anchor >= 0) {
      this.pick();
      return true;
    }
    return false;
  }

  private listen(): void {
    const cellOf = (event: PointerEvent): number => {
      const box = this.map.getBoundingClientRect();
      return this.heat === null ? -1 : cellAt(this.heat, this.box(), event.clientX - box.left, event.clientY - box.top);
    };
    this.map.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || this.heat === null) return;
      this.anchor = this.cursor = cellOf(event);
      this.dragging = true;
      this.map.setPointerCapture(event.pointerId);
      this.drawOverlay();
    });
    this.map.addEventListener("pointermove", (event) => {
      this.cursor = cellOf(event);
      if (!this.dragging) this.anchor = this.cursor;
      this.drawOverlay();
      this.showTooltip(event);
    });
    this.map.addEventListener("pointerup", () => {
      if (!this.dragging) return;
      this.dragging = false;
      this.pick();
    });
    this.map.addEventListener("pointerleave", () => {
      if (this.dragging) return;
      this.anchor = this.cursor = -1;
      this.context?.tooltip(null, 0, 0);
      this.drawOverlay();
    });
  }

  private pick(): void {
    const { context, heat } = this;
    if (context === null || heat === null || this.anchor < 0 || this.cursor < 0) return;
    const range = rangeOfCells(heat, this.anchor, this.cursor, endTime(context.meta));
    this.anchor = this.cursor = -1;
    context.tooltip(null, 0, 0);
    context.set({ range, view: "flame" });
  }

  private showTooltip(event: PointerEvent): void {
    const { context, heat } = this;
    if (context === null || heat === null || this.cursor < 0) return;
    const { meta, state } = context;
    const [low, high] = [Math.min(this.anchor, this.cursor), Math.max(this.anchor, this.cursor)];
    const range = rangeOfCells(heat, low, high, endTime(meta));
    let sum = 0;
    for (let cell = low; cell <= high; ++cell) sum += heat.cost[cell] ?? 0;
    const lines = [{ label: "Cost", value: cost(sum, meta.events[state.event]!) }];
    context.tooltip({ title: `${rangeInWords(meta, range)} · ${rangeLength(meta, range)}`, lines }, event.clientX, event.clientY);
  }

  private box(): Box {
    return { x: kLeft, y: kTop, width: Math.max(1, this.map.clientWidth - kLeft), height: Math.max(1, this.map.clientHeight - kTop - kBottom) };
  }

  private prepare(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
    const ratio = devicePixelRatio || 1;
    const [width, height] = [Math.round(this.map.clientWidth * ratio), Math.round(this.map.clientHeight * ratio)];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    const g = canvas.getContext("2d");
    g?.setTransform(ratio, 0, 0, ratio, 0, 0);
    g?.clearRect(0, 0, this.map.clientWidth, this.map.clientHeight);
    return g;
  }

  private draw(): void {
    const { context, heat } = this;
    const g = this.prepare(this.picture);
    if (g === null || context === null || heat === null) return;
    this.readColors(context.dark);
    const { meta } = context;
    const box = this.box();
    const style = getComputedStyle(document.documentElement);
    setText(this.most, `${cost(heat.max, meta.events[context.state.event]!)} in ${duration((heat.columnTime / heat.rows) * meta.timeUnitNs)}`);
    const cellWidth = box.width / heat.columns;
    const cellHeight = box.height / heat.rows;
    const gap = cellWidth > 8 && cellHeight > 4 ? 1 : 0;
    const last = endTime(meta) / (heat.columnTime / heat.rows);
    // By color, so that the style changes few times.
    const byColor: number[][] = Array.from({ length: kColors }, () => []);
    for (let cell = 0; cell < heat.columns * heat.rows && cell < last; ++cell) {
      byColor[Math.min(kColors - 1, Math.round(((heat.cost[cell] ?? 0) / (heat.max || 1)) * (kColors - 1)))]!.push(cell);
    }
    byColor.forEach((cells, color) => {
      g.fillStyle = this.colors[color]!;
      for (const cell of cells) {
        const x = box.x + Math.floor(cell / heat.rows) * cellWidth;
        const y = box.y + box.height - ((cell % heat.rows) + 1) * cellHeight;
        const [x0, x1, y0, y1] = [Math.round(x), Math.round(x + cellWidth), Math.round(y), Math.round(y + cellHeight)];
        g.fillRect(x0, y0, x1 - x0 - gap, y1 - y0 - gap);
      }
    });
    this.drawAxes(g, box, heat, meta.timeUnitNs, style);
    this.drawOverlay();
  }

  private drawAxes(g: CanvasRenderingContext2D, box: Box, heat: HeatMap, unit: number, style: CSSStyleDeclaration): void {
    g.font = `11px ${style.getPropertyValue("--font")}`;
    g.fillStyle = style.getPropertyValue("--text-2");
    g.textBaseline = "middle";
    g.textAlign = "right";
    const columnNs = heat.columnTime * unit;
    for (let i = 0; i <= 4; ++i) {
      const y = box.y + box.height * (1 - i / 4);
      g.fillText(i === 0 ? "0" : duration((columnNs * i) / 4).replace(/\.00? /, " "), box.x - 6, Math.max(box.y + 6, Math.min(y, box.y + box.height - 5)));
    }
    g.textAlign = "left";
    const { at, step } = ticks(0, heat.columns * columnNs, box.width, 80);
    for (const ns of at) {
      const x = box.x + (ns / (heat.columns * columnNs)) * box.width;
      g.fillRect(Math.round(x), box.y + box.height + 2, 1, 4);
      const text = tickLabel(ns, step);
      if (x + 4 + g.measureText(text).width <= box.x + box.width) g.fillText(text, Math.round(x) + 4, box.y + box.height + 13);
    }
  }

  private drawOverlay(): void {
    const g = this.prepare(this.overlay);
    const { context, heat } = this;
    if (g === null || context === null || heat === null) return;
    const style = getComputedStyle(document.documentElement);
    const box = this.box();
    const outline = (first: number, last: number, color: string, fill: boolean) => {
      g.lineWidth = 2;
      g.strokeStyle = g.fillStyle = color;
      for (const part of stripe(heat, box, first, last)) {
        g.globalAlpha = 0.25;
        if (fill) g.fillRect(part.x, part.y, part.width, part.height);
        g.globalAlpha = 1;
        g.strokeRect(Math.round(part.x), Math.round(part.y), Math.round(part.width), Math.round(part.height));
      }
    };
    const { range } = context.state;
    if (range !== null) {
      const [first, last] = cellsOfRange(heat, range);
      outline(first, Math.min(last, heat.columns * heat.rows - 1), style.getPropertyValue("--more"), false);
    }
    if (this.anchor >= 0) outline(Math.min(this.anchor, this.cursor), Math.max(this.anchor, this.cursor), style.getPropertyValue("--more"), this.dragging);
  }

  // From the background to a strong color by way of one hue, so that lightness alone tells the cost.
  private readColors(dark: boolean): void {
    if (this.colorsDark === dark) return;
    this.colorsDark = dark;
    const stops = dark ? [[29, 32, 38], [36, 60, 118], [84, 136, 250], [226, 236, 255]] : [[240, 243, 249], [168, 194, 245], [58, 108, 220], [18, 34, 92]];
    this.colors = Array.from({ length: kColors }, (_, i) => {
      const at = (i / (kColors - 1)) * (stops.length - 1);
      const low = Math.min(stops.length - 2, Math.floor(at));
      const part = at - low;
      return `rgb(${[0, 1, 2].map((c) => Math.round(stops[low]![c]! * (1 - part) + stops[low + 1]![c]! * part)).join(" ")})`;
    });
    this.ramp.width = kColors;
    this.ramp.height = 1;
    const g = this.ramp.getContext("2d");
    this.colors.forEach((color, i) => {
      if (g === null) return;
      g.fillStyle = color;
      g.fillRect(i, 0, 1, 1);
    });
  }
}

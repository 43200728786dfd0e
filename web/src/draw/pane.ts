// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// A pane of boxes: a canvas that scrolls by levels and shows a span of the width, with the mouse and what a screen reader needs.
// The views decide what a click does and which boxes to show.

import { addStyle } from "../app/dom";
import styleText from "./draw.css";
import { drawBoxes, drawMark, fontOf, place, type Picture, type Surface } from "./boxes";
import { Labels } from "./labels";
import { contentHeight, hit, levelAt, levelTop, kRow, scrollToLevel, type Rows, type Span } from "./layout";
import { between, easeOut, sameSpan, wheelFactor } from "./zoom";
import type { Theme } from "./theme";

export interface PaneEvents {
  // The box under the mouse; -1: none. Coordinates are those of the window.
  hover(row: number, x: number, y: number): void;
  click(row: number, event: MouseEvent): void;
  open(row: number): void; // double click
  menu(row: number, x: number, y: number): void;
  pan?(distance: number, done: boolean): void; // in units of the span
  zoom?(at: number, factor: number): void;
  brush?(from: number, to: number, done: boolean): void; // shift and drag
  resized?(): void;
}

// What a screen reader says of the selected box.
export interface Described {
  readonly text: string;
  readonly level: number;
  readonly position: number; // among its siblings, from 1
  readonly siblings: number;
  readonly expanded: boolean | null; // null: nothing below it
}

const kAnimationMs = 150;
const kDragStart = 4; // pixels
let paneCount = 0;
let styled = false;

function addStyleOnce(): void {
  if (!styled) addStyle(styleText);
  styled = true;
}

export class BoxPane {
  readonly element = document.createElement("div");
  // Drawn above the boxes, in device pixels.
  over: ((surface: Surface, height: number) => void) | null = null;
  // Room on top of the boxes, for a time axis; drawn by `over`.
  inset = 0;

  private readonly stick = document.createElement("div");
  private readonly space = document.createElement("div");
  private readonly base = document.createElement("canvas");
  private readonly marks = document.createElement("canvas");
  private readonly baseContext: CanvasRenderingContext2D;
  private readonly marksContext: CanvasRenderingContext2D;
  private readonly id = `boxes-${++paneCount}`;
  private readonly reduced = matchMedia("(prefers-reduced-motion: reduce)");

  private labels: Labels | null = null;
  private labelFont = "";
  private picture: Picture | null = null;
  private theme: Theme | null = null;
  private shown: Span = { from: 0, to: 1 };
  private goal: Span = { from: 0, to: 1 };
  private start: Span = { from: 0, to: 1 };
  private startTime = 0;
  private animating = false;

  private width = 0;
  private height = 0;
  private levels = 0;
  private rootAtBottom = false;
  private rootDistance = 0; // how far the root's edge is scrolled out
  private scroll = 0;
  private selected = -1;
  private hovered = -1;
  private frame = 0;
  private dirty = false; // the boxes, not only the marks
  private describedCount = 0;
  private drag: { x: number; y: number; scroll: number; at: number; kind: "" | "pan" | "brush" } | null = null;
  private suppressClick = false;

  constructor(
    label: string,
    private readonly events: PaneEvents,
  ) {
    addStyleOnce();
    this.element.className = "boxes";
    this.element.tabIndex = 0;
    this.element.setAttribute("role", "tree");
    this.element.setAttribute("aria-label", label);
    this.stick.className = "stick";
    this.space.className = "space";
    this.space.setAttribute("aria-hidden", "true");
    this.base.setAttribute("aria-hidden", "true");
    this.marks.setAttribute("aria-hidden", "true");
    this.stick.append(this.base, this.marks);
    this.element.append(this.stick, this.space);
    this.baseContext = this.base.getContext("2d", { alpha: false })!;
    this.marksContext = this.marks.getContext("2d")!;
    this.listen();
  }

  get span(): Span {
    return this.shown;
  }
  get target(): Span {
    return this.goal;
  }
  get clientWidth(): number {
    return this.width;
  }
  get clientHeight(): number {
    return this.height;
  }
  get hoveredRow(): number {
    return this.hovered;
  }

  setLabel(label: string): void {
    this.element.setAttribute("aria-label", label);
  }

  setTheme(theme: Theme): void {
    if (this.theme === theme) return;
    this.theme = theme;
    this.invalidate();
  }

  setOrientation(rootAtBottom: boolean): void {
    if (this.rootAtBottom === rootAtBottom) return;
    this.rootAtBottom = rootAtBottom;
    this.placeScroll();
    this.invalidate();
  }

  setPicture(picture: Picture): void {
    const other = this.picture === null || this.picture.set !== picture.set;
    this.picture = picture;
    if (other) {
      this.hovered = -1;
      this.levels = picture.set.levels;
      this.placeScroll();
    }
    this.invalidate();
  }

  setSelected(row: number, described: Described | null): void {
    if (row !== this.selected) this.invalidateMarks();
    this.selected = row;
    this.describe(described);
  }

  setSpan(span: Span, animate: boolean): void {
    if (sameSpan(span, this.goal)) return;
    this.goal = span;
    if (!animate || this.reduced.matches || this.picture === null) {
      this.shown = span;
      this.animating = false;
    } else {
      this.start = this.shown;
      this.startTime = performance.now();
      this.animating = true;
    }
    this.setHover(-1, 0, 0);
    this.invalidate();
  }

  // Takes the focus from the page or from another pane, not from a control: what keys select is then read out.
  takeFocus(): void {
    const active = document.activeElement;
    if (active === null || active === document.body || (active !== this.element && active.classList.contains("boxes"))) {
      this.element.focus({ preventScroll: true });
    }
  }

  // Scrolls the fewest levels needed.
  showLevel(level: number, margin = 1): void {
    this.measure();
    const wanted = scrollToLevel(this.rows(), level, margin);
    if (wanted !== this.scroll) this.element.scrollTop = wanted;
    this.noteScroll();
  }
  showRoot(): void {
    this.rootDistance = 0;
    this.placeScroll();
  }
  scrollBy(pixels: number): void {
    this.element.scrollTop += pixels;
  }

  // Where a box is in the window, for menus; the middle of the pane if it is not visible.
  pointOf(row: number): { x: number; y: number } {
    const frame = this.element.getBoundingClientRect();
    if (this.picture === null || row < 0 || row >= this.picture.set.count) {
      return { x: frame.left + frame.width / 2, y: frame.top + frame.height / 2 };
    }
    const { set } = this.picture;
    const scale = this.width / (this.goal.to - this.goal.from);
    const left = Math.min(Math.max(0, (set.begin[row]! - this.goal.from) * scale), this.width);
    const right = Math.min(Math.max(0, (set.end[row]! - this.goal.from) * scale), this.width);
    const top = Math.min(Math.max(0, levelTop(this.rows(), set.depth[row]!) + this.inset), this.height - kRow);
    return { x: frame.left + Math.min((left + right) / 2, left + 40), y: frame.top + top + kRow };
  }

  // After the boxes changed.
  invalidate(): void {
    this.dirty = true;
    this.invalidateMarks();
  }
  invalidateMarks(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame((time) => this.draw(time));
  }

  // Reads the element's size; only after a change of layout.
  measure(): void {
    const width = this.element.clientWidth;
    const height = this.element.clientHeight;
    if (width === this.width && height === this.height) return;
    this.width = width;
    this.height = height;
    this.placeScroll();
    this.invalidate();
  }

  at(x: number): number {
    return this.shown.from + (x / Math.max(1, this.width)) * (this.shown.to - this.shown.from);
  }

  private rows(): Rows {
    return { levels: this.levels, height: Math.max(1, this.height - this.inset), scroll: this.scroll, rootAtBottom: this.rootAtBottom };
  }

  private placeScroll(): void {
    const room = this.height - this.inset;
    const content = contentHeight(this.levels, room);
    const height = `${content + this.inset}px`;
    if (this.space.style.height !== height) this.space.style.height = height;
    const most = Math.max(0, content - room);
    const distance = Math.min(this.rootDistance, most);
    const wanted = this.rootAtBottom ? most - distance : distance;
    this.scroll = wanted;
    if (Math.abs(this.element.scrollTop - wanted) >= 1) this.element.scrollTop = wanted;
  }

  private noteScroll(): void {
    const room = this.height - this.inset;
    const most = Math.max(0, contentHeight(this.levels, room) - room);
    const scroll = Math.min(this.element.scrollTop, most);
    if (scroll === this.scroll) return;
    this.scroll = scroll;
    this.rootDistance = this.rootAtBottom ? most - scroll : scroll;
    this.invalidate();
  }

  private describe(described: Described | null): void {
    const old = this.element.querySelector(".focused");
    if (described === null) {
      old?.remove();
      this.element.removeAttribute("aria-activedescendant");
      return;
    }
    if (old !== null && old.textContent === described.text && old.getAttribute("aria-level") === String(described.level)) return;
    // A new element each time: readers speak when the ID changes.
    const item = document.createElement("div");
    item.className = "focused";
    item.id = `${this.id}-${++this.describedCount}`;
    item.setAttribute("role", "treeitem");
    item.setAttribute("aria-level", String(described.level));
    item.setAttribute("aria-posinset", String(described.position));
    item.setAttribute("aria-setsize", String(described.siblings));
    item.setAttribute("aria-selected", "true");
    if (described.expanded !== null) item.setAttribute("aria-expanded", String(described.expanded));
    item.textContent = described.text;
    old?.remove();
    this.element.append(item);
    this.element.setAttribute("aria-activedescendant", item.id);
  }

  private draw(time: number): void {
    this.frame = 0;
    if (this.theme === null || this.width === 0 || this.height === 0) return;
    if (this.animating) {
      const t = Math.min(1, Math.max(0, (time - this.startTime) / kAnimationMs));
      this.shown = between(this.start, this.goal, easeOut(t));
      if (t >= 1) this.animating = false;
      this.dirty = true;
    }
    const dpr = window.devicePixelRatio || 1;
    const widthPx = Math.round(this.width * dpr);
    const heightPx = Math.round(this.height * dpr);
    for (const canvas of [this.base, this.marks]) {
      if (canvas.width === widthPx && canvas.height === heightPx) continue;
      canvas.width = widthPx;
      canvas.height = heightPx;
      canvas.style.width = `${this.width}px`;
      canvas.style.height = `${this.height}px`;
      this.dirty = true;
    }
    const labels = this.labelsFor(dpr);
    const rows = this.rows();
    if (this.dirty) {
      this.dirty = false;
      const surface = { context: this.baseContext, labels, width: this.width, dpr };
      this.baseContext.save();
      if (this.inset > 0) {
        this.baseContext.beginPath();
        this.baseContext.rect(0, Math.round(this.inset * dpr), widthPx, heightPx);
        this.baseContext.clip();
        this.baseContext.translate(0, Math.round(this.inset * dpr));
      }
      if (this.picture !== null) {
        drawBoxes(surface, this.picture, this.shown, rows, this.theme);
      } else {
        this.baseContext.fillStyle = this.theme.bg;
        this.baseContext.fillRect(0, 0, widthPx, heightPx);
      }
      this.baseContext.restore();
    }
    this.marksContext.clearRect(0, 0, widthPx, heightPx);
    const surface = { context: this.marksContext, labels, width: this.width, dpr };
    this.marksContext.save();
    this.marksContext.translate(0, Math.round(this.inset * dpr));
    for (const [row, kind] of [[this.hovered, "hover"], [this.selected, "selected"]] as const) {
      if (this.picture === null || row < 0 || row >= this.picture.set.count) continue;
      const box = place(this.picture.set, row, this.shown, rows, this.width, dpr);
      drawMark(surface, box, kind, this.theme, heightPx - Math.round(this.inset * dpr));
    }
    this.marksContext.restore();
    this.over?.(surface, this.height);
    if (this.animating) this.invalidate();
  }

  private labelsFor(dpr: number): Labels {
    const font = fontOf(this.theme!, dpr);
    if (this.labels === null || font !== this.labelFont) {
      const context = document.createElement("canvas").getContext("2d")!;
      context.font = font;
      this.labels = new Labels((text) => context.measureText(text).width);
      this.labelFont = font;
    }
    return this.labels;
  }

  private rowAt(event: MouseEvent): number {
    if (this.picture === null || this.width === 0) return -1;
    const frame = this.base.getBoundingClientRect();
    const y = event.clientY - frame.top - this.inset;
    if (y < 0) return -1;
    const unit = (this.shown.to - this.shown.from) / this.width;
    return hit(this.picture.set, levelAt(this.rows(), y), this.at(event.clientX - frame.left), unit);
  }

  private setHover(row: number, x: number, y: number): void {
    if (row === this.hovered && row < 0) return;
    if (row !== this.hovered) {
      this.hovered = row;
      this.element.classList.toggle("pointing", row >= 0);
      this.invalidateMarks();
    }
    this.events.hover(row, x, y);
  }

  private listen(): void {
    const { element } = this;
    new ResizeObserver(() => {
      const [width, height] = [this.width, this.height];
      this.measure();
      if (this.width > 0 && (width !== this.width || height !== this.height)) this.events.resized?.();
    }).observe(element);
    element.addEventListener("scroll", () => {
      this.noteScroll();
      this.setHover(-1, 0, 0);
    });
    element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    element.addEventListener("pointerdown", (event) => this.pointerDown(event));
    element.addEventListener("pointermove", (event) => this.pointerMove(event));
    element.addEventListener("pointerup", (event) => this.pointerUp(event));
    element.addEventListener("pointercancel", (event) => this.pointerUp(event));
    element.addEventListener("pointerleave", () => this.setHover(-1, 0, 0));
    element.addEventListener("click", (event) => {
      if (this.suppressClick) this.suppressClick = false;
      else this.events.click(this.rowAt(event), event);
    });
    element.addEventListener("dblclick", (event) => {
      const row = this.rowAt(event);
      if (row >= 0) this.events.open(row);
    });
    element.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      if (event.button !== 2) return; // the menu key, which views handle
      this.events.menu(this.rowAt(event), event.clientX, event.clientY);
    });
  }

  private wheel(event: WheelEvent): void {
    const frame = this.base.getBoundingClientRect();
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this.events.zoom?.(this.at(event.clientX - frame.left), wheelFactor(event.deltaY, event.deltaMode));
      return;
    }
    const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    if (sideways !== 0 && Math.abs(sideways) >= Math.abs(event.shiftKey ? 0 : event.deltaY) && this.events.pan) {
      event.preventDefault();
      const unit = (this.shown.to - this.shown.from) / Math.max(1, this.width);
      this.events.pan((event.deltaMode === 1 ? sideways * kRow : sideways) * unit, true);
    }
  }

  private pointerDown(event: PointerEvent): void {
    this.suppressClick = false;
    if (event.button !== 0) return;
    const frame = this.base.getBoundingClientRect();
    if (event.clientX - frame.left >= this.width) return; // the scroll bar
    const kind = event.shiftKey && this.events.brush ? "brush" : "";
    this.drag = { x: event.clientX, y: event.clientY, scroll: this.element.scrollTop, at: this.at(event.clientX - frame.left), kind };
    if (kind === "brush") event.preventDefault();
  }

  private pointerMove(event: PointerEvent): void {
    const { drag } = this;
    if (drag === null) {
      this.setHover(this.rowAt(event), event.clientX, event.clientY);
      return;
    }
    const frame = this.base.getBoundingClientRect();
    const at = this.at(Math.min(Math.max(0, event.clientX - frame.left), this.width));
    const moved = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) >= kDragStart;
    if (!this.element.hasPointerCapture(event.pointerId)) {
      if (!moved) return;
      this.element.setPointerCapture(event.pointerId);
      if (drag.kind === "") drag.kind = "pan";
      this.element.classList.add(drag.kind === "pan" ? "panning" : "brushing");
      this.setHover(-1, 0, 0);
    }
    if (drag.kind === "brush") {
      this.events.brush?.(Math.min(drag.at, at), Math.max(drag.at, at), false);
    } else {
      this.element.scrollTop = drag.scroll - (event.clientY - drag.y);
      this.events.pan?.(drag.at - this.at(event.clientX - frame.left), false);
    }
  }

  private pointerUp(event: PointerEvent): void {
    const { drag } = this;
    this.drag = null;
    if (drag === null || !this.element.hasPointerCapture(event.pointerId)) return;
    this.element.releasePointerCapture(event.pointerId);
    this.element.classList.remove("panning", "brushing");
    this.suppressClick = true;
    setTimeout(() => (this.suppressClick = false), 0);
    const frame = this.base.getBoundingClientRect();
    const at = this.at(Math.min(Math.max(0, event.clientX - frame.left), this.width));
    if (drag.kind === "brush") this.events.brush?.(Math.min(drag.at, at), Math.max(drag.at, at), true);
    else this.events.pan?.(0, true);
  }
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The tooltip: beside the pointer, never under it and never off the screen.

import { clean } from "../format/name";
import { h } from "./dom";
import type { TooltipContent } from "./view";

const kGap = 14;
const kMargin = 8;

// The left upper corner for a box of that size beside the pointer.
export function placeTooltip(x: number, y: number, width: number, height: number, screenWidth: number, screenHeight: number): [number, number] {
  let left = x + kGap;
  if (left + width > screenWidth - kMargin) left = x - kGap - width;
  if (left < kMargin) left = Math.max(kMargin, Math.min(x + kGap, screenWidth - kMargin - width));
  let top = y + kGap;
  if (top + height > screenHeight - kMargin) top = y - kGap - height;
  if (top < kMargin) top = Math.max(kMargin, screenHeight - kMargin - height);
  return [Math.max(kMargin, left), top];
}

export class Tooltip {
  readonly element = h("div", { class: "tooltip", role: "tooltip" });
  private shown = "";
  private width = 0;
  private height = 0;

  show(content: TooltipContent | null, x: number, y: number): void {
    if (content === null) {
      this.element.classList.remove("shown-now");
      return;
    }
    const key = JSON.stringify(content);
    if (key !== this.shown) {
      this.shown = key;
      this.fill(content);
      this.element.style.transform = "none"; // measured where nothing is in the way
      this.width = this.element.offsetWidth;
      this.height = this.element.offsetHeight;
    }
    const [left, top] = placeTooltip(x, y, this.width, this.height, innerWidth, innerHeight);
    this.element.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
    this.element.classList.add("shown-now");
  }

  private fill(content: TooltipContent): void {
    const rows = content.lines.flatMap(({ label, value, detail, color }) => [
      h("dt", { text: label }),
      detail === undefined
        ? h("dd", {}, color !== undefined && colored(color), clean(value))
        : h("dd", { class: "pair" }, h("span", { text: clean(value) }), h("span", { class: "detail", text: clean(detail) })),
    ]);
    this.element.replaceChildren(h("div", { class: "title", text: clean(content.title) }), h("dl", { class: "rows" }, ...rows));
  }
}

function colored(color: string): HTMLElement {
  const swatch = h("i", { class: "swatch" });
  swatch.style.background = color;
  return swatch;
}

// A short message at the bottom.
export class Toasts {
  readonly element = h("div", { class: "toasts", role: "status" });
  show(text: string): void {
    const toast = h("div", { class: "toast", text });
    while (this.element.childElementCount >= 2) this.element.firstElementChild?.remove();
    this.element.append(toast);
    setTimeout(() => toast.remove(), 2000 + 40 * text.length);
  }
}

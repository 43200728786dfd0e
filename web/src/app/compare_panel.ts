// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The panel behind "Compare": what the selection is compared with, swapped or normalized.

import type { Meta, ThreadCosts } from "../engine/api";
import { share } from "../format/cost";
import { clean } from "../format/name";
import { comparisonInWords, rangeInWords, threadName, threadsInWords } from "./describe";
import { h, icon, type Child } from "./dom";
import { closePopup, openPopup, placeBelow } from "./popup";
import { endTime } from "./state";
import type { Context, State } from "./view";

// So many threads are offered, the busiest first.
const kMostThreads = 300;

// The state with both sides exchanged; null if there is nothing to exchange.
export function swapped(state: State, meta: Meta): Partial<State> | null {
  switch (state.compare?.kind) {
    case "files":
      return { event: 1 - state.event };
    case "range":
      return { range: state.compare.range, compare: { kind: "range", range: state.range ?? [0, endTime(meta)] } };
    case "threads":
      return state.threads === null ? null : { threads: state.compare.threads, compare: { kind: "threads", threads: state.threads } };
    default:
      return null;
  }
}

// The time before the range, as long as it, or as long as there is.
export function rangeBefore(range: readonly [number, number]): [number, number] | null {
  const length = range[1] - range[0];
  return range[0] === 0 ? null : [Math.max(0, range[0] - length), range[0]];
}

export function openComparePanel(context: Context, costs: ThreadCosts, button: HTMLElement): void {
  const { state, meta } = context;
  const content = h("div", { role: "dialog", attributes: { "aria-label": "Comparison" } });
  const act = (text: string, change: Partial<State> | null, detail = "") =>
    h(
      "button",
      {
        class: "menu-item",
        attributes: { "aria-disabled": String(change === null) },
        on: {
          click: () => {
            if (change === null) return;
            closePopup();
            context.set(change);
          },
        },
      },
      h("span", { class: "text", text }),
      detail !== "" && h("span", { class: "detail", text: detail }),
    );
  const children: Child[] = [];
  if (state.compare !== null) {
    const normalize: HTMLInputElement = h("input", { attributes: { type: "checkbox" }, on: { change: () => context.set({ normalize: normalize.checked }) } });
    normalize.checked = state.normalize;
    const swap = swapped(state, meta);
    children.push(
      h("div", { class: "heading strong", text: `Compared with ${comparisonInWords(meta, state, state.compare)}` }),
      h("label", { class: "menu-item" }, normalize, h("span", { class: "text", text: "Normalize: compare shares of the total" })),
      swap !== null && h("button", { class: "menu-item", on: { click: () => (closePopup(), context.set(swap)) } }, icon("swap"), h("span", { class: "text", text: "Swap sides" })),
      act("Stop comparing", { compare: null }),
      h("hr"),
    );
  }
  if (meta.isDifference) {
    children.push(h("div", { class: "heading", text: "Files" }));
    children.push(act(`${clean(meta.sides[0] ?? "before")} → ${clean(meta.sides[1] ?? "after")}`, { compare: { kind: "files" }, event: 1, normalize: false }));
    for (const side of [0, 1]) children.push(act(`Only ${clean(meta.sides[side] ?? "")}`, { compare: null, event: side }));
  } else {
    if (meta.hasTimes) children.push(...rangeChoices(context, act));
    if (meta.threads.length > 1) children.push(...threadChoices(context, costs));
    if (!meta.hasTimes && meta.threads.length < 2) children.push(h("div", { class: "note", text: "This profile has neither times nor threads to compare. Open two files: wick view BEFORE AFTER" }));
    else children.push(h("div", { class: "note", text: "To compare two files: wick view BEFORE AFTER" }));
  }
  content.append(...children.filter((x): x is Node => x instanceof Node));
  openPopup(content, placeBelow(button), button);
}

function rangeChoices(context: Context, act: (text: string, change: Partial<State> | null, detail?: string) => HTMLElement): Child[] {
  const { state, meta } = context;
  const out: Child[] = [h("div", { class: "heading", text: "Another range of time" })];
  const { range } = state;
  if (range === null) {
    out.push(h("div", { class: "note", text: "Drag over the tracks to choose a range. Hold Ctrl while dragging to choose the range to compare with." }));
    return out;
  }
  const before = rangeBefore(range);
  out.push(act("The time before the range", before === null ? null : { compare: { kind: "range", range: before } }, before === null ? "" : rangeInWords(meta, before)));
  out.push(act("The whole recording", { compare: { kind: "range", range: [0, endTime(meta)] } }));
  out.push(act("Use this range as “before”, then drag another", { compare: { kind: "range", range: [...range] }, range: null }, rangeInWords(meta, range)));
  out.push(h("div", { class: "note", text: "Or hold Ctrl and drag over the tracks." }));
  return out;
}

function threadChoices(context: Context, costs: ThreadCosts): Child[] {
  const { state, meta } = context;
  const chosen = new Set(state.compare?.kind === "threads" ? state.compare.threads : []);
  const total = costs.weight.reduce((a, b) => a + b, 0);
  const order = meta.threads.map((_, t) => t).sort((a, b) => costs.weight[b]! - costs.weight[a]!);
  const list = h("div", { class: "pick" });
  for (const t of order.slice(0, kMostThreads)) {
    const box: HTMLInputElement = h("input", {
      attributes: { type: "checkbox" },
      on: {
        change: () => {
          if (box.checked) chosen.add(t);
          else chosen.delete(t);
          const threads = [...chosen].sort((a, b) => a - b);
          context.set({ compare: threads.length === 0 ? null : { kind: "threads", threads } });
        },
      },
    });
    box.checked = chosen.has(t);
    list.append(h("label", {}, box, h("span", { class: "text", text: threadName(meta, t) }), h("span", { class: "detail", text: share(costs.weight[t]!, total) })));
  }
  return [h("div", { class: "heading", text: `Other threads (now shown: ${threadsInWords(meta, state.threads)})` }), list];
}

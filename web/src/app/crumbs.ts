// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The trail of what is shown: everything, threads, range, transforms, comparison. A click goes back to there; × removes one alone.

import { comparisonInWords, rangeInWords, threadsInWords, transformInWords } from "./describe";
import { h, icon } from "./dom";
import type { Context, State } from "./view";

interface Crumb {
  what: string;
  name: string;
  full: string;
  back: Partial<State>; // goes back to here
  without: Partial<State>; // removes it
  kind?: "compare";
}

export class Crumbs {
  readonly element = h("ol", { class: "crumbs", attributes: { "aria-label": "Filters and transforms" } });
  private shown = "";

  constructor(private readonly context: Context) {}

  update(): void {
    const { state, meta } = this.context;
    const key = JSON.stringify([state.threads, state.range, state.transforms, state.compare, state.event]);
    if (key === this.shown) return;
    this.shown = key;
    const crumbs = crumbsOf(this.context);
    const nothing: Partial<State> = { threads: null, range: null, transforms: [], zoom: [], selected: [], compare: meta.isDifference ? state.compare : null };
    const root = h("li", {}, h("span", { class: "crumb root" }, h("button", { text: "Everything", title: "Remove all filters and transforms", on: { click: () => this.context.set(nothing) } })));
    this.element.replaceChildren(root, ...crumbs.map((crumb) => this.item(crumb)));
    requestAnimationFrame(() => (this.element.scrollLeft = this.element.scrollWidth)); // the last one is the one that was added
  }

  private item(crumb: Crumb): HTMLElement {
    const label = `${crumb.what} ${crumb.full}`.trim();
    return h(
      "li",
      {},
      h(
        "span",
        { class: `crumb ${crumb.kind ?? ""}` },
        h("button", { title: label, on: { click: () => this.context.set(crumb.back) } }, crumb.what !== "" && h("span", { class: "what", text: `${crumb.what} ` }), crumb.name),
        h("button", { class: "remove", title: `Remove: ${label}`, attributes: { "aria-label": `Remove ${label}` }, on: { click: () => this.context.set(crumb.without) } }, icon("close")),
      ),
    );
  }
}

// Paths mean something else without the transforms.
const kNoPaths: Partial<State> = { zoom: [], selected: [], opened: [] };

function crumbsOf(context: Context): Crumb[] {
  const { state, meta, symbols } = context;
  const crumbs: Crumb[] = [];
  if (state.threads !== null) {
    const name = threadsInWords(meta, state.threads);
    crumbs.push({ what: "", name: capital(name), full: name, back: { range: null, transforms: [], ...kNoPaths }, without: { threads: null } });
  }
  if (state.range !== null) {
    const name = rangeInWords(meta, state.range);
    crumbs.push({ what: "", name, full: `range ${name}`, back: { transforms: [], ...kNoPaths }, without: { range: null } });
  }
  state.transforms.forEach((transform, i) => {
    const others = state.transforms.filter((_, j) => j !== i);
    crumbs.push({ ...transformInWords(transform, meta, symbols), back: { transforms: state.transforms.slice(0, i + 1), ...kNoPaths }, without: { transforms: others, ...kNoPaths } });
  });
  if (state.compare !== null) {
    const name = comparisonInWords(meta, state, state.compare);
    crumbs.push({ what: "against", name, full: name, back: {}, without: { compare: null }, kind: "compare" });
  }
  return crumbs;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

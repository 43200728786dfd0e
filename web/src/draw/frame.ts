// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// What the drawn views share around their panes: the search, the hidden states, the bar below.

import { h, setText } from "../app/dom";
import type { Context } from "../app/view";
import { kNone, type Query } from "../engine/api";
import { strongest } from "./color";
import type { LegendEntry, SvgOptions } from "./export";
import { nameOf } from "./facts";
import { Labels } from "./labels";
import { css, theme, type Theme } from "./theme";
import type { BoxPane } from "./pane";
import type { Matches } from "./look";

// Text instead of boxes: there are none, or they could not be computed.
export class Message {
  private readonly heading = h("b");
  private readonly text = h("span");
  readonly element = h("div", { class: "empty", hidden: true, role: "status" }, this.heading, this.text);

  // Empty: hides it.
  say(heading: string, text = ""): void {
    this.element.hidden = heading === "";
    setText(this.heading, heading);
    setText(this.text, text);
  }

  noSamples(context: Context): void {
    const { state } = context;
    const filtered = state.range !== null || state.threads !== null || state.transforms.length > 0;
    const filteredText = "Widen the time range, select more threads, or remove transforms.";
    this.say("No samples", filtered ? filteredText : "The recording has no samples of this event.");
  }

  failed(what: string, error: unknown): void {
    this.say(`${what} could not be computed`, error instanceof Error ? error.message : String(error));
  }
}

// A pane with its focus ring, and the line that shows that the engine works.
export class PaneFrame {
  readonly element: HTMLElement;
  private readonly busy = h("div", { class: "busy" });

  constructor(readonly pane: BoxPane) {
    this.element = h("div", { class: "panes" }, pane.element, h("div", { class: "ring" }), this.busy);
  }

  setBusy(on: boolean): void {
    this.busy.classList.toggle("on", on);
  }
}

// Which keys match the search of the state. Asks the engine once per query and pattern.
export class SearchMatches {
  private asked = "";
  keys: Uint8Array | null = null; // by key: 1 if it matches; null without a search

  constructor(
    private readonly channel: string,
    private readonly changed: () => void,
  ) {}

  update(context: Context, query: Query, queryKey: string): void {
    const pattern = context.state.search;
    const asked = pattern === "" ? "" : `${pattern}\n${queryKey}`;
    if (asked === this.asked) return;
    this.asked = asked;
    if (pattern === "") {
      this.keys = null;
      this.changed();
      return;
    }
    context.ask("search", { query, pattern }, this.channel).then(
      ({ result }) => {
        if (this.asked !== asked) return;
        this.keys = result.keys;
        this.changed();
      },
      () => {
        // An invalid pattern: the frame says so beside its box.
        if (this.asked !== asked) return;
        this.keys = null;
        this.changed();
      },
    );
  }

  get matches(): Matches | null {
    const { keys } = this;
    return keys === null ? null : (key) => keys[key] === 1;
  }
}

// What all saved pictures have in common.
export function savedStyle(context: Context): Pick<SvgOptions, "labels" | "name" | "colors"> {
  const colors = theme(context.dark);
  const measure = document.createElement("canvas").getContext("2d")!;
  measure.font = `11px ${colors.mono}`;
  return {
    labels: new Labels((text) => measure.measureText(text).width),
    name: (key) => nameOf(context, key),
    colors: { background: colors.bg, text: colors.text, note: colors.text2, match: css(colors.match) },
  };
}

// The colors of a saved picture: of the kinds of code in it, or of a comparison.
export function savedLegend(context: Context, keys: Uint32Array, comparison: boolean): LegendEntry[] {
  const { meta, symbols, dark } = context;
  const colors = theme(dark);
  if (comparison) {
    return [
      { fill: css(strongest(-1, colors)), text: "less than before" },
      { fill: css(colors.noise), text: "within sampling noise" },
      { fill: css(strongest(1, colors)), text: "more than before" },
      { fill: css(strongest(-1, colors)), text: "gone", hatched: true },
    ];
  }
  const used = new Set<number>();
  for (const key of keys) if (key !== kNone && symbols.isFunction(key)) used.add(symbols.kind(key));
  const palette = dark ? meta.palette.dark : meta.palette.light;
  return [...used]
    .sort((a, b) => a - b)
    .map((kind) => ({ fill: palette[kind]?.[Math.floor((palette[kind]?.length ?? 0) / 2)] ?? "#999", text: meta.kinds[kind] ?? "" }));
}

// Swatches that explain marks: of comparisons, and of inlined functions.
export function legendItems(colors: Theme, comparison: boolean): HTMLElement[] {
  const items: HTMLElement[] = [];
  const add = (style: Partial<CSSStyleDeclaration>, text: string, title: string) => {
    const swatch = h("i", { attributes: { "aria-hidden": "true" } });
    Object.assign(swatch.style, style);
    items.push(h("span", { class: "key", title }, swatch, text));
  };
  if (comparison) {
    const strength = "The stronger the color, the larger the relative change.";
    const width = "The width of a box is its cost before plus its cost after.";
    add({ background: css(strongest(-1, colors)) }, "less", `Less cost than before. ${strength}`);
    add({ background: css(colors.noise) }, "noise", `Sampling noise can explain the difference. ${width}`);
    add({ background: css(strongest(1, colors)) }, "more", `More cost than before. ${strength}`);
    const hatched = `repeating-linear-gradient(135deg, transparent 0 3px, ${colors.bg} 3px 4.2px), ${css(strongest(-1, colors))}`;
    add({ background: hatched }, "gone", "Had cost before, has none after.");
  }
  const dashes = `repeating-linear-gradient(${colors.text2} 0 2.4px, transparent 2.4px 4.8px) 0 0 / 2px 100% no-repeat`;
  add({ background: `${dashes}, ${css(colors.noise)}` }, "inlined", "Inlined into its caller, in at least one call");
  return items;
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The foot of the page: the colors of kinds of code, and what the recording lacks.

import { clean } from "../format/name";
import { comparisonInWords, selectionInWords } from "./describe";
import { h, setText } from "./dom";
import type { Context } from "./view";

export class Legend {
  private readonly kinds = h("ul", { class: "legend", attributes: { "aria-label": "Colors of boxes" } });
  private readonly notes = h("button", { class: "link notes", title: "Show the summary of the recording" });
  readonly element = h("footer", { class: "footer" }, this.kinds, this.notes);
  private shown = "";
  private readonly used: boolean[] = [];

  constructor(private readonly context: Context) {
    const { meta, symbols } = context;
    for (let key = 0; key < symbols.functions; ++key) this.used[symbols.kind(key)] = true;
    const note = meta.warnings[0] ?? "";
    this.notes.hidden = note === "";
    setText(this.notes, clean(note));
    this.notes.addEventListener("click", () => context.set({ view: "quality" }));
  }

  update(): void {
    const { meta, dark, query, state } = this.context;
    const byChange = query.base !== null && (state.view === "flame" || state.view === "around");
    const compared = byChange && state.compare !== null ? `${comparisonInWords(meta, state, state.compare)} → ${selectionInWords(meta, state)}` : "";
    const key = `${dark}|${byChange}|${compared}|${state.normalize}`;
    if (key === this.shown) return;
    this.shown = key;
    const palette = dark ? meta.palette.dark : meta.palette.light;
    // Boxes of a comparison are colored by their change.
    const kinds = byChange ? [] : meta.kinds.map((name, kind) => ({ name, shades: palette[kind] ?? [] })).filter((_, kind) => this.used[kind]);
    this.kinds.replaceChildren(
      ...(compared === "" ? [] : [h("li", { text: `Change: ${compared}${state.normalize ? ", normalized" : ""}` })]),
      ...kinds.map(({ name, shades }) => {
        const swatch = h("i", { class: "swatch" });
        swatch.style.background = shades[Math.floor(shades.length / 2)] ?? "#999";
        return h("li", {}, swatch, clean(name));
      }),
    );
  }
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The search box: a regular expression, its share of the costs, next and previous match.

import { countOf, share } from "../format/cost";
import { compilePattern } from "../format/pattern";
import { h, icon, setText } from "./dom";
import type { Context } from "./view";

export class SearchBox {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly result = h("span", { class: "result", role: "status" });
  private readonly buttons: HTMLButtonElement[];
  private typed = false; // within one movement of typing
  private asked = "";

  constructor(
    private readonly context: Context,
    private readonly step: (direction: 1 | -1) => void,
  ) {
    this.input = h("input", {
      attributes: { type: "search", placeholder: "Search functions (regular expression)", "aria-label": "Search functions", spellcheck: "false", autocomplete: "off" },
      on: {
        input: () => this.type(),
        focus: () => (this.typed = false),
        blur: () => (this.typed = false),
        keydown: (event) => this.key(event),
      },
    });
    const button = (name: "previous" | "next" | "close", title: string, run: () => void) =>
      h("button", { class: "button icon-only", title, hidden: true, attributes: { "aria-label": title }, on: { click: run } }, icon(name));
    this.buttons = [
      button("previous", "Previous match (N)", () => step(-1)),
      button("next", "Next match (n)", () => step(1)),
      button("close", "Clear the search (Esc)", () => this.clear()),
    ];
    this.element = h("div", { class: "search", role: "search" }, icon("search"), this.input, this.result, ...this.buttons);
  }

  focus(): void {
    this.input.focus();
    this.input.select();
  }

  clear(): void {
    this.input.value = "";
    this.showInvalid("");
    if (this.context.state.search !== "") this.context.set({ search: "" });
    this.update();
  }

  private type(): void {
    const text = this.input.value;
    const why = text === "" ? "" : reason(text);
    this.showInvalid(why);
    if (why !== "") return;
    this.context.set({ search: text }, this.typed ? "replace" : "push");
    this.typed = true;
  }

  private key(event: KeyboardEvent): void {
    if (event.key === "Enter") {
      this.step(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      if (this.input.value === "") this.input.blur();
      else this.clear();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private showInvalid(text: string): void {
    this.element.classList.toggle("invalid", text !== "");
    this.input.setAttribute("aria-invalid", String(text !== ""));
    if (text !== "") {
      this.asked = ""; // the answer that was there has to come again
      setText(this.result, text);
      this.result.title = text;
    }
  }

  update(): void {
    const { state, query } = this.context;
    const invalid = this.element.classList.contains("invalid");
    if (!invalid && this.input.value !== state.search) this.input.value = state.search;
    for (const button of this.buttons) button.hidden = this.input.value === "";
    if (invalid) return;
    if (state.search === "") {
      this.asked = "";
      setText(this.result, "");
      this.result.title = "";
      return;
    }
    const key = JSON.stringify([query, state.search]);
    if (key === this.asked) return;
    this.asked = key;
    this.context.ask("search", { query, pattern: state.search }, "search-box").then(
      ({ result, totals }) => {
        if (this.context.state.search === "" || this.element.classList.contains("invalid")) return;
        const before = query.base === null ? "" : `${share(result.baseWeight, totals.baseWeight)} → `;
        const functions = countOf(result.functions, "function");
        setText(this.result, result.functions === 0 ? "no match" : `${before}${share(result.weight, totals.weight)} in ${functions}`);
        this.result.title = `${functions} match; samples with one of them are ${share(result.weight, totals.weight)} of what is shown`;
      },
      (error: Error) => {
        if (key !== this.asked) return;
        setText(this.result, error.message);
        this.result.title = error.message;
      },
    );
  }
}

// Why a pattern is not valid, without the pattern itself. Empty: it is.
function reason(pattern: string): string {
  try {
    compilePattern(pattern);
    return "";
  } catch (error) {
    return `invalid: ${(error as Error).message.replace("not a regular expression: ", "").toLowerCase()}`;
  }
}

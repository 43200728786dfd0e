// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The sheet with all keys.

import { kTitles } from "./describe";
import { h, icon } from "./dom";
import { kViews } from "./state";

interface Section {
  title: string;
  keys: [string, string][]; // keys separated by spaces; what they do
}

const kSections: Section[] = [
  { title: "Views", keys: kViews.map((view, i) => [String(i + 1), kTitles[view]]) },
  {
    title: "Search",
    keys: [["/", "Search with a regular expression; case matters if it has a capital letter"], ["n N", "Next, previous match"], ["g", "Keep only samples that match"], ["Esc", "Clear the search"]],
  },
  {
    title: "The selected function",
    keys: [
      ["f", "Focus on the function"], ["F", "Focus on this subtree"], ["S", "Focus on its self time"], ["m", "Merge into its callers"], ["M", "Merge this node alone"],
      ["d", "Drop samples with it"], ["c", "Collapse what it calls"], ["r R", "Collapse recursion, direct recursion"], ["C", "Collapse its library"],
      ["Enter", "Zoom, or open"], ["Shift F10", "Menu with all actions"],
    ],
  },
  {
    title: "Flame graph, call tree",
    keys: [["← ↑ ↓ →", "Move between functions"], ["i", "Invert: from the leaves to their callers"], ["Esc", "Zoom out, deselect"], ["0", "Reset the zoom"], ["Ctrl wheel", "Zoom at the pointer"], ["drag", "Pan"], ["*", "Open all rows below (call tree)"]],
  },
  { title: "Stack chart", keys: [["w s", "Zoom in, out"], ["a d", "Move in time"], ["Ctrl wheel", "Zoom at the pointer"], ["Shift drag", "Choose a range"], ["0", "Reset the zoom"]] },
  {
    title: "Time and threads",
    keys: [
      ["drag", "Choose a range on the tracks"], ["Ctrl drag", "Choose the range to compare with"], ["click", "Choose a thread"], ["Ctrl click", "Add a thread"],
      ["← →", "Move the range (time axis)"], ["Shift ← →", "Resize it"], ["Enter", "Zoom the tracks to the range"], ["Esc", "Clear the range"],
    ],
  },
  {
    title: "Page",
    keys: [["Alt ←", "Undo (browser's back)"], ["Alt →", "Redo (browser's forward)"], ["y", "Copy the view as text"], ["t", "Fold or unfold tracks"], ["?", "This sheet"]],
  },
];

export class Help {
  readonly element: HTMLDialogElement;

  constructor() {
    const close = h("button", { class: "button icon-only", title: "Close (Esc)", attributes: { "aria-label": "Close" }, on: { click: () => this.element.close() } }, icon("close"));
    const sections = kSections.map(({ title, keys }) =>
      h(
        "section",
        {},
        h("h3", { text: title }),
        h("dl", { class: "keys" }, ...keys.flatMap(([key, text]) => [h("dt", {}, ...key.split(" ").map((x) => h("kbd", { text: x }))), h("dd", { text })])),
      ),
    );
    this.element = h("dialog", { class: "sheet", attributes: { "aria-labelledby": "help-title" } }, h("header", {}, h("h2", { id: "help-title", text: "Keyboard and mouse" }), close), h("div", { class: "columns" }, ...sections));
    this.element.addEventListener("click", (event) => {
      if (event.target === this.element) this.element.close(); // beside the sheet
    });
    this.element.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "?") this.element.close();
    });
  }

  toggle(): void {
    if (this.element.open) this.element.close();
    else this.element.showModal();
  }
}

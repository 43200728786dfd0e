// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The page around the views. It has the state, gives it to all parts, and is the context of the views.

import type { Answer, Ask, Code, Meta, Query, RequestKind, ThreadCosts, Transform } from "../engine/api";
import { clean, shortName, shownName } from "../format/name";
import { escaped } from "../format/pattern";
import { kNodeKeys, kTransformKeys, nodeActions, targetPath } from "./actions";
import type { Client } from "./client";
import { openComparePanel } from "./compare_panel";
import { sumOf, threadCosts } from "./costs";
import { Crumbs } from "./crumbs";
import { kTitles, sentence } from "./describe";
import { h, icon, perFrame, setText } from "./dom";
import { Help } from "./help";
import { UrlHistory } from "./history";
import { Legend } from "./legend";
import { Alive, hasServer, loadCode } from "./load";
import { closePopup, openMenu, placeBelow, type MenuEntry } from "./popup";
import { copyText, fileName, pngBlob, saveFile, svgBlob } from "./save";
import { SearchBox } from "./search_box";
import { changed, defaultState, endTime, firstThreads, kViews, pathAfter, queryOf } from "./state";
import type { Symbols } from "./symbols";
import type { ThemeSwitch } from "./theme";
import { Toasts, Tooltip } from "./tooltip";
import { Tracks } from "./tracks";
import { decodeState, encodeState, type Limits } from "./url";
import type { Context, State, TooltipContent, View, ViewName } from "./view";
import { makeViews } from "./views";

export class App implements Context {
  state: State;
  query: Query;
  private readonly defaults: State;
  private readonly limits: Limits;
  private readonly history: UrlHistory;
  private readonly views = new Map<ViewName, View>();
  private readonly tabs = new Map<ViewName, HTMLButtonElement>();
  private readonly search: SearchBox;
  private readonly tracks: Tracks;
  private readonly crumbs: Crumbs;
  private readonly legend: Legend;
  private readonly help = new Help();
  private readonly tip = new Tooltip();
  private readonly toasts = new Toasts();
  private readonly sentence = h("p", { class: "sentence", id: "what-is-shown" });
  private readonly live = h("div", { class: "hidden-text", role: "status" });
  private readonly content = h("div", { class: "view", role: "tabpanel", id: "view" });
  private readonly banner = h("div", { class: "banner", role: "alert", hidden: true });
  private readonly eventButton: HTMLButtonElement;
  private readonly compareButton: HTMLButtonElement;
  private readonly saveButton: HTMLButtonElement;
  private readonly themeButton: HTMLButtonElement;
  private readonly invertButton: HTMLButtonElement;
  private readonly alive: Alive | null;
  private readonly schedule = perFrame(() => this.render());
  private shownView: View | null = null;
  private sentenceKey = "";
  private isSlow = false;
  private liveTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly root: HTMLElement,
    private readonly client: Client,
    private readonly theme: ThemeSwitch,
    readonly meta: Meta,
    readonly symbols: Symbols,
    private readonly costs: ThreadCosts,
  ) {
    this.defaults = defaultState(meta);
    this.limits = {
      events: meta.events.length, threads: meta.threads.length, keys: symbols.functions + meta.groups.length + meta.modules.length,
      modules: meta.modules.length, end: endTime(meta), isDifference: meta.isDifference,
    };
    this.history = new UrlHistory((fragment) => this.setState(decodeState(fragment, this.defaults, this.limits)));
    const fragment = location.hash.slice(1);
    this.state = fragment === "" ? this.firstState() : decodeState(fragment, this.defaults, this.limits);
    this.query = queryOf(this.state, meta);
    this.history.write(encodeState(this.state, this.defaults), "replace");

    for (const view of makeViews()) this.views.set(view.name, view);
    this.search = new SearchBox(this, (direction) => this.step(direction));
    this.tracks = new Tracks(this, costs);
    this.crumbs = new Crumbs(this);
    this.legend = new Legend(this);
    this.themeButton = this.button("auto", "Theme", () => this.theme.next());
    theme.changed = () => this.schedule();
    this.eventButton = this.button("event", "Event", () => this.openEvents(), true);
    this.compareButton = this.button("compare", "Compare", () => openComparePanel(this, this.costs, this.compareButton), true);
    this.saveButton = this.button("save", "Save", () => this.openSave(), true);
    this.invertButton = h("button", { class: "button small framed", text: "Inverted", title: "From the functions where samples end to their callers (i)", on: { click: () => this.set({ inverted: !this.state.inverted }) } });
    this.build();
    document.title = `${clean(meta.title)} – wick`;
    addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.schedule()).observe(this.content);
    client.failed = (message) => this.showBanner(`The page cannot compute further views: ${message}`, "Reload", () => location.reload());
    client.slow = (isSlow) => this.showSlow(isSlow);
    this.alive = hasServer ? new Alive(() => this.serverGone(), () => (this.banner.hidden = true)) : null;
    this.render();
  }

  private firstState(): State {
    return { ...this.defaults, threads: this.meta.isDifference ? null : firstThreads(this.meta, this.costs.weight) };
  }

  // Context

  get dark(): boolean {
    return this.theme.dark;
  }

  set(change: Partial<State>, how: "push" | "replace" = "push"): void {
    const next = changed(this.state, change);
    this.setState(next);
    this.history.write(encodeState(next, this.defaults), how);
  }

  transform(transform: Transform): void {
    const { state } = this;
    const last = state.transforms[state.transforms.length - 1];
    if (last !== undefined && JSON.stringify(last) === JSON.stringify(transform)) return;
    this.set({
      transforms: [...state.transforms, transform],
      selected: pathAfter(state.selected, transform),
      zoom: transform.op.startsWith("focus") ? [] : pathAfter(state.zoom, transform),
      opened: [],
      view: state.view === "heat" || state.view === "quality" ? "flame" : state.view,
    });
  }

  ask<K extends RequestKind>(kind: K, ask: Ask<K>, channel?: string): Promise<Answer<K>> {
    return this.client.ask(kind, ask, channel);
  }

  fetchCode(key: number): Promise<Code> {
    return loadCode(key, this.alive?.isGone === true);
  }

  tooltip(content: TooltipContent | null, x: number, y: number): void {
    this.tip.show(content, x, y);
  }

  toast(text: string): void {
    this.toasts.show(text);
  }

  menu(path: readonly number[], x: number, y: number): void {
    const key = path[path.length - 1];
    if (key === undefined) return;
    this.tooltip(null, 0, 0);
    const name = this.symbols.name(key);
    const actions = nodeActions(path, this.state, this.meta, this.symbols);
    const entries: MenuEntry[] = [{ heading: shortName(name), strong: true }];
    let group = "";
    for (const action of actions) {
      if (group !== "" && action.group !== group) entries.push("line");
      group = action.group;
      entries.push({ text: action.text, ...(action.key === "" ? {} : { key: action.key }), run: () => this.transform(action.transform) });
    }
    if (actions.length > 0) {
      entries.push("line");
      if (this.symbols.isFunction(key)) {
        entries.push(
          { text: "Callers and callees", key: "5", run: () => this.set({ view: "around", key }) },
          { text: "Source and assembly", key: "6", disabled: !this.meta.hasSource, run: () => this.set({ view: "code", key }) },
        );
      }
    }
    entries.push(
      { text: "Search for this name", run: () => this.set({ search: escapePattern(name) }) },
      "line",
      { text: "Copy name", run: () => this.copy(shownName(name), "name") },
      { text: "Copy stack", disabled: path.length < 2, run: () => this.copy(path.map((x) => shownName(this.symbols.name(x))).join("\n"), "stack") },
    );
    openMenu(`Actions for ${shortName(name)}`, entries, { x, y });
  }

  // Drawing

  private setState(state: State): void {
    this.state = state;
    this.query = queryOf(state, this.meta);
    this.schedule();
  }

  private render(): void {
    const { state } = this;
    const view = this.views.get(state.view)!;
    if (view !== this.shownView) this.showView(view);
    this.renderHeader();
    this.tracks.update();
    this.search.update();
    this.crumbs.update();
    this.legend.update();
    this.updateSentence();
    view.update(this);
  }

  private showView(view: View): void {
    this.tooltip(null, 0, 0);
    const hadFocus = this.content.contains(document.activeElement);
    this.content.replaceChildren(view.element);
    this.content.setAttribute("aria-labelledby", `tab-${view.name}`);
    for (const [name, tab] of this.tabs) {
      tab.setAttribute("aria-selected", String(name === view.name));
      tab.tabIndex = name === view.name ? 0 : -1;
    }
    this.shownView = view;
    if (hadFocus) this.focusView();
  }

  private focusView(): void {
    this.content.querySelector<HTMLElement>("[tabindex='0']")?.focus({ preventScroll: true });
  }

  private renderHeader(): void {
    const event = this.meta.events[this.state.event];
    const label = this.eventButton.querySelector("span");
    if (label !== null) setText(label, clean(event?.name ?? ""));
    this.compareButton.setAttribute("aria-pressed", String(this.state.compare !== null));
    this.invertButton.hidden = this.state.view !== "tree"; // the flame graph has its own
    this.invertButton.setAttribute("aria-pressed", String(this.state.inverted));
    const { theme } = this.theme;
    if (this.themeButton.dataset["theme"] !== theme) {
      this.themeButton.dataset["theme"] = theme;
      this.themeButton.replaceChildren(icon(theme));
      this.themeButton.title = `Theme: ${theme === "auto" ? "as the system" : theme}`;
      this.themeButton.setAttribute("aria-label", this.themeButton.title);
    }
  }

  // The line that says what is shown; with transforms, the engine knows what is left.
  private updateSentence(): void {
    const { state, query, meta } = this;
    const key = JSON.stringify([query, state.view]);
    if (key === this.sentenceKey) return;
    this.sentenceKey = key;
    const all = meta.events[state.event]?.weight ?? 0;
    const answer =
      query.base === null && query.transforms.length === 0
        ? threadCosts(this.ask.bind(this), meta, state.event, state.range, "sentence").then((costs) => ({ ...sumOf(costs, state.threads), baseWeight: 0 }))
        : this.ask("totals", { query }, "sentence");
    answer.then(
      ({ weight, samples, baseWeight }) => {
        const text = sentence(meta, state, { weight, samples, baseWeight, all });
        setText(this.sentence, text);
        this.sentence.title = text;
        clearTimeout(this.liveTimer);
        this.liveTimer = setTimeout(() => setText(this.live, text), 700);
      },
      (error: Error) => setText(this.sentence, error.message),
    );
  }

  // Actions

  private button(name: Parameters<typeof icon>[0], label: string, run: () => void, withText = false): HTMLButtonElement {
    return h(
      "button",
      { class: `button${withText ? "" : " icon-only"}`, title: label, attributes: withText ? { "aria-haspopup": "true", "aria-expanded": "false" } : { "aria-label": label }, on: { click: run } },
      icon(name),
      withText && h("span", { text: label }),
    );
  }

  private build(): void {
    const { meta } = this;
    const title = meta.title !== "" ? meta.title : meta.command.join(" ");
    this.eventButton.hidden = meta.isDifference || meta.events.length < 2;
    this.eventButton.title = "Event that is shown";
    this.compareButton.title = "Compare with another range, other threads or another file";
    this.saveButton.title = "Save a picture, copy as text";
    const header = h(
      "header",
      { class: "header" },
      h("span", { class: "brand", text: "wick" }),
      h("h1", { class: "title", text: clean(title), title: clean(meta.command.join(" ") || title) }),
      this.search.element,
      this.eventButton,
      this.compareButton,
      this.saveButton,
      this.themeButton,
      this.button("help", "Keys and help (?)", () => this.help.toggle()),
    );
    const list = h("div", { class: "tablist", role: "tablist", attributes: { "aria-label": "Views" }, on: { keydown: (event) => this.tabKey(event) } });
    kViews.forEach((name, i) => {
      const view = this.views.get(name);
      if (view === undefined) return;
      const label = h("span", { class: "label", text: kTitles[name] });
      label.dataset["title"] = kTitles[name];
      const timeless = !meta.hasTimes && (name === "chart" || name === "heat");
      const tab = h(
        "button",
        { class: `tab${timeless ? " timeless" : ""}`, role: "tab", id: `tab-${name}`, tabIndex: -1, title: timeless ? "This profile has no times" : `${kTitles[name]} (${i + 1})`, attributes: { "aria-controls": "view", "aria-selected": "false" }, on: { click: () => this.set({ view: name }) } },
        label,
      );
      this.tabs.set(name, tab);
      list.append(tab);
    });
    const page = h(
      "div",
      { class: "page" },
      header,
      this.banner,
      this.tracks.element,
      h("nav", { class: "tabs", attributes: { "aria-label": "Views" } }, list, h("div", { class: "tools" }, this.invertButton)),
      h("main", { class: "main" }, h("div", { class: "shown" }, this.crumbs.element, this.sentence), this.content),
      this.legend.element,
    );
    this.root.replaceChildren(page, this.live, this.tip.element, this.toasts.element, this.help.element);
  }

  private tabKey(event: KeyboardEvent): void {
    const names = [...this.tabs.keys()];
    const at = names.indexOf(this.state.view);
    const to = event.key === "ArrowRight" ? at + 1 : event.key === "ArrowLeft" ? at - 1 : event.key === "Home" ? 0 : event.key === "End" ? -1 : null;
    if (to === null) return;
    const name = names[(to + names.length) % names.length]!;
    this.set({ view: name });
    this.tabs.get(name)!.focus();
    event.preventDefault();
    event.stopPropagation();
  }

  private openEvents(): void {
    const entries: MenuEntry[] = this.meta.events.map((event, i) => ({
      text: clean(event.name),
      detail: event.unit,
      checked: i === this.state.event,
      run: () => this.set({ event: i }),
    }));
    openMenu("Event", entries, placeBelow(this.eventButton), this.eventButton);
  }

  private openSave(): void {
    const view = this.views.get(this.state.view)!;
    const entries: MenuEntry[] = [
      { text: "Copy as text", key: "y", disabled: view.text === undefined, run: () => this.copyView() },
      { text: "Save picture as SVG", disabled: view.svg === undefined, run: () => this.savePicture("svg") },
      { text: "Save picture as PNG", disabled: view.svg === undefined, run: () => this.savePicture("png") },
      { text: "Copy link to this view", run: () => this.copy(location.href, "link") },
    ];
    if (hasServer) entries.push("line", { text: "Quit wick view", disabled: this.alive?.isGone === true, run: () => this.quit() });
    openMenu("Save", entries, placeBelow(this.saveButton), this.saveButton);
  }

  private copyView(): void {
    const view = this.views.get(this.state.view)!;
    if (view.text === undefined) this.toast(`${kTitles[view.name]} has no text to copy`);
    else this.copy(view.text(this), "view as text");
  }

  private copy(text: string, what: string): void {
    copyText(text).then(
      () => this.toast(`Copied the ${what}`),
      (error: Error) => this.toast(`Cannot copy: ${error.message}`),
    );
  }

  private savePicture(format: "svg" | "png"): void {
    const view = this.views.get(this.state.view)!;
    const svg = view.svg?.(this);
    if (svg === undefined) return;
    const name = fileName(this.meta.title, view.name, format);
    const blob = format === "svg" ? Promise.resolve(svgBlob(svg)) : pngBlob(svg);
    blob.then(
      (content) => saveFile(name, content),
      (error: Error) => this.toast(`Cannot save the picture: ${error.message}`),
    );
  }

  private quit(): void {
    fetch("quit", { method: "POST" }).catch(() => undefined);
  }

  private step(direction: 1 | -1): void {
    const view = this.views.get(this.state.view)!;
    if (this.state.search === "") this.search.focus();
    else view.step?.(direction, this);
  }

  private serverGone(): void {
    this.showBanner("wick view has ended. This page still works, except for source and assembly.", "Try again", () => {
      this.showBanner("Looking for wick view…");
      this.alive?.again();
    });
  }

  // Views rarely take more than a second. If one does, the user can go back to the whole profile.
  private showSlow(isSlow: boolean): void {
    if (!isSlow) {
      if (this.isSlow) this.banner.hidden = true;
      this.isSlow = false;
      return;
    }
    this.isSlow = true;
    this.showBanner("This view takes unusually long to compute.", "Stop, and show the whole profile", () => {
      location.hash = encodeState(this.defaults, this.defaults);
      location.reload();
    });
  }

  private showBanner(text: string, action = "", run: () => void = () => undefined): void {
    this.banner.replaceChildren(
      icon("warning"),
      h("span", { text }),
      ...(action === "" ? [] : [h("button", { class: "button small framed", text: action, on: { click: run } })]),
      h("button", { class: "button icon-only small", title: "Hide", attributes: { "aria-label": "Hide" }, on: { click: () => (this.banner.hidden = true) } }, icon("close")),
    );
    this.banner.hidden = false;
  }

  // Keys: the view first, then those of the page. In text boxes, none.
  private key(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.isComposing) return;
    const target = event.target as HTMLElement;
    const typing = target instanceof HTMLInputElement ? target.type !== "checkbox" : target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
    if (typing || target.closest(".popup, dialog") !== null) return;
    const view = this.views.get(this.state.view)!;
    if (!event.ctrlKey && !event.metaKey && !event.altKey && this.pageKey(event)) return event.preventDefault();
    const onControl = target instanceof HTMLButtonElement && (event.key === "Enter" || event.key === " ");
    if (!onControl && view.key?.(event, this) === true) return event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.actionKey(event.key)) event.preventDefault();
  }

  private pageKey(event: KeyboardEvent): boolean {
    const digit = /^[1-8]$/.test(event.key) ? Number(event.key) - 1 : -1;
    if (digit >= 0) this.set({ view: kViews[digit]! });
    else if (event.key === "/") this.search.focus();
    else if (event.key === "?") this.help.toggle();
    else if (event.key === "n") this.step(1);
    else if (event.key === "N") this.step(-1);
    else if (event.key === "Escape" && closePopup()) return true;
    else return false;
    return true;
  }

  private actionKey(key: string): boolean {
    const { state } = this;
    if (key === "i") this.set({ inverted: !state.inverted });
    else if (key === "y") this.copyView();
    else if (key === "t") this.tracks.fold(!this.tracks.isFolded);
    else if (key === "g") {
      if (state.search === "") this.toast("Search for something first");
      else this.transform({ op: "keep-matching", pattern: state.search });
    } else if (key === "Escape") {
      if (state.search !== "") this.search.clear();
      else if (state.selected.length > 0) this.set({ selected: [] });
      else return this.tracks.clearRange();
    } else if (key.length === 1 && kTransformKeys.includes(key)) {
      const action = nodeActions(targetPath(state), state, this.meta, this.symbols).find((x) => x.key === key);
      if (action !== undefined) this.transform(action.transform);
      else if (targetPath(state).length === 0) this.toast("Select a function first");
      else this.toast(kNodeKeys.includes(key) ? "Select a node in the flame graph or call tree first" : "Not possible for this one");
    } else return false;
    return true;
  }
}

function escapePattern(name: string): string {
  return name.length > 500 ? escapePattern(name.slice(0, 500)) : `^${escaped(name)}`;
}

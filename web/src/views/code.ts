// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Source and assembly of one function, side by side, with the cost of each line and instruction. A click on one marks what belongs to
// it on the other side. What is inlined into a line can be opened below it.

import { addStyle, h, type Child } from "../app/dom";
import type { Context, View } from "../app/view";
import type { Answer, Code, Query, Totals } from "../engine/api";
import { change, cost, scaled, scaledChange, scaleFor, share } from "../format/cost";
import { baseName, clean, cleanLine, shortName, shortSource, shownName } from "../format/name";
import { shownAddress } from "../format/number";
import css from "./code.css";
import {
  beginsInComment,
  canFold,
  hasCost,
  hotFolds,
  hottest,
  joinCode,
  layOutJumps,
  mergeCosts,
  tokens,
  unfolded,
  verdictsOf,
  type AddressCost,
  type AssemblyRow,
  type Costs,
  type Jumps,
  type LineCost,
  type SourceRow,
  type Token,
} from "./code_rows";
import { isComparison, unitOf } from "./columns";
import { matches, searchPattern } from "./rows";
import { kRowHeight, Note, Table, type Column } from "./table";

const kLanes = 7;
const kLaneWidth = 7;
const kCodesKept = 16;
const kOpenPart = 0.03; // of the function's cost, from which on inlined code is open
const kNoCode: Code = { name: "", module: "", rows: [], instructions: [], notes: [] };
const kNoTotals: Totals = { weight: 0, samples: 0, baseWeight: 0, baseSamples: 0 };
const kNoJumps: Jumps = { lanes: 0, from: [], to: [], at: new Int32Array() };

// Rows of both tables are numbers: of `source` and `assembly`.
export class CodeView implements View {
  readonly name = "code" as const;
  readonly title = "Source";
  readonly element: HTMLElement;
  private readonly left: Table<number>;
  private readonly right: Table<number>;
  private readonly head = h("div", { class: "code-head" });
  private readonly notes = h("div", { class: "code-notes", hidden: true });
  private readonly panes: HTMLElement;
  private readonly note = new Note();
  private readonly codes = new Map<number, Code>();
  private context!: Context;
  private asked = "";
  private shownKey = -1;
  private totals = kNoTotals;
  private source: SourceRow[] = [];
  private assembly: AssemblyRow[] = [];
  private shown: number[] = []; // source rows that are not folded away
  private open = new Set<number>(); // source rows
  private colors: (Token[] | null)[] = []; // by source row
  private jumps = kNoJumps;
  private pattern: RegExp | null = null;
  private atRight = false; // which side has the cursor
  private chosen = -1; // source row
  private linkedLines = new Set<number>();
  private linkedCode = new Set<number>();
  private most = { self: 0, total: 0, code: 0 };
  private sum = { self: 0, baseSelf: 0 }; // of the function
  private comparesCode = false; // instructions have costs of before, too
  private verdicts: { source: Int8Array; assembly: Int8Array } = { source: new Int8Array(), assembly: new Int8Array() };
  private longest = 0; // width of the longest line, in pixels

  constructor() {
    addStyle(css);
    this.left = new Table<number>({
      label: "Source",
      tree: (i) => ({ level: this.source[i]!.depth + 1, open: canFold(this.source[i]!, i) ? this.open.has(i) : null }),
      rowClass: (i) => `row-${this.source[i]!.kind}${this.linkedLines.has(i) ? " linked" : ""}`,
      select: (index) => this.chooseLine(this.shown[index]!),
      activate: (index) => this.toggle(this.shown[index]!) || this.cross(true),
      toggle: (index) => this.toggle(this.shown[index]!),
      hover: (index, x, y) => this.hover(index < 0 ? null : this.source[this.shown[index]!]!, x, y),
    });
    this.right = new Table<number>({
      label: "Assembly",
      rowClass: (i) =>
        `${this.assembly[i]!.self === 0 && this.assembly[i]!.baseSelf === 0 ? "row-cold" : ""}${this.linkedCode.has(i) ? " linked" : ""}`,
      select: (index) => this.chooseInstruction(index),
      activate: (index) => this.followJump(index),
      hover: (index, x, y) => this.hover(index < 0 ? null : this.assembly[index]!, x, y),
    });
    this.left.element.classList.add("source");
    this.right.element.classList.add("assembly");
    this.left.element.addEventListener("focusin", () => (this.atRight = false));
    this.right.element.addEventListener("focusin", () => (this.atRight = true));
    this.panes = h("div", { class: "code-panes" }, this.left.element, this.right.element, this.note.element);
    this.element = h("div", { class: "code-view" }, this.head, this.notes, this.panes);
  }

  update(context: Context): void {
    this.context = context;
    const { state } = context;
    this.pattern = searchPattern(state.search);
    const last = state.selected[state.selected.length - 1];
    const key = state.key >= 0 ? state.key : last !== undefined && context.symbols.isFunction(last) ? last : -1;
    const asked = JSON.stringify([key, { ...context.query, inverted: false }]);
    if (asked !== this.asked) {
      this.asked = asked;
      void this.load(context, key);
    } else {
      if (this.shownKey >= 0) this.showHead();
      this.show();
    }
  }

  key(event: KeyboardEvent): boolean {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
    const table = this.active();
    const at = table === this.left ? this.shown[table.selected] : undefined;
    if (plain && at !== undefined && event.key === "ArrowRight" && canFold(this.source[at]!, at) && !this.open.has(at))
      return this.toggle(at);
    if (plain && at !== undefined && event.key === "ArrowLeft") {
      if (this.open.has(at)) return this.toggle(at);
      const parent = this.around(at)[0];
      if (parent !== undefined) this.left.choose(this.shown.indexOf(parent));
      return true;
    }
    if (plain && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      this.cross(event.key === "ArrowRight");
      return true;
    }
    return table.key(event);
  }

  text(): string {
    const parts = [shownName(this.context.symbols.name(this.shownKey))];
    if (this.source.length > 0) parts.push(this.left.text());
    if (this.assembly.length > 0) parts.push(this.right.text());
    return parts.join("\n\n");
  }

  step(direction: 1 | -1): void {
    const { pattern } = this;
    if (pattern === null) return;
    const table = this.active();
    const texts = table === this.right ? this.assembly.map(assemblyText) : this.shown.map((i) => sourceText(this.source[i]!));
    for (let i = 1; i <= texts.length; ++i) {
      const index = (((Math.max(0, table.selected) + direction * i) % texts.length) + texts.length) % texts.length;
      if (matches(texts[index]!, pattern).length > 0) {
        table.choose(index);
        return;
      }
    }
    this.context.toast("No match in this code");
  }

  private active(): Table<number> {
    return this.source.length === 0 || (this.atRight && this.assembly.length > 0) ? this.right : this.left;
  }

  private async load(context: Context, asked: number): Promise<void> {
    const query: Query = { ...context.query, inverted: false, base: null };
    const signature = this.asked;
    if (asked < 0 || this.shownKey !== asked) this.note.later("Loading…");
    this.panes.classList.add("stale");
    try {
      let key = asked;
      if (key < 0) {
        const { rows } = await context.ask(
          "functions",
          { query, sort: "self", descending: true, pattern: "", limit: 1 },
          "code-hottest",
        );
        if (signature !== this.asked) return;
        if (rows.count === 0) return this.fail("Nothing to show", "The selection has no samples of this event.");
        key = rows.key[0]!;
      }
      if (!context.symbols.isFunction(key))
        return this.fail("Select a function", `${shownName(context.symbols.name(key))} is not a function and has no source.`);
      const base = context.query.base;
      const [now, before, code] = await Promise.all([
        context.ask("lines", { query, key }, "code"),
        base === null ? null : context.ask("lines", { query: { ...query, selection: base }, key }, "code-base"),
        this.code(context, key),
      ]);
      if (signature !== this.asked) return;
      this.join(key, now, before, code, context.query.normalize);
    } catch (error) {
      if (signature !== this.asked) return;
      this.asked = "";
      this.fail("The code could not be shown", error instanceof Error ? error.message : String(error));
    }
  }

  // Never fails: the lines that cost most are worth showing without their text.
  private async code(context: Context, key: number): Promise<Code> {
    const known = this.codes.get(key);
    if (known) return known;
    try {
      const code = await context.fetchCode(key);
      if (this.codes.size >= kCodesKept) this.codes.delete(this.codes.keys().next().value as number);
      this.codes.set(key, code);
      return code;
    } catch (error) {
      return { ...kNoCode, notes: [error instanceof Error ? error.message : String(error)] };
    }
  }

  private join(key: number, now: Answer<"lines">, before: Answer<"lines"> | null, code: Code, normalize: boolean): void {
    const { context } = this;
    let lines = lineCosts(now, context);
    let addresses = addressCosts(now);
    this.totals = now.totals;
    // Addresses of two files mean the same only in the same build. A module of two builds has no build ID.
    const module = context.meta.modules[context.symbols.module(key)];
    const isOneBuild = context.state.compare?.kind !== "files" || (module !== undefined && module.buildId !== "");
    const isOneSided = now.costs.line.length === 0 || before?.costs.line.length === 0;
    this.comparesCode = before !== null && (isOneBuild || isOneSided);
    if (before !== null) {
      const scale = normalize && before.totals.weight > 0 ? now.totals.weight / before.totals.weight : 1;
      lines = mergeCosts(lines, lineCosts(before, context), scale, (x) => `${x.file}:${x.line}`);
      if (this.comparesCode) addresses = mergeCosts(addresses, addressCosts(before), scale, (x) => x.address);
      this.totals = { ...now.totals, baseWeight: before.totals.weight * scale, baseSamples: before.totals.samples };
    }
    const isSame = key === this.shownKey;
    const sumOf = (of: "self" | "baseSelf") => lines.reduce((sum, x) => sum + x[of], 0);
    this.sum = { self: sumOf("self"), baseSelf: sumOf("baseSelf") };
    this.shownKey = key;
    const { source, assembly, outside } = joinCode(code, lines, addresses, before !== null && !this.comparesCode);
    this.source = source.some((row) => row.kind === "line" && (row.text !== null || row.line > 0)) ? source : [];
    // Bare addresses help only where there are no lines.
    this.assembly = code.instructions.length > 0 || this.source.length === 0 ? assembly : [];
    this.jumps = layOutJumps(this.assembly, kLanes);
    this.color();
    // A line of another build may be another line with the same number.
    const judge = (rows: readonly Costs[]) =>
      this.comparesCode ? verdictsOf(rows, this.totals, normalize) : new Int8Array(rows.length);
    this.verdicts = { source: judge(this.source), assembly: judge(this.assembly) };
    const most = (rows: readonly Costs[], of: "self" | "total") => rows.reduce((m, row) => Math.max(m, row[of]), 0);
    this.most = { self: most(this.source, "self"), total: most(this.source, "total"), code: most(this.assembly, "self") };
    if (!isSame) {
      this.open = hotFolds(this.source, kOpenPart);
      this.link([], []);
      this.chosen = -1;
    }
    const notes = code.notes.map(clean);
    if (outside > 0) notes.push(`${cost(outside, unitOf(context))} is at addresses outside of these instructions.`);
    const { skid } = context.meta.events[context.state.event] ?? {};
    if (skid !== undefined && skid !== "" && this.assembly.some((row) => row.self !== 0)) notes.push(clean(skid));
    this.showNotes(notes);
    this.showHead();
    this.show(isSame ? undefined : -1);
    if (isSame) return;
    const hot = hottest(this.source.map((row) => (row.kind === "line" ? row : kNoCost)));
    this.left.reveal(this.shown.indexOf(hot));
    this.right.reveal(hottest(this.assembly));
  }

  private showNotes(notes: readonly string[]): void {
    const nothing = this.source.length === 0 && this.assembly.length === 0;
    this.panes.classList.remove("stale");
    this.panes.classList.toggle("no-assembly", this.assembly.length === 0 && !nothing);
    this.panes.classList.toggle("no-source", this.source.length === 0);
    this.panes.classList.toggle("nothing", nothing);
    this.notes.replaceChildren(...notes.slice(0, 8).map((text) => h("div", { text })));
    this.notes.hidden = notes.length === 0 || nothing;
    if (nothing)
      this.note.set(
        "No source or assembly",
        notes.length === 0 ? "The recording has no lines or addresses of this function." : notes.join(" "),
      );
    else this.note.set("");
  }

  private fail(title: string, detail: string): void {
    this.source = [];
    this.assembly = [];
    this.jumps = kNoJumps;
    this.shownKey = -1;
    this.head.replaceChildren();
    this.showNotes([]);
    this.show(-1);
    this.note.set(title, detail);
  }

  private showHead(): void {
    const { context, shownKey: key } = this;
    const { symbols } = context;
    const swatch = h("span", { class: "swatch" });
    swatch.style.background = symbols.color(key, context.dark);
    const unit = unitOf(context);
    const { self, baseSelf } = this.sum;
    const all = this.source.reduce((sum, row) => (row.kind === "line" && row.depth === 0 ? sum + row.self : sum), 0);
    const withInlined = all > self ? `; with inlined code ${cost(all, unit)}, ${share(all, this.totals.weight)}` : "";
    const detail = isComparison(context)
      ? `, ${change(baseSelf, self)} (before: ${cost(baseSelf, unit)})`
      : `, ${share(self, this.totals.weight)} of the selection${withInlined}`;
    const place = [symbols.moduleName(key), shortSource(symbols.place(key))]
      .filter((x) => x !== "")
      .map(clean)
      .join(" · ");
    this.head.replaceChildren(
      swatch,
      h("span", { class: "function", text: shortName(symbols.name(key)), title: shownName(symbols.name(key)) }),
      h("span", { class: "second", text: place, title: place }),
      h("span", { class: "cost" }, "self ", h("b", { text: cost(self, unit) }), detail),
    );
  }

  // Draws both sides again; the cursors stay unless given.
  private show(right?: number): void {
    if (right === -1) this.chosen = -1;
    this.shown = unfolded(this.source, this.open);
    this.left.setColumns(this.sourceColumns());
    this.right.setColumns(this.assemblyColumns());
    this.left.show({ count: this.shown.length, at: (i) => this.shown[i]! }, this.chosen < 0 ? -1 : this.shown.indexOf(this.chosen));
    this.right.show({ count: this.assembly.length, at: (i) => i }, right ?? this.right.selected);
  }

  private costColumns(
    of: (row: number) => Costs | null,
    most: number,
    total: boolean,
    verdicts: Int8Array | null,
  ): Column<number>[] {
    const { context } = this;
    const scale = scaleFor(Math.max(this.most.self, this.most.code), unitOf(context));
    if (isComparison(context) && verdicts !== null) {
      const cell = (text: (x: Costs) => string) => (row: number) => {
        const x = of(row);
        return x === null || (x.self === 0 && x.baseSelf === 0) ? "" : text(x);
      };
      const tone = (row: number) => (verdicts[row] === 1 ? "more" : verdicts[row] === -1 ? "less" : "faint");
      const columns: Column<number>[] = [
        {
          id: "before",
          title: "Before",
          unit: scale.unit,
          hint: "Self cost before",
          width: "76px",
          class: "number second",
          text: cell((x) => scaled(x.baseSelf, scale)),
        },
        {
          id: "after",
          title: "After",
          unit: scale.unit,
          hint: "Self cost after",
          width: "76px",
          class: "number",
          text: cell((x) => scaled(x.self, scale)),
        },
        {
          id: "change",
          title: "Change",
          unit: scale.unit,
          hint: "Change of self cost; gray: within sampling noise",
          width: "76px",
          class: "number",
          text: cell((x) => scaledChange(x.baseSelf, x.self, scale)),
          tone,
        },
      ];
      return total ? columns : columns.slice(1); // little room for instructions
    }
    const columns: Column<number>[] = [
      {
        id: "self",
        title: isComparison(context) ? "After" : "Self",
        unit: scale.unit,
        hint: "Cost of samples that end here, inlined code included; bars are relative to the hottest row",
        width: "68px",
        class: "number bar",
        text: (row) => (of(row)?.self ? scaled(of(row)!.self, scale) : ""),
        bar: (row) => (most === 0 ? 0 : (of(row)?.self ?? 0) / most),
      },
    ];
    if (!total) return columns;
    // The same unit for both, unless they are too far apart.
    const size = this.most.total / scale.per;
    const totalScale =
      size >= 1e5
        ? scaleFor(this.most.total, unitOf(context))
        : { ...scale, decimals: Math.min(scale.decimals, size >= 1e3 ? 1 : 3) };
    columns.push({
      id: "total",
      title: "Total",
      unit: totalScale.unit,
      hint: "Cost with functions called from here",
      width: "72px",
      class: "number bar second",
      text: (row) => (of(row)?.total ? scaled(of(row)!.total, totalScale) : ""),
      bar: (row) => (this.most.total === 0 ? 0 : (of(row)?.total ?? 0) / this.most.total),
    });
    return columns;
  }

  private sourceColumns(): Column<number>[] {
    const lines = isComparison(this.context) && !this.comparesCode; // what is inlined has costs of one side only
    const of = (i: number) => {
      const row = this.source[i]!;
      return row.kind === "line" || row.kind === "inlined" ? (lines && row.depth > 0 ? null : row) : null;
    };
    return [
      ...this.costColumns(of, this.most.self, true, this.verdicts.source),
      {
        id: "line",
        title: "Line",
        width: "40px",
        class: "line-number number",
        text: (i) => (this.source[i]!.kind === "line" && this.source[i]!.line > 0 ? String(this.source[i]!.line) : ""),
      },
      {
        id: "text",
        title: "Source",
        width: "minmax(180px, 1fr)",
        least: Math.max(180, this.longest),
        class: "mono name",
        text: (i) => sourceText(this.source[i]!),
        nodes: (i) => this.sourceNodes(i),
      },
    ];
  }

  private assemblyColumns(): Column<number>[] {
    const { jumps } = this;
    const columns = this.costColumns(
      (i) => this.assembly[i]!,
      this.most.code,
      false,
      this.comparesCode ? this.verdicts.assembly : null,
    );
    columns.push({
      id: "address",
      title: "Address",
      width: `${Math.max(64, 8 + 8 * shownAddress(this.assembly[this.assembly.length - 1]?.instruction.address ?? 0).length)}px`,
      class: "mono faint number",
      text: (i) => shownAddress(this.assembly[i]!.instruction.address),
    });
    if (jumps.lanes > 0)
      columns.push({
        id: "jumps",
        title: "",
        width: `${jumps.lanes * kLaneWidth + 8}px`,
        class: "jumps",
        text: () => "",
        nodes: (i) => [this.jumpLines(i)],
      });
    columns.push({
      id: "text",
      title: "Assembly",
      width: "minmax(160px, 1fr)",
      least: 160,
      class: "mono name",
      text: (i) => assemblyText(this.assembly[i]!),
      nodes: (i) => this.assemblyNodes(i),
    });
    if (this.source.length > 0)
      columns.push({
        id: "place",
        title: "Line",
        hint: "Innermost line, where it changes",
        width: "104px",
        class: "second mono",
        text: (i) => this.placeText(i),
      });
    return columns;
  }

  private color(): void {
    const kCharacter = 7.3;
    const widths = this.source.map((row) => (row.kind === "line" ? sourceText(row).length * kCharacter + 28 + 20 * row.depth : 0));
    this.longest = Math.min(
      1600,
      widths.reduce((a, b) => Math.max(a, b), 0),
    );
    let inComment: boolean | null = null; // null: not known, after a gap
    const linesFrom = function* (rows: readonly SourceRow[], at: number): Iterable<string> {
      for (let row = rows[at]; row?.kind === "line" && row.text !== null; row = rows[++at]) yield cleanLine(row.text);
    };
    this.colors = this.source.map((row, i) => {
      if (row.kind !== "line" || row.text === null) {
        inComment = null;
        return null;
      }
      inComment ??= beginsInComment(linesFrom(this.source, i));
      const result = tokens(cleanLine(row.text), inComment);
      inComment = result.inComment;
      return result.tokens;
    });
  }

  private sourceNodes(index: number): Child[] {
    const row = this.source[index]!;
    if (row.kind === "file") return [h("span", { class: "text", text: sourceText(row), title: clean(row.file) })];
    const opener = h("span", { class: !canFold(row, index) ? "opener" : this.open.has(index) ? "opener can open" : "opener can" });
    opener.style.marginLeft = `${Math.min(row.depth * 2 - (row.kind === "inlined" ? 1 : 0), 24) * 10}px`;
    if (row.kind === "gap") return [opener, "⋯"];
    if (row.kind === "inlined")
      return [
        opener,
        h(
          "span",
          { class: "text", title: shownName(row.text ?? "") },
          h("b", { text: shortName(row.text ?? "") }),
          row.file === "" ? "" : `  ${clean(baseName(row.file))}`,
        ),
        h("span", { class: "tag", text: "inlined" }),
      ];
    if (row.text === null) return [opener, h("span", { class: "text second", text: sourceText(row) })];
    const parts = this.colors[index] ?? [{ kind: "plain", text: cleanLine(row.text) }];
    return [opener, this.colored(parts.map(({ kind, text }) => [`t-${kind}`, text]))];
  }

  private assemblyNodes(index: number): Child[] {
    const text = clean(this.assembly[index]!.instruction.text);
    const space = text.indexOf(" ");
    const parts: [string, string][] =
      space < 0
        ? [["operation", text]]
        : [
            ["operation", text.slice(0, space)],
            ["operands", text.slice(space)],
          ];
    return [this.colored(parts)];
  }

  // Parts in their colors, with matches of the search marked across them.
  private colored(parts: readonly (readonly [string, string])[]): HTMLElement {
    const out = h("span", { class: "text" });
    const found = matches(parts.map(([, text]) => text).join(""), this.pattern);
    let at = 0;
    for (const [kind, text] of parts) {
      const element = kind === "t-plain" ? out : h("span", { class: kind });
      let from = 0;
      for (const [begin, end] of found) {
        const [first, last] = [Math.max(begin - at, from), Math.min(end - at, text.length)];
        if (first >= last) continue;
        element.append(text.slice(from, first), h("mark", { text: text.slice(first, last) }));
        from = last;
      }
      element.append(text.slice(from));
      if (element !== out) out.append(element);
      at += text.length;
    }
    return out;
  }

  // The innermost line of the instruction, where it is another than that of the instruction before.
  private placeText(index: number): string {
    const line = this.assembly[index]!.inside[0];
    if (line === undefined || line === this.assembly[index - 1]?.inside[0]) return "";
    const { kind, file, line: number, depth } = this.source[line]!;
    if (kind !== "line" || number === 0) return "";
    return depth === 0 && file === this.source[0]?.file ? String(number) : `${clean(baseName(file))}:${number}`;
  }

  // The part of all jumps that passes this row.
  private jumpLines(index: number): Child {
    const space = "http://www.w3.org/2000/svg";
    const { lanes, from, to, at } = this.jumps;
    const width = lanes * kLaneWidth + 8;
    const svg = document.createElementNS(space, "svg");
    svg.setAttribute("width", String(width));
    svg.setAttribute("height", String(kRowHeight));
    svg.setAttribute("aria-hidden", "true");
    const draw = (d: string, classes: string) => {
      const path = document.createElementNS(space, "path");
      path.setAttribute("d", d);
      path.setAttribute("class", classes);
      svg.append(path);
    };
    const middle = kRowHeight / 2;
    const selected = this.right.selected;
    for (let lane = 0; lane < lanes; ++lane) {
      const jump = at[index * lanes + lane]!;
      if (jump < 0) continue;
      const [source, target] = [from[jump]!, to[jump]!];
      const x = width - 10 - lane * kLaneWidth + 0.5;
      const hot = selected === source || selected === target ? "hot" : "";
      if (index !== source && index !== target) {
        draw(`M${x} 0V${kRowHeight}`, hot);
        continue;
      }
      // A corner: down from here if the other end is below.
      const down = (index === source ? target : source) > index;
      draw(
        `M${width - 1} ${middle + 0.5}H${x + 3}Q${x} ${middle + 0.5} ${x} ${middle + (down ? 3.5 : -2.5)}V${down ? kRowHeight : 0}`,
        hot,
      );
      if (index === target) draw(`M${width} ${middle + 0.5}l-5 -3v6z`, `${hot} head`);
    }
    return svg;
  }

  private hover(row: SourceRow | AssemblyRow | null, x: number, y: number): void {
    const { context, totals } = this;
    if (row === null || !hasCost(row)) return context.tooltip(null, x, y);
    const unit = unitOf(context);
    const line = (label: string, before: number, after: number) =>
      isComparison(context) && (this.comparesCode || !("instruction" in row))
        ? { label, value: `${cost(before, unit)} → ${cost(after, unit)}`, detail: change(before, after) }
        : { label, value: cost(after, unit), detail: share(after, totals.weight) };
    const lines = [line("Self", row.baseSelf, row.self)];
    if (row.total !== 0 || row.baseTotal !== 0) lines.push(line("Total", row.baseTotal, row.total));
    const title =
      "instruction" in row
        ? clean(row.instruction.text) || `0x${shownAddress(row.instruction.address)}`
        : row.kind === "inlined"
          ? shownName(row.text ?? "")
          : row.line === 0
            ? "Unknown line"
            : `${clean(shortSource(row.file))}:${row.line}`;
    context.tooltip({ title, lines }, x, y);
  }

  // Source rows around one, the innermost first.
  private around(index: number): number[] {
    const found: number[] = [];
    for (let i = index - 1; i >= 0; --i) {
      if (this.source[i]!.until > index) found.push(i);
    }
    return found;
  }

  private toggle(index: number): boolean {
    if (!canFold(this.source[index]!, index)) return false;
    if (!this.open.delete(index)) this.open.add(index);
    else if (this.chosen > index && this.chosen < this.source[index]!.until) this.chosen = index;
    this.show();
    return true;
  }

  private link(lines: readonly number[], code: readonly number[]): void {
    this.linkedLines = new Set(lines);
    this.linkedCode = new Set(code);
  }

  private chooseLine(index: number): void {
    this.atRight = false;
    this.chosen = index;
    const code: number[] = [];
    this.assembly.forEach((row, i) => row.inside.includes(index) && code.push(i));
    this.link([index], code);
    this.show();
    this.right.reveal(this.hottestOf(code));
  }

  private chooseInstruction(index: number): void {
    this.atRight = true;
    const { inside } = this.assembly[index]!;
    for (const row of inside.slice(1)) this.open.add(row);
    this.chosen = inside[0] ?? -1;
    this.link(
      inside,
      inside.length === 0 ? [] : [...this.assembly.keys()].filter((i) => this.assembly[i]!.inside[0] === inside[0]),
    );
    this.show();
    if (this.chosen >= 0) this.left.reveal(this.shown.indexOf(this.chosen));
  }

  private hottestOf(code: readonly number[]): number {
    return code.reduce((best, i) => (best < 0 || this.assembly[i]!.self > this.assembly[best]!.self ? i : best), -1);
  }

  // Moves the cursor to the other side, to what is linked there.
  private cross(toRight: boolean): void {
    const rows: readonly unknown[] = toRight ? this.assembly : this.shown;
    if (rows.length === 0) return;
    const table = toRight ? this.right : this.left;
    const stays = this.active() === table && table.selected >= 0;
    this.atRight = toRight;
    table.focus();
    if (stays) return;
    const linked = toRight ? this.hottestOf([...this.linkedCode]) : this.shown.indexOf(this.chosen);
    table.choose(linked >= 0 ? linked : table.selected >= 0 ? table.selected : 0);
  }

  // Enter on a jump goes to its target, on other instructions to their line.
  private followJump(index: number): void {
    const { target } = this.assembly[index]!.instruction;
    const to = target < 0 ? -1 : this.assembly.findIndex((row) => row.instruction.address === target);
    if (to >= 0) this.right.choose(to);
    else this.cross(false);
  }
}

const kNoCost: Costs = { self: 0, total: 0, baseSelf: 0, baseTotal: 0 };

function lineCosts({ costs }: Answer<"lines">, context: Context): LineCost[] {
  return Array.from(costs.line, (line, i) => ({
    file: context.symbols.text(costs.file[i]!),
    line,
    self: costs.self[i]!,
    total: costs.total[i]!,
    baseSelf: 0,
    baseTotal: 0,
  }));
}

function addressCosts({ costs }: Answer<"lines">): AddressCost[] {
  const all = Array.from(costs.address, (address, i) => ({
    address,
    self: costs.addressSelf[i]!,
    total: costs.addressTotal[i]!,
    baseSelf: 0,
    baseTotal: 0,
  }));
  return all.filter((x) => x.address > 0);
}

function sourceText(row: SourceRow): string {
  if (row.kind === "file") return row.file === "" ? "Unknown source" : clean(shortSource(row.file));
  if (row.kind === "gap") return "⋯";
  if (row.kind === "inlined") return `${"  ".repeat(row.depth)}${shownName(row.text ?? "")} (inlined)`;
  const text =
    row.text !== null ? cleanLine(row.text) : row.line === 0 ? "unknown line" : `${clean(baseName(row.file))}:${row.line}`;
  return "  ".repeat(row.depth) + text;
}

function assemblyText(row: AssemblyRow): string {
  return clean(row.instruction.text);
}

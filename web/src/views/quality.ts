// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// What was recorded, and how good it is: summary, losses, completeness of stacks, CPU time.

import { h, icon, type Child } from "../app/dom";
import { taskCounts, wayInWords } from "../app/describe";
import type { Context, View } from "../app/view";
import type { InsightInfo, Meta } from "../engine/api";
import { cost, count, countOf, percent, share } from "../format/cost";
import { duration } from "../format/duration";
import { clean, shownName } from "../format/name";
import { anyOfNames } from "../format/pattern";

export class QualityView implements View {
  readonly name = "quality";
  readonly title = "Recording";
  readonly element = h("div", { class: "quality", role: "region", tabIndex: 0, attributes: { "aria-label": "Summary and quality of the recording" } });
  private shown: Meta | null = null;

  update(context: Context): void {
    if (this.shown === context.meta) return; // the same for every state
    this.shown = context.meta;
    const { meta } = context;
    this.element.replaceChildren(
      h("div", { class: "grid" }, section("Recording", facts(recorded(meta))), insights(context), summary(meta), quality(meta), cpuTime(meta), stacks(meta), events(meta), files(meta)),
    );
  }

  text(context: Context): string {
    const { meta } = context;
    const lines = recorded(meta).map(([label, value]) => `${label}: ${value}`);
    const found = meta.insights.map((x) => `${percent(x.share)} ${x.title}${insightPlaces(x)}`);
    return [...lines, "", ...found, ...meta.summary, ...meta.quality, ...meta.warnings].map(clean).join("\n");
  }
}

function section(title: string, ...children: Child[]): HTMLElement {
  return h("section", {}, h("h2", { text: title }), ...children);
}

function facts(rows: [string, string, boolean?][]): HTMLElement {
  return h("dl", { class: "facts" }, ...rows.flatMap(([label, value, mono]) => [h("dt", { text: label }), h("dd", { class: mono === true ? "mono" : "", text: clean(value) })]));
}

function recorded(meta: Meta): [string, string, boolean?][] {
  const rows: [string, string, boolean?][] = [];
  if (meta.command.length > 0) rows.push(["Command", meta.command.map(quoted).join(" "), true]);
  if (meta.target !== "") rows.push(["Target", meta.target]);
  if (meta.importedFrom !== "") rows.push(["Imported from", meta.importedFrom]);
  if (meta.files.length > 0) rows.push([meta.files.length === 1 ? "File" : "Files", meta.files.join(", "), true]);
  const start = startOf(meta);
  if (start !== "") rows.push(["Started", start]);
  if (meta.hasTimes) rows.push(["Duration", duration(meta.durationNs)]);
  const { processes, threads } = taskCounts(meta);
  rows.push(["Processes", count(processes)], ["Threads", count(threads)]);
  if (meta.modules.length > 0) rows.push(["Modules", count(meta.modules.length)]);
  return rows;
}

function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replace(/'/g, "'\\''")}'`;
}

function startOf(meta: Meta): string {
  const ms = Number(meta.startWallNs) / 1e6;
  if (!(ms > 0)) return "";
  return new Date(ms).toLocaleString("en", { dateStyle: "medium", timeStyle: "medium", hour12: false });
}

// " in parse (parse.cc:7) 40%, load 12%"
export function insightPlaces(insight: InsightInfo): string {
  const places = insight.where.map((p) => `${shownName(p.name)}${p.file === "" ? "" : ` (${p.file.slice(p.file.lastIndexOf("/") + 1)}:${p.line})`} ${percent(p.share)}`);
  return places.length === 0 ? "" : ` in ${places.join(", ")}`;
}

// The search that shows a finding: the functions with the symptom, else where it is.
export function insightSearch(insight: InsightInfo): string {
  const places = insight.frames.length > 0 ? insight.frames : insight.where.filter((p) => p.module !== "");
  return places.length === 0 ? "" : anyOfNames(places.map((p) => p.name));
}

function insights(context: Context): Child {
  const { meta } = context;
  if (meta.insights.length === 0) return null;
  const items = meta.insights.map((insight) => {
    const search = insightSearch(insight);
    const title = `${percent(insight.share)} ${insight.title}`;
    const head = search === "" ? h("b", { text: title }) : h("button", { class: "link", text: title, title: "Show these functions in the flame graph", on: { click: () => context.set({ view: "flame", search }) } });
    return h("li", {}, head, clean(` (${insight.sure})${insightPlaces(insight)}: ${insight.advice}`));
  });
  return section("Insights", h("ul", { class: "insights" }, ...items), h("p", { class: "good", text: "Shares are of all samples, and overlap." }));
}

function summary(meta: Meta): Child {
  return meta.summary.length === 0 ? null : section("Summary", ...meta.summary.map((x) => h("p", { text: clean(x) })));
}

function quality(meta: Meta): Child {
  const warnings = meta.warnings.map((x) => h("li", { class: "warning" }, icon("warning"), h("span", { text: clean(x) })));
  const sentences = meta.quality.map((x) => h("li", { text: clean(x) }));
  const all = [...warnings, ...sentences];
  return section("Quality and losses", all.length > 0 ? h("ul", {}, ...all) : h("p", { class: "good", text: "No losses were recorded." }));
}

function meter(parts: { value: number; color: string }[]): HTMLElement {
  const total = parts.reduce((sum, x) => sum + x.value, 0);
  const bars = parts.map(({ value, color }) => {
    const bar = h("i");
    bar.style.width = `${(100 * value) / Math.max(total, 1e-9)}%`;
    bar.style.background = color;
    return bar;
  });
  return h("div", { class: "meter", attributes: { "aria-hidden": "true" } }, ...bars);
}

function cpuTime(meta: Meta): Child {
  if (meta.cpuTime === null) return null;
  const { counted, sampled, unsampled } = meta.cpuTime;
  return section(
    "CPU time",
    meter([{ value: sampled, color: "var(--accent)" }, { value: unsampled, color: "var(--more)" }]),
    facts([
      ["Counted by the kernel", duration(counted)],
      ["Sampled", `${duration(sampled)} (${share(sampled, counted)})`],
      ["Not sampled", `${duration(unsampled)} (${share(unsampled, counted)})`],
    ]),
  );
}

function stacks(meta: Meta): Child {
  if (meta.stackWays === null) return null;
  const rows = Object.entries(meta.stackWays).filter(([, value]) => value > 0).sort((a, b) => b[1] - a[1]);
  const total = rows.reduce((sum, [, value]) => sum + value, 0);
  if (total === 0) return null;
  return section("Stacks", table(["How they were read", "Samples", "Share"], rows.map(([name, value]) => [wayInWords(name), count(value), percent(value / total)])));
}

function events(meta: Meta): Child {
  const rows = meta.events.map((event, i) => {
    const name = meta.isDifference ? (meta.sides[i] ?? event.name) : event.name;
    return [clean(name), event.rateHz > 0 ? `${count(event.rateHz)} Hz` : "–", meta.hasCounts ? count(event.samples) : "–", cost(event.weight, event)];
  });
  return section(meta.isDifference ? "Sides of the comparison" : "Events", table(["Event", "Rate", "Samples", "Total"], rows));
}

function files(meta: Meta): Child {
  const busiest = meta.processes.slice(0, 12).map((process, i) => [shownName(process.name), String(process.pid), count(meta.threads.filter((t) => t.process === i).length)]);
  if (meta.processes.length < 2) return null;
  const more = meta.processes.length - busiest.length;
  return section(countOf(meta.processes.length, "process", "processes"), table(["Process", "ID", "Threads"], busiest), more > 0 && h("p", { class: "good", text: `and ${count(more)} more` }));
}

function table(head: string[], rows: string[][]): HTMLElement {
  const cell = (tag: "td" | "th", text: string, i: number) => h(tag, { class: i > 0 ? "number" : "", text });
  return h("table", {}, h("thead", {}, h("tr", {}, ...head.map((x, i) => cell("th", x, i)))), h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((x, i) => cell("td", x, i))))));
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The visible picture as an indented text and as a standalone SVG. Names are foreign text and are escaped.

import type { FlameBoxes } from "../engine/api";
import type { Labels } from "./labels";
import { firstEndingAfter, kRow, type BoxSet, type Span } from "./layout";
import type { Look } from "./look";

const kDeepest = 100; // levels that are indented; deeper ones tell their level
const kMostLevels = 2000; // of an SVG

// One line per box within the span: columns, then the name, indented by its depth.
export function outline(boxes: FlameBoxes, span: Span, columns: (row: number) => string[], name: (key: number) => string): string {
  const slack = (span.to - span.from) * 1e-9;
  const rows: { row: number; cells: string[] }[] = [];
  for (let i = 0; i < boxes.count; ++i) {
    if (boxes.x[i]! + boxes.width[i]! > span.from + slack && boxes.x[i]! < span.to - slack) rows.push({ row: i, cells: columns(i) });
  }
  const widths: number[] = [];
  for (const { cells } of rows) cells.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, cell.length)));
  return rows
    .map(({ row, cells }) => {
      const depth = boxes.depth[row]!;
      const indent = depth <= kDeepest ? "  ".repeat(depth) : `${"  ".repeat(kDeepest)}[level ${depth}] `;
      return `${cells.map((cell, i) => cell.padStart(widths[i]!)).join("  ")}  ${indent}${name(boxes.key[row]!)}\n`;
    })
    .join("");
}

// Text for XML: escaped, without characters that XML does not allow.
export function xml(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd")
    .replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

export interface LegendEntry {
  readonly fill: string;
  readonly text: string;
  readonly hatched?: boolean;
}

export interface SvgOptions {
  readonly set: BoxSet;
  readonly look: Look;
  readonly labels: Labels; // at 1 pixel per pixel
  readonly span: Span;
  readonly width: number;
  readonly rootAtBottom: boolean;
  readonly title: string;
  readonly notes: readonly string[]; // below the picture
  readonly legend: readonly LegendEntry[];
  readonly name: (key: number) => string; // in full
  readonly tip: (row: number) => string; // what a box tells when pointed at, after its name
  readonly colors: { readonly background: string; readonly text: string; readonly note: string; readonly match: string };
}

export function svgOf(options: SvgOptions): string {
  const { set, look, labels, span, width, colors } = options;
  const left = 10;
  const head = 34;
  const scale = width / (span.to - span.from);
  const used = usedLevels(set, span);
  const levels = Math.min(used, kMostLevels);
  const notes = used > levels ? [...options.notes, `${used - levels} deeper levels are not in this picture`] : options.notes;
  const legendHeight = options.legend.length > 0 ? 20 : 0;
  const height = head + levels * kRow + 10 + 16 * notes.length + legendHeight;
  const out: string[] = [];
  const px = (x: number) => String(Math.round(x * 100) / 100);
  out.push(
    `<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="${px(width + 2 * left)}" height="${height}" ` +
      `viewBox="0 0 ${px(width + 2 * left)} ${height}" ` +
      `font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="11">\n`,
    `<title>${xml(options.title)}</title>\n`,
    `<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M-1,7L7,-1M-1,1L1,-1M5,7L7,5" ` +
      `stroke="${xml(colors.text)}" stroke-opacity="0.4"/></pattern></defs>\n`,
    `<rect width="100%" height="100%" fill="${xml(colors.background)}"/>\n`,
    `<text x="${left}" y="21" font-family="system-ui, sans-serif" font-size="14" font-weight="600" fill="${xml(colors.text)}">` +
      `${xml(options.title)}</text>\n`,
  );
  for (let level = 0; level < levels; ++level) {
    const top = head + (options.rootAtBottom ? levels - 1 - level : level) * kRow;
    for (let i = firstEndingAfter(set, level, span.from); i < set.first[level + 1]!; ++i) {
      const row = set.order[i]!;
      if (set.begin[row]! >= span.to) break;
      const begin = Math.max(0, (set.begin[row]! - span.from) * scale);
      const end = Math.min(width, (set.end[row]! - span.from) * scale);
      if (end - begin < 0.05) continue;
      const style = look.styles[look.of[row]!]!;
      const name = options.name(set.key[row]!);
      const shownWidth = Math.max(0.3, end - begin - (end - begin > 2 ? 1 : 0));
      const box = `x="${px(left + begin)}" y="${top}" width="${px(shownWidth)}" height="${kRow - 1}"`;
      out.push(`<g><title>${xml(`${name}\n${options.tip(row)}`)}</title><rect ${box} fill="${xml(style.fill)}"/>`);
      if (style.hatched) out.push(`<rect ${box} fill="url(#hatch)"/>`);
      if (style.marked) {
        out.push(`<rect x="${px(left + begin)}" y="${top + kRow - 4}" width="${px(shownWidth)}" height="3" fill="${xml(colors.match)}"/>`);
      }
      const inlined = look.inlined !== null && look.inlined[row] !== 0;
      if (inlined && shownWidth >= 8) {
        const x = px(left + begin + 1);
        const stroke = `stroke="${xml(style.ink)}" stroke-opacity="0.55" stroke-width="2" stroke-dasharray="3 3.5"`;
        out.push(`<path d="M${x},${top}v${kRow - 1}" ${stroke}/>`);
      }
      const label = shownWidth >= 24 ? labels.name(name, Math.floor(shownWidth - 8 - (inlined ? 3 : 0))) : "";
      const at = px(left + begin + 4 + (inlined ? 3 : 0));
      if (label !== "") out.push(`<text x="${at}" y="${top + 12.5}" fill="${xml(style.ink)}">${xml(label)}</text>`);
      out.push("</g>\n");
    }
  }
  let x = left;
  for (const { fill, text, hatched } of options.legend) {
    const swatch = `x="${px(x)}" y="${head + levels * kRow + 8}" width="11" height="11"`;
    out.push(`<rect ${swatch} fill="${xml(fill)}"/>`, hatched ? `<rect ${swatch} fill="url(#hatch)"/>` : "");
    out.push(`<text x="${px(x + 16)}" y="${head + levels * kRow + 18}" fill="${xml(colors.note)}">${xml(text)}</text>\n`);
    x += 34 + labels.width(text);
  }
  notes.forEach((note, i) => {
    const y = head + levels * kRow + legendHeight + 16 * (i + 1);
    out.push(`<text x="${left}" y="${y}" font-family="system-ui, sans-serif" fill="${xml(colors.note)}">${xml(note)}</text>\n`);
  });
  out.push("</svg>\n");
  return out.join("");
}

// Levels up to the deepest box within the span.
export function usedLevels(set: BoxSet, span: Span): number {
  for (let level = set.levels; level > 0; --level) {
    const at = firstEndingAfter(set, level - 1, span.from);
    if (at < set.first[level]! && set.begin[set.order[at]!]! < span.to) return level;
  }
  return 0;
}

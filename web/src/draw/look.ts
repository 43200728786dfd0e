// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// How each box looks. Computed once per answer, theme and search; drawing then only looks it up.

import type { Symbols } from "../app/symbols";
import type { FlameBoxes } from "../engine/api";
import { changeColor, changeLook, formatColor, inkOn, mix, parseColor, type Rgb } from "./color";
import type { BoxSet } from "./layout";
import type { Theme } from "./theme";

export interface Style {
  readonly fill: string;
  readonly ink: string;
  readonly hatched: boolean; // of a comparison: vanished
  readonly marked: boolean; // of a comparison: matches the search
}

export interface Look {
  readonly styles: readonly Style[];
  readonly of: Uint16Array; // by row: a style
  readonly inlined: Uint8Array | null; // by row, as in FlameBoxes
}

export type Matches = (key: number) => boolean;

// Collects equal styles, so that boxes can be drawn style by style.
class Styles {
  readonly list: Style[] = [];
  private readonly rows = new Map<string, number>();

  constructor(private readonly theme: Theme) {}

  add(name: string, make: () => { fill: Rgb; hatched?: boolean; marked?: boolean; dim?: boolean }): number {
    let index = this.rows.get(name);
    if (index === undefined) {
      const { fill, hatched, marked, dim } = make();
      const shown = dim ? mix(fill, this.theme.back, 0.72) : fill;
      const ink = dim ? mix(parseColor(this.theme.text), this.theme.back, 0.42) : inkOn(fill, this.theme.dark);
      index = this.list.push({ fill: formatColor(shown), ink: formatColor(ink), hatched: hatched === true, marked: marked === true }) - 1;
      this.rows.set(name, index);
    }
    return index;
  }
}

// Colors by kind of code. With a search, matches have one color and the rest is dimmed.
export function kindLook(set: BoxSet, symbols: Symbols, theme: Theme, matches: Matches | null, inlined: Uint8Array | null): Look {
  const styles = new Styles(theme);
  const of = new Uint16Array(set.count);
  const byKey = new Map<number, number>();
  for (let i = 0; i < set.count; ++i) {
    const key = set.key[i]!;
    let style = byKey.get(key);
    if (style === undefined) {
      const color = symbols.color(key, theme.dark);
      if (matches === null) style = styles.add(color, () => ({ fill: parseColor(color) }));
      else if (matches(key)) style = styles.add("match", () => ({ fill: theme.match }));
      else style = styles.add(`dim ${color}`, () => ({ fill: parseColor(color), dim: true }));
      byKey.set(key, style);
    }
    of[i] = style;
  }
  return { styles: styles.list, of, inlined };
}

// Colors of a comparison: blue for less, orange for more, grey for noise, hatched for what vanished.
export function changeLooks(boxes: FlameBoxes, theme: Theme, matches: Matches | null): Look {
  const styles = new Styles(theme);
  const of = new Uint16Array(boxes.count);
  for (let i = 0; i < boxes.count; ++i) {
    const look = changeLook(boxes.baseTotal?.[i] ?? 0, boxes.total[i]!, boxes.verdict?.[i] ?? 0);
    const matched = matches !== null && matches(boxes.key[i]!);
    const dim = matches !== null && !matched;
    of[i] = styles.add(`${look.direction * look.strength} ${look.vanished} ${matched} ${dim}`, () => ({
      fill: changeColor(look, theme),
      hatched: look.vanished,
      marked: matched,
      dim,
    }));
  }
  return { styles: styles.list, of, inlined: boxes.inlined };
}

export function flameLook(boxes: FlameBoxes, set: BoxSet, symbols: Symbols, theme: Theme, matches: Matches | null): Look {
  return boxes.baseTotal === null ? kindLook(set, symbols, theme, matches, boxes.inlined) : changeLooks(boxes, theme, matches);
}

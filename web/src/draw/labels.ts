// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Labels that fit their boxes. Widths are sums of measured characters, so that a label costs no measuring after its first time.

import { clean, shortName, shownName } from "../format/name";
import { withoutOuterScope } from "../format/short_name";

export type Measure = (text: string) => number;

const kEllipsis = "…";
const kLongest = 400; // characters of a label; no box is wider
const kForms = 4;
const kCached = 20_000;

interface Form {
  readonly text: string;
  // Width of the text up to and with each UTF-16 unit. Both halves of a pair have the same, so that cuts keep pairs whole.
  readonly ends: Float32Array;
}
interface Entry {
  readonly forms: Form[]; // longest first
  width: number; // of the last request
  label: string; // its answer
}

export class Labels {
  private readonly units = new Map<string, number>();
  private readonly entries = new Map<string, Entry>();
  private ellipsis = -1;

  constructor(private readonly measure: Measure) {}

  // The most telling form of a function's name that fits `width`: in full, without arguments, without outer scopes, then cut.
  // Empty if not even a letter and the ellipsis fit.
  name(name: string, width: number): string {
    let entry = this.entries.get(name);
    if (entry === undefined) {
      entry = { forms: nameForms(name).map((x) => this.form(x)), width: -1, label: "" };
      if (this.entries.size >= kCached) this.entries.clear();
      this.entries.set(name, entry);
    }
    if (entry.width !== width) {
      entry.width = width;
      entry.label = this.fit(entry.forms, width);
    }
    return entry.label;
  }

  // Any text, cut at its end if it is too wide.
  cut(text: string, width: number): string {
    return this.fit([this.form(text.slice(0, kLongest))], width);
  }

  width(text: string): number {
    const { ends } = this.form(text.slice(0, kLongest));
    return ends.length === 0 ? 0 : ends[ends.length - 1]!;
  }

  private fit(forms: readonly Form[], width: number): string {
    for (const form of forms) {
      const { ends } = form;
      if (ends.length === 0 || ends[ends.length - 1]! <= width) return form.text;
    }
    const form = forms[forms.length - 1]!;
    if (this.ellipsis < 0) this.ellipsis = this.measure(kEllipsis);
    const room = width - this.ellipsis;
    let low = 0; // units that fit
    let high = form.ends.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (form.ends[middle - 1]! <= room) low = middle;
      else high = middle - 1;
    }
    return low === 0 ? "" : form.text.slice(0, low) + kEllipsis;
  }

  private form(text: string): Form {
    const ends = new Float32Array(text.length);
    let at = 0;
    let sum = 0;
    for (const c of text) {
      let width = this.units.get(c);
      if (width === undefined) {
        width = this.measure(c);
        if (this.units.size < kCached) this.units.set(c, width);
      }
      sum += width;
      for (let i = 0; i < c.length; ++i) ends[at++] = sum;
    }
    return { text, ends };
  }
}

// In full, without arguments, then without one outer scope after the other: the last of many scopes, not each.
export function nameForms(name: string): string[] {
  const full = shownName(name.length > kLongest ? clean(name.slice(0, kLongest)) : name);
  const forms = [full.slice(0, kLongest)];
  const add = (text: string) => {
    const form = text.slice(0, kLongest);
    if (form !== "" && form !== forms[forms.length - 1]) forms.push(form);
  };
  const short = shortName(name);
  add(short);
  const inner: string[] = [];
  for (let text = withoutOuterScope(short), i = 0; text !== "" && i < 100; text = withoutOuterScope(text), ++i) inner.push(text);
  for (const text of inner.slice(-(kForms - 2))) add(text);
  return forms;
}

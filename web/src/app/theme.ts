// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Light or dark: as the system says, or as chosen here. The choice is remembered where the browser allows it.

export type Theme = "auto" | "light" | "dark";
const kThemes: readonly Theme[] = ["auto", "light", "dark"];
const kKey = "wick.theme";

export class ThemeSwitch {
  theme: Theme;
  changed: (() => void) | null = null;
  private readonly system = matchMedia("(prefers-color-scheme: dark)");

  constructor() {
    const stored = recall(kKey);
    this.theme = kThemes.find((x) => x === stored) ?? "auto";
    this.system.addEventListener("change", () => this.apply());
    this.apply();
  }

  get dark(): boolean {
    return this.theme === "auto" ? this.system.matches : this.theme === "dark";
  }

  next(): void {
    this.theme = kThemes[(kThemes.indexOf(this.theme) + 1) % kThemes.length]!;
    remember(kKey, this.theme);
    this.apply();
  }

  private apply(): void {
    document.documentElement.dataset["theme"] = this.dark ? "dark" : "light";
    this.changed?.();
  }
}

// Pages from disk may have no storage.
export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Not remembered.
  }
}

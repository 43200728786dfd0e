// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The state in the browser's history: back and forward undo and redo. Browsers limit how often a page may write there, so that
// movements (dragging, typing) are written when they pause.

const kPause = 250; // ms

export class UrlHistory {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pending: string | null = null;
  private current: string;

  constructor(private readonly navigated: (fragment: string) => void) {
    this.current = location.hash.slice(1);
    const read = () => {
      const fragment = location.hash.slice(1);
      if (fragment === this.current) return;
      clearTimeout(this.timer);
      this.pending = null;
      this.current = fragment;
      this.navigated(fragment);
    };
    addEventListener("popstate", read);
    addEventListener("hashchange", read);
    addEventListener("pagehide", () => this.flush());
  }

  write(fragment: string, how: "push" | "replace"): void {
    if (how === "push") {
      this.flush();
      if (fragment !== this.current) this.commit(fragment, "pushState");
      return;
    }
    this.pending = fragment;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), kPause);
  }

  private flush(): void {
    clearTimeout(this.timer);
    const fragment = this.pending;
    this.pending = null;
    if (fragment !== null && fragment !== this.current) this.commit(fragment, "replaceState");
  }

  private commit(fragment: string, how: "pushState" | "replaceState"): void {
    this.current = fragment;
    try {
      history[how](null, "", `#${fragment}`);
    } catch {
      // Too often or too long: the page goes on without.
    }
  }
}

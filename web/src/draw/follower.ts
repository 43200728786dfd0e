// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Asks the engine for what is shown while that moves: one request at a time, and once more after its answer if it moved meanwhile.

export class Follower {
  private newest = 0; // answers to older requests do not count
  private asking = false;
  private moved = false;

  // `ask` begins a request for what is to be shown now, and promises what to do with the answer; null: there is nothing to ask yet.
  constructor(
    private readonly ask: () => Promise<() => void> | null,
    private readonly frame: { setBusy(isBusy: boolean): void },
    private readonly failed: (error: unknown) => void,
  ) {}

  // `overtake`: the request under way is about something else, and its answer is not wanted any more.
  follow(overtake = false): void {
    if (this.asking && !overtake) {
      this.moved = true;
      return;
    }
    const answer = this.ask();
    if (answer === null) return;
    this.asking = true;
    this.moved = false;
    const number = ++this.newest;
    const arrived = () => {
      if (number !== this.newest) return false;
      this.asking = false;
      this.frame.setBusy(false);
      return true;
    };
    this.frame.setBusy(true);
    answer.then(
      (show) => {
        if (!arrived()) return;
        show();
        if (this.moved) this.follow();
      },
      (error: unknown) => {
        if (arrived()) this.failed(error);
      },
    );
  }
}

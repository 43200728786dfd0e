// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Costs by thread. The files of a difference have an event each, and each thread counts by the event of its file.

import type { Meta, ThreadCosts } from "../engine/api";
import type { Context } from "./view";

export async function threadCosts(ask: Context["ask"], meta: Meta, event: number, range: readonly [number, number] | null, channel?: string): Promise<ThreadCosts> {
  if (!meta.isDifference) return ask("threads", { event, range }, channel);
  const [before, after] = await Promise.all([
    ask("threads", { event: 0, range }, channel === undefined ? undefined : `${channel}-before`),
    ask("threads", { event: 1, range }, channel),
  ]);
  const pick = (name: "weight" | "samples") => Float64Array.from(meta.threads, (thread, t) => (thread.side === 0 ? before : after)[name][t] ?? 0);
  return { weight: pick("weight"), samples: pick("samples"), busiest: after.busiest };
}

// Weight and samples of some threads; null: of all that have the event.
export function sumOf(costs: ThreadCosts, threads: readonly number[] | null): { weight: number; samples: number } {
  let [weight, samples] = [0, 0];
  const add = (t: number) => {
    weight += costs.weight[t] ?? 0;
    samples += costs.samples[t] ?? 0;
  };
  if (threads === null) for (let t = 0; t < costs.weight.length; ++t) add(t);
  else threads.forEach(add);
  return { weight, samples };
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Several slow sampling clocks per CPU instead of a fast one.
//
// The clock of a CPU is a kernel timer, which also fires while the target sleeps. The kernel wakes a sleeping thread up to 50 us
// late (its timer slack), together with any other timer that fires by then. So a sampling clock wakes threads, and their work
// begins right after a tick. A program that works in short bursts can fall into step: each burst begins at a tick and ends before
// the next one, and no burst is ever sampled. Or too many are.
//
// Ticks at random times have no such bias, whatever they wake (Poisson arrivals see time averages), but the kernel has no such
// clock. The ticks of several clocks with different periods together come close: a program can be in step with one of them only,
// since the others drift against it. The total rate, and with it the cost, stays the same.
//
// When the machine itself was stopped (its host ran something else), every clock that should have ticked meanwhile ticks at once
// afterwards. A single clock ticks once then, so only one of these ticks counts (TickTimes).
//
// Rejected: changing the period of a single clock at random every 10 to 20 ms. Programs fall into step within a few ticks; a
// third of their bursts was still missing in simulations. Events of tasks stop with their task and so cannot wake it, but never
// sample short tasks (task_filter.h).

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace wick {

struct SpreadClock {
  size_t cpu = 0;
  uint64_t start_ns = 0;
  uint64_t period_ns = 0;  // 0: not a clock; the single clock of this CPU ends
};

// When to start the clocks that replace a single clock with this period on each of `cpus` CPUs. None ticks before the single
// clock ends, and then each tick is at a random time within its period. In order of start.
std::vector<SpreadClock> plan_spread_clocks(uint64_t begin_ns, uint64_t period_ns, size_t cpus, std::mt19937_64& random);

// The times of a clock's ticks. Late ones keep the beat: the kernel adds whole periods.
class TickTimes {
 public:
  TickTimes() = default;
  TickTimes(uint64_t start_ns, uint64_t period_ns) : start_ns_(start_ns), period_ns_(period_ns) {}

  // How much later than usual this tick is within its period.
  uint64_t late_ns(uint64_t time_ns);

 private:
  uint64_t start_ns_ = 0, period_ns_ = 0;
  // Least delay of this and the previous group of ticks: opening other events shifts the beat a little.
  uint64_t least_ns_ = UINT64_MAX, least_before_ns_ = UINT64_MAX;
  unsigned ticks_ = 0;
};

// Whether a tick follows another one of its CPU only because both were held up.
bool is_held_up(uint64_t late_ns, uint64_t since_last_ns);

}  // namespace wick

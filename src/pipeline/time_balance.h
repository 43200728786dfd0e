// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The CPU time that the kernel counted for each thread, set against the time that its samples stand for.
//
// Two kinds of recording. Where every thread has a clock of its own (perf events of a task), the clock starts anew with each
// thread, so the time after the last sample was never sampled, all of a thread that ended within one period included. That time
// is known and is shown as "[unsampled]". Where one clock runs on across threads (events of a CPU, ticks of the ptrace engine),
// a thread is hit by chance in proportion to its time: a short thread's sample stands for others of its kind too. There, long
// threads are balanced each by itself and short ones together, by the names of process and thread.
//
// Refused: balancing short threads each by itself under a clock of the second kind. One in three threads of a third of a period
// is sampled; cut down to its own time, its sample would leave two thirds of the time without a function.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/profile.h"

namespace wick {

struct ThreadTime {
  uint32_t process_name = 0, thread_name = 0;  // any numbers; equal for equal names
  std::optional<int64_t> counted;              // may be below zero (capture.h): it evens out among short threads
  uint64_t tail = 0;                           // of that, after the last moment at which a sample could have been taken
  uint64_t sampled = 0;                        // the weight of its samples
  uint64_t samples = 0;
  bool ended = false;  // other than by becoming another program
  bool first = false;  // it is its process's first thread
};

struct BalanceRules {
  bool shared_clock = false;
  bool user_only = false;  // time in the kernel was counted, but is not sampled and not part of the profile
  bool has_gaps = false;   // there were times without samples: samples of other times do not represent them
  uint64_t period = 0;     // between samples of a thread
  // On average, of each thread that ended: what it used after it was counted, and what of its count others do not count (of
  // threads that are not the first).
  uint64_t way_out = 0, afterwards = 0;
};

struct ThreadBalance {
  uint64_t sampled = 0;    // what the weights of its samples are to add up to
  uint64_t unsampled = 0;  // time without a sample
};

// Values beyond 2^52 are taken for that: a file may say anything.
std::vector<ThreadBalance> balance_times(std::span<ThreadTime> threads, BalanceRules rules);

TimeTotals add_up(std::span<const ThreadTime> threads, std::span<const ThreadBalance> balances);

}  // namespace wick

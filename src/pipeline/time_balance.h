// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Compares the CPU time that the kernel counted for each thread with the time that its samples represent.
//
// If every thread has its own clock (perf events of a task), the clock restarts with each thread, so the time after the last
// sample is never sampled, including all of a thread that ended within one period. That time is known and shown as "[unsampled]".
// If one clock continues across threads (events of a CPU, ticks of the ptrace engine), a thread is sampled by chance in
// proportion to its time: a short thread's sample also represents similar threads. Then long threads are balanced alone, and
// short ones together, by process and thread name.
//
// Rejected: balancing short threads alone under a shared clock. Of threads that run a third of a period, one in three is sampled;
// scaled to its own time, its sample would leave two thirds of the time without a function.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/profile.h"

namespace wick {

struct ThreadTime {
  uint32_t process_name = 0, thread_name = 0;  // arbitrary numbers, equal for equal names
  std::optional<int64_t> counted;              // may be negative (capture.h): this evens out among short threads
  uint64_t tail = 0;                           // part of it after the last possible sample
  uint64_t sampled = 0;                        // weight of its samples
  uint64_t samples = 0;
  bool ended = false;  // not by exec
  bool first = false;  // first thread of its process
};

struct BalanceRules {
  bool shared_clock = false;
  bool user_only = false;  // kernel time is counted, but not sampled and not in the profile
  bool has_gaps = false;   // there were times without samples, which other samples do not represent
  uint64_t period = 0;     // between samples of a thread
  // Average per ended thread: what it used after its count was read, and the part of its count that no other counter includes
  // (for threads other than the first).
  uint64_t way_out = 0, afterwards = 0;
  // On the whole machine: while a virtual CPU had work and the host ran something else. Clocks of events continue, without
  // samples.
  uint64_t stolen = 0;
};

struct ThreadBalance {
  uint64_t sampled = 0;    // target for the sum of its sample weights
  uint64_t unsampled = 0;  // time without samples
};

// Values are capped at 2^52: a file may contain anything.
std::vector<ThreadBalance> balance_times(std::span<ThreadTime> threads, BalanceRules rules);

TimeTotals add_up(std::span<const ThreadTime> threads, std::span<const ThreadBalance> balances);

// CPU time that samples do not explain if the kernel is not sampled.
struct UnexplainedTime {
  uint64_t counted = 0;    // by the clock of the events
  uint64_t explained = 0;  // part of it
  uint64_t system = 0;     // kernel part by the scheduler's own count, which may lack processes that nobody waited for
  uint64_t stolen = 0;     // on the whole machine: while a virtual CPU had work and the host ran something else
  uint64_t used = 0;       // all of it by the scheduler's own count, without stolen time; 0: unknown
};
struct RestOfTime {
  uint64_t kernel = 0, stolen = 0;
};
// The rest was in the kernel, or stolen: the clock of an event runs on while the host has taken the CPU away.
RestOfTime divide_rest(const UnexplainedTime& time);
// Whether so much is unsampled that the kernel time known is only a lower limit.
inline bool may_hide_kernel_time(uint64_t unsampled, uint64_t all) { return unsampled > all / 50; }

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// perf_event_open: which attributes wick asks for, and what a refusal means in words.

#include <linux/perf_event.h>
#include <sys/types.h>

#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "capture/perf_records.h"
#include "record/machine.h"
#include "record/options.h"

namespace wick {

// The events to record: those asked for, or cycles where there are counters and cpu-clock where there are none. Refuses what
// could never fire for this user, so that nobody waits for an empty profile. `notes` gets the line that tells of a replacement.
Result<std::vector<EventSpec>> choose_events(const std::vector<EventSpec>& asked, const Machine& machine,
                                             std::vector<std::string>& notes);

struct PerfPlan {
  bool with_kernel = false;     // kernel side too
  bool with_lost_count = true;  // read() tells the lost samples (Linux 6.0)
  uint32_t stack_size = 0;
};

// How much of a stack the kernel copies when nothing else is asked for (it stops where the stack ends), and the most it can.
constexpr uint32_t kSmallestDefaultStack = 4096, kLargestDefaultStack = 16384;
constexpr uint32_t kLargestStackSize = 65528;

perf_event_attr sampling_attr(const EventSpec& spec, const RecordOptions& options, const PerfPlan& plan);
// Mappings, names, forks and exits, apart from samples so that they never wait behind them; counts CPU time besides.
perf_event_attr side_attr(const RecordOptions& options, bool whole_cpu);
PerfLayout layout_of(const perf_event_attr& attr);

Result<Fd> open_perf_event(perf_event_attr& attr, pid_t pid, int cpu, unsigned long flags = 0);
// The refusal of `open_perf_event` in words, with the command that would allow it.
Error explain_refusal(int errnum, const EventSpec& spec, const RecordOptions& options, pid_t pid, const Machine& machine);

}  // namespace wick

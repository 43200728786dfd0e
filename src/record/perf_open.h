// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// perf_event_open: the attributes that wick uses, and explanations of its errors.

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

// The events to record: the requested ones, or the automatic one. Rejects events that can never fire for this user, which
// would leave the profile empty. Adds a line to `notes` if cpu-clock replaces cycles.
Result<std::vector<EventSpec>> choose_events(const std::vector<EventSpec>& asked, const Machine& machine,
                                             std::vector<std::string>& notes);

struct PerfPlan {
  bool with_kernel = false;     // include the kernel
  bool with_lost_count = true;  // read() reports lost samples (Linux 6.0)
  uint32_t stack_size = 0;
  bool of_cpus = false;  // events of CPUs, limited to the target by a filter (task_filter.h)
};

// Default bytes of stack that the kernel copies (it stops at the end of the stack), and the maximum.
constexpr uint32_t kSmallestDefaultStack = 4096, kLargestDefaultStack = 16384;
constexpr uint32_t kLargestStackSize = 65528;

perf_event_attr sampling_attr(const EventSpec& spec, const RecordOptions& options, const PerfPlan& plan);
// Context switches, in a separate ring: there may be many.
perf_event_attr switch_attr(const RecordOptions& options);
// Ends of tasks, as reported by a BPF program.
perf_event_attr output_attr();
// Mappings, names, forks and exits, separate from samples so that they never wait behind them; also counts CPU time.
perf_event_attr side_attr(const RecordOptions& options, bool whole_cpu);
PerfLayout layout_of(const perf_event_attr& attr);

Result<Fd> open_perf_event(perf_event_attr& attr, pid_t pid, int cpu, unsigned long flags = 0);
// Explains an error of `open_perf_event`, with the command that would allow it.
Error explain_refusal(int errnum, const EventSpec& spec, const RecordOptions& options, pid_t pid, const Machine& machine);

}  // namespace wick

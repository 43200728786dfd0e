// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which counters to open, and in which groups. A ratio such as IPC is true only if both counts are from the same time, so the
// counters of a figure are in one group, which the kernel counts together or not at all. Sets of figures share a group as far as
// the kernel accepts it: it refuses a group that does not fit into the CPU's counters.

#include <string>
#include <vector>

#include "base/result.h"
#include "record/event_spec.h"
#include "record/machine.h"
#include "stat/counters.h"

namespace wick::stat {

// A PMU of CPU cores. Hybrid machines have several: cpu_core and cpu_atom, or one for each kind of Arm core.
struct CorePmu {
  std::string name;
  uint32_t type = 0;
  std::vector<uint32_t> cpus;  // empty: all
  uint32_t slots = 0;          // operations per cycle, of Arm cores; 0: unknown
};
// `sysfs`: usually "/sys". Names in `machine.pmu_devices` that lack a type are left out.
std::vector<CorePmu> load_core_pmus(const std::vector<std::string>& names, const std::string& sysfs);

struct Counter {
  std::string name;  // of the figure
  EventSpec event;
};
struct CounterGroup {
  std::vector<Counter> counters;
  std::string core;            // type of cores, if there are several
  std::vector<uint32_t> cpus;  // empty: all
  uint32_t slots = 0;
  bool hardware = false;
};

struct CounterPlan {
  std::vector<CounterGroup> groups;  // the software counters first
  bool with_kernel = true;
  int hardware_error = 0;  // errno of cycles if no hardware counter works; 0: some do
  int software_error = 0;  // errno of task-clock if that does not work
};

struct PlanRequest {
  std::vector<EventSpec> events;  // asked for; empty: the usual ones
  bool with_kernel = true;
  bool detailed = false;  // also the caches of each level
  bool of_machine = false;
  bool watchdog = false;  // the NMI watchdog of x86 uses a counter that the kernel's check of groups does not know of
};

// Opens counters of this process to see what works. Fails if an event that was asked for does not.
Result<CounterPlan> plan_counters(const PlanRequest& request, const std::vector<CorePmu>& pmus, const std::string& sysfs,
                                  CounterPort& port);

perf_event_attr counting_attr(const EventSpec& event, bool with_kernel, bool leads);

}  // namespace wick::stat

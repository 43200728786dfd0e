// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Parses "-e cycles:u,sched:sched_switch" into perf_event_open attributes.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace wick {

struct EventSpec {
  std::string name;   // as written by the user
  uint32_t type = 0;  // PERF_TYPE_*
  uint64_t config = 0, config1 = 0, config2 = 0;
  bool user_only = false, kernel_only = false;  // :u, :k
  uint8_t precise = 0;                          // :p, :pp, :ppp
  std::string unit;                             // of its counts: "ns", "cycles", …
  bool is_clock = false;                        // counts nanoseconds of CPU time
  bool kernel_side = false;                     // happens only in the kernel: never fires with user_only
  uint64_t period = 0;                          // sample every N events; 0: at a rate
  bool automatic = false;                       // "auto" or unspecified: may fall back to cpu-clock without counters
};

// `sysfs`: where PMUs are described, for tests.
Result<std::vector<EventSpec>> parse_events(std::string_view list, const std::string& sysfs = "/sys");
EventSpec automatic_event();         // cycles, or cpu-clock without hardware counters
EventSpec default_software_event();  // cpu-clock
// All names that parse_events() knows except tracepoints and raw events, for suggestions and help.
std::vector<std::string> known_event_names();

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// "-e cycles:u,sched:sched_switch" -> what perf_event_open wants.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace wick {

struct EventSpec {
  std::string name;   // as the user wrote it
  uint32_t type = 0;  // PERF_TYPE_*
  uint64_t config = 0, config1 = 0, config2 = 0;
  bool user_only = false, kernel_only = false;  // :u, :k
  uint8_t precise = 0;                          // :p, :pp, :ppp
  std::string unit;                             // of its counts: "ns", "cycles", …
  bool is_clock = false;                        // counts nanoseconds of CPU time
  bool kernel_side = false;                     // happens in the kernel only: can never fire with user_only
  uint64_t period = 0;                          // one sample for so many; 0: by rate
};

Result<std::vector<EventSpec>> parse_events(std::string_view list);
EventSpec default_hardware_event();  // cycles
EventSpec default_software_event();  // cpu-clock
// All names parse_events knows besides tracepoints and raw events, for suggestions and help.
std::vector<std::string> known_event_names();

}  // namespace wick

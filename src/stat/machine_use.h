// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the machine did meanwhile: time that something waited for a CPU, for memory or for I/O (pressure stall information), time
// that the host of a virtual machine took, and CPU time used by anyone.

#include <cstdint>
#include <optional>
#include <string_view>

#include "stat/figure.h"

namespace wick::stat {

struct MachineUse {
  std::optional<uint64_t> cpu_pressure_ns, memory_pressure_ns, io_pressure_ns;
  uint64_t stolen_ns = 0, busy_ns = 0;
};
MachineUse load_machine_use();
// "some avg10=0.00 avg60=0.00 avg300=0.00 total=1234" in microseconds.
std::optional<uint64_t> parse_pressure(std::string_view text);
// The first line of /proc/stat: without idle, I/O wait and stolen time, in ticks.
uint64_t parse_busy_ticks(std::string_view text);

// Figures of the machine between two readings.
void add_machine_figures(Figures& figures, const MachineUse& before, const MachineUse& after);

}  // namespace wick::stat

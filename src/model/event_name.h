// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace wick {

// A perf event name without modifiers that do not change what is counted: "cpu-clock:pppH" (precision, no virtual machines) is
// "cpu-clock", "cycles:upp" is "cycles:u". Other names stay unchanged.
std::string plain_event_name(std::string_view name);

// What to say of the addresses of this event's samples if they may lag behind the instructions that cost: a timer or counter
// interrupts the CPU some instructions later. Empty if they are precise ("cycles:pp", "page-faults") or nothing is known.
std::string describe_skid(std::string_view name);

}  // namespace wick

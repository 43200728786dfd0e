// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace wick {

// An event of perf's without the modifiers that do not change what it counts: "cpu-clock:pppH" (how exactly, and not in virtual
// machines) is "cpu-clock", "cycles:upp" is "cycles:u". Other names stay as they are.
std::string plain_event_name(std::string_view name);

}  // namespace wick

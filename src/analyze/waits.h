// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What threads waited for: one row for each kind of wait and object.

#include <cstdint>
#include <optional>
#include <vector>

#include "analyze/stack_costs.h"

namespace wick {

struct WaitRow {
  StringId kind{}, object{};  // invalid: unknown, as of waits that ended before they could be looked at
  int64_t weight = 0;
  double count = 0;         // waits; an estimate if there are short ones, of which only some are looked at
  uint64_t longest_ns = 0;  // of those that were looked at
  uint32_t threads = 0;
  StackId stack{};  // the hottest
  int64_t stack_weight = 0;
};

// Most time first. `selection`: of an event with waits.
std::vector<WaitRow> compute_waits(const Profile& profile, const Selection& selection);

// The program's own function that waits: the innermost frame that is not of a system library; else the innermost one.
FrameId find_waiting_frame(const Profile& profile, StackId stack);

// The parts of a thread's life, as far as it was recorded; nullopt: waits were not recorded, or it did none of it.
struct ThreadParts {
  uint64_t running_ns = 0, ready_ns = 0, blocked_ns = 0;
};
std::optional<ThreadParts> compute_parts(const Profile& profile, ThreadId thread);

// The event with the waits; invalid if there is none.
EventId find_wait_event(const Profile& profile);

}  // namespace wick

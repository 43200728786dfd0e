// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Groups threads.

#include <cstdint>
#include <string>
#include <vector>

#include "analyze/selection.h"
#include "model/profile.h"

namespace wick {

// An extra level between the root and the outermost functions, by thread. Without names there is none.
struct ThreadGroups {
  static constexpr uint32_t kNone = UINT32_MAX;

  std::vector<std::string> names;
  std::vector<uint32_t> of_thread;  // row of `names` for each thread of the profile; kNone: no selected samples
};
// Merges processes of the same name; empty if all selected samples belong to one.
ThreadGroups group_by_process_name(const Profile& profile, const Selection& selection);
// One group per thread with samples, even if there is only one. Labels include the thread ID if names are ambiguous, and the
// process if there are several.
ThreadGroups group_by_thread(const Profile& profile, const Selection& selection);

}  // namespace wick

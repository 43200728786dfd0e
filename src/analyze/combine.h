// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Builds profiles from profiles.

#include <span>
#include <string>
#include <vector>

#include "model/profile.h"

namespace wick {

// All samples of all profiles. Events with the same name and unit are merged; processes and threads stay separate; times count
// from the start of each recording. With `merge`, samples of the same thread, stack and event become one row without a time, and
// anonymous threads become one.
struct MergeOptions {
  bool merge = false;
};
[[nodiscard]] Profile merge_profiles(std::span<const Profile> profiles, const MergeOptions& options = {});

// Only samples with one of these functions on the stack, and only the part of the stack from it on, without its callers. If it
// appears several times, from the innermost.
[[nodiscard]] Profile cut_to_base(Profile profile, std::span<const std::string> functions);

// Chain graphs: a frame "--" separates the waiting stack from its wakers. Functions after it get the mark "_[w]".
[[nodiscard]] Profile mark_wakers(Profile profile);

}  // namespace wick

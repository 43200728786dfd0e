// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Profiles made of profiles.

#include <span>
#include <string>
#include <vector>

#include "model/profile.h"

namespace wick {

// All samples of all of them. Events of the same name and unit are one; processes and threads stay apart; times count from each
// recording's own start. With `merge`, samples of the same thread, stack and event become one row, without times, and threads
// that are nobody's become one.
struct MergeOptions {
  bool merge = false;
};
[[nodiscard]] Profile merge_profiles(std::span<const Profile> profiles, const MergeOptions& options = {});

// Only samples with one of these functions in their stacks, and those stacks from there on: its callers are gone. Where it is
// there several times, from the innermost on.
[[nodiscard]] Profile cut_to_base(Profile profile, std::span<const std::string> functions);

// Chain graphs: a frame "--" parts what waited from those who woke it. Names of the functions behind it get the mark "_[w]".
[[nodiscard]] Profile mark_wakers(Profile profile);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Combines two profiles to compare them (Profile::is_difference): tables and trees then work on both, with the same IDs.

#include <string>
#include <vector>

#include "analyze/selection.h"
#include "base/result.h"
#include "model/profile.h"

namespace wick {

struct CombineOptions {
  // Scale the costs of `before` to the total of `after`. Sample counts stay unchanged.
  bool normalize = false;
  bool strip_hex = false;  // in function names (analyze/diff_name.h)
  // For text: a function is its name in any module, and the thread's name is the outermost function.
  bool flat = false;
  // What was done to make them comparable, as sentences.
  std::vector<std::string>* notes = nullptr;
};

// The selected samples, one row per thread, stack and event; events[0] is "before", events[1] "after", in a common unit. Fails if
// the units differ, unless costs are normalized.
//
// If a profile has no sample counts (Profile::has_counts), they are estimated from the weights (analyze/sample_weight.h), rather
// too low.
//
// Functions match if their names (without hashes) and modules match (analyze/module_match.h); if one side has no modules, names
// are enough. Functions without symbols match by address if both sides ran the same build; otherwise each module has a single
// one. Threads and processes match by name, or by the name of their program; their IDs are dropped.
Result<Profile> combine_profiles(const Profile& before, const Selection& before_selection, const Profile& after,
                                 const Selection& after_selection, const CombineOptions& options = {});

// The samples of such a profile, by side and in total.
struct Sides {
  Selection before, after, both;
};
Result<Sides> select_sides(const Profile& combined);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Two profiles as one, to be compared (Profile::is_difference): everything that tables and trees do for one profile they then do
// for both, with the same ids.

#include <string>
#include <vector>

#include "analyze/selection.h"
#include "base/result.h"
#include "model/profile.h"

namespace wick {

struct CombineOptions {
  // Scale the costs of `before`, so that both have the same total. Numbers of samples stay what they were.
  bool normalize = false;
  bool strip_hex = false;  // in names of functions (analyze/diff_name.h)
  // For text: a function is its name, whatever module it is in, and the thread's name is the outermost function.
  bool flat = false;
  // What was done to make the two comparable, in words.
  std::vector<std::string>* notes = nullptr;
};

// The selected samples, one row for each thread, stack and event; events[0] is "before", events[1] "after", in a common unit.
// Fails where the units differ, unless the costs are normalized.
//
// Where a profile does not tell how many samples it has (Profile::has_counts), their number is estimated from the weights
// (analyze/sample_weight.h), and rather too small.
//
// Functions are the same when their names (without hashes) and their modules are (analyze/module_match.h); where one of the two
// knows no modules, names alone count. Functions without symbols are matched by address if both sides ran the same build;
// otherwise each module has a single one. Threads and processes are the same when
// their names are, or those of their programs; ids of theirs are not kept.
Result<Profile> combine_profiles(const Profile& before, const Selection& before_selection, const Profile& after,
                                 const Selection& after_selection, const CombineOptions& options = {});

// The samples of such a profile, by side and all of them.
struct Sides {
  Selection before, after, both;
};
Result<Sides> select_sides(const Profile& combined);

}  // namespace wick

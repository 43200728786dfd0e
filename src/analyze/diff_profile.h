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

// Where a function of the result comes from. A profile may have several functions that become one; this is the first of them.
struct CombinedFunction {
  FunctionId before{}, after{};  // invalid: that side has no samples of it
  bool same_build = false;       // its module is the same file on both sides, so addresses mean the same
};

// Names in their own profiles, by ID in the difference, which has common names.
struct OwnNames {
  std::vector<std::string> threads{}, processes{};
};

struct CombineOptions {
  // Scale the costs of `before` to the total of `after`. Sample counts stay unchanged.
  bool normalize = false;
  bool strip_hex = false;  // in function names (analyze/diff_name.h)
  // For text: a function is its name in any module, and the thread's name is the outermost function.
  bool flat = false;
  // Keep each sample with its time, from the start of its recording, and the threads of each side with their IDs.
  // Frames keep addresses if these are of one build: those of `after`, those of `before` if it ran the same build or if `after`
  // does not have the function.
  bool keep_samples = false;
  // Receives a row for each function of the result.
  std::vector<CombinedFunction>* functions = nullptr;
  OwnNames* own_names = nullptr;  // only of kept samples
  // What was done to make them comparable, as sentences.
  std::vector<std::string>* notes = nullptr;
};

// The selected samples, one row per thread, stack and event (unless kept as they are); events[0] is "before", events[1] "after",
// in a common unit. Fails if the units differ, unless costs are normalized.
//
// If a profile has no sample counts (Profile::has_counts), they are estimated from the weights (analyze/sample_weight.h), rather
// too low.
//
// Functions match if their names (without hashes) and modules match (analyze/module_match.h); if one side has no modules, names
// are enough. Functions without symbols match by address if both sides ran the same build; otherwise each module has a single
// one. Threads and processes match by name, or by the name of their program; their IDs are dropped unless
// samples are kept.
Result<Profile> combine_profiles(const Profile& before, const Selection& before_selection, const Profile& after,
                                 const Selection& after_selection, const CombineOptions& options = {});

// The samples of such a profile, by side and in total.
struct Sides {
  Selection before, after, both;
};
Result<Sides> select_sides(const Profile& combined);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Folded stacks with two counts, the text that makes differential flame graphs: "root;…;leaf BEFORE AFTER".

#include <functional>
#include <string_view>
#include <vector>

#include "analyze/diff_profile.h"
#include "model/stack_text.h"

namespace wick {

struct DiffFoldedOptions {
  bool samples = true;      // numbers of samples; else costs
  double scale_before = 1;  // of numbers of samples; costs are scaled in the profile
  int decimals = 6;         // at most; scaled numbers have as many as one likes
};

// `combined` is flat (CombineOptions). Every stack of either side, sorted frame by frame. Hands the text over in pieces and stops
// when `sink` returns false.
void write_diff_folded(const Profile& combined, const Sides& sides, const DiffFoldedOptions& options,
                       const std::function<bool(std::string_view)>& sink);

// The same of two texts of folded stacks, whole lines at a time: what took frames apart only to join them again took five times
// as long. Both have the divisor of weights; rows whose names are written differently are changed. False: the sums are too large,
// and nothing was written.
bool write_diff_folded(std::vector<CountedStack>& before, std::vector<CountedStack>& after, uint64_t divisor, bool strip_hex,
                       const std::function<bool(std::string_view)>& sink);

}  // namespace wick

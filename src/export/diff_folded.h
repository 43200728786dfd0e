// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Folded stacks with two counts, for differential flame graphs: "root;…;leaf BEFORE AFTER".

#include <functional>
#include <string_view>
#include <vector>

#include "analyze/diff_profile.h"
#include "model/stack_text.h"

namespace wick {

struct DiffFoldedOptions {
  bool samples = true;      // counts are samples; else costs
  double scale_before = 1;  // for sample counts; costs are scaled in the profile
  int decimals = 6;         // at most; scaled counts have arbitrarily many
};

// `combined` is flat (CombineOptions). Writes every stack of either side, sorted frame by frame, in pieces. Stops if `sink`
// returns false.
void write_diff_folded(const Profile& combined, const Sides& sides, const DiffFoldedOptions& options,
                       const std::function<bool(std::string_view)>& sink);

// The same for two texts of folded stacks, by whole lines: splitting and joining frames took five times as long. Both have the
// same divisor; rows with changed names are rewritten. False: the sums are too large, and nothing was written.
bool write_diff_folded(std::vector<CountedStack>& before, std::vector<CountedStack>& after, uint64_t divisor, bool strip_hex,
                       const std::function<bool(std::string_view)>& sink);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What one sample weighs where a file does not tell (Profile::has_counts). Folded stacks have one number a line: samples, or what
// they weigh (perf's periods, nanoseconds). Whoever takes nanoseconds for samples finds every noise significant, so the weight of
// a sample is rather taken too large, and the number of samples too small:
//
// - What all numbers are multiples of, where that is large (a period that stays the same) or where there are many numbers and a
//   quarter of the stacks have no more than some few of it, as stacks that were seen once or twice have.
// - Else samples differ in weight, and the middle one of all stacks' numbers stands for a sample. Not the smallest: perf begins
//   with tiny periods. In the middle lie stacks that were seen once, or more often.

#include "model/profile.h"

namespace wick {

// In parts of the event's unit; at least one whole unit.
uint64_t estimate_sample_weight(const Profile& profile, EventId event);

}  // namespace wick

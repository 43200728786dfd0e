// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Estimates the weight of a sample if a file has no sample counts (Profile::has_counts). Folded stacks have one number per line:
// samples or their weight (perf periods, nanoseconds). Taking nanoseconds for samples would make all noise significant, so the
// weight is estimated rather too high, and the number of samples too low:
//
// - The common factor of all numbers, if it is large (a constant period), or if there are many numbers and a quarter of the
// stacks have only a few times that factor, as stacks seen once or twice do.
// - Otherwise weights differ, and the median of all stacks' numbers is taken for a sample. Not the minimum: perf begins with tiny
// periods. The median stack was seen once or more often.

#include "model/profile.h"

namespace wick {

// In parts of the event's unit; at least one unit.
uint64_t estimate_sample_weight(const Profile& profile, EventId event);

}  // namespace wick

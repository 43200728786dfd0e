// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What sampling noise can explain. A sampled cost is a number of samples, and the same program recorded again gives another one.
// Two questions are asked of each pair of costs: is the cost another one, and is its share of everything another one?
//
// The answer is a probability: how often a difference of this size (or more) would come about if nothing had changed. It is that
// of a likelihood ratio (G) test with a continuity correction: within a few per cent of the exact tests down to a handful of
// samples, and a closed form whatever the counts; the exact tests' sums take long where files claim billions of samples, and the
// usual z-test finds far too much where counts are small. docs/diff.md tells the same to users.

#include <cstdint>
#include <vector>

#include "analyze/stack_costs.h"

namespace wick {

// A difference below this part of the larger cost is never one: two runs of the same program differ by that much.
constexpr double kRunToRun = 0.05;
// Marked when noise alone would mark anything at all in one of so many comparisons of equal programs.
constexpr double kNoiseLevel = 0.01;

// What one row cost and what everything cost.
struct Costs {
  Cost part, whole;
};

// How likely noise alone makes the two costs differ so much. 1: they do not.
double cost_noise(const Costs& before, const Costs& after);
// The same for the two shares of the whole.
double share_noise(const Costs& before, const Costs& after);
// The least that either could give for rows with so many samples together.
double least_noise(const Costs& before, const Costs& after);

// Corrects for having looked at many rows (Holm's step-down): afterwards a value below kNoiseLevel may be called a change, and
// the chance that any of those is none is below kNoiseLevel, however the rows hang together.
void correct_for_many(std::vector<double*> probabilities);

}  // namespace wick

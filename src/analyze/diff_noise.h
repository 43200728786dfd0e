// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What sampling noise can explain. A sampled cost is a number of samples, and recording the same program again gives another one.
// Two questions about each pair of costs: did the cost change, and did its share of the total change?
//
// The answer is a probability: how often a difference of at least this size occurs if nothing changed. It comes from a likelihood
// ratio (G) test with a continuity correction: within a few percent of the exact tests down to a handful of samples, and a closed
// form for any counts. The exact tests' sums take too long if files claim billions of samples, and the usual z-test reports far
// too many changes for small counts. docs/diff.md explains this to users.

#include <cstdint>
#include <vector>

#include "analyze/stack_costs.h"

namespace wick {

// A difference below this part of the larger cost never counts: two runs of the same program differ by that much.
constexpr double kRunToRun = 0.05;
// The probability that noise alone marks anything in a comparison of equal programs.
constexpr double kNoiseLevel = 0.01;

// The cost of a row and the total cost.
struct Costs {
  Cost part, whole;
};

// How likely noise alone explains this difference of costs. 1: there is none.
double cost_noise(const Costs& before, const Costs& after);
// The same for the shares of the total.
double share_noise(const Costs& before, const Costs& after);
// The lowest possible result for rows with this many samples.
double least_noise(const Costs& before, const Costs& after);

// Corrects for testing many rows (Holm's step-down): afterwards a value below kNoiseLevel is a change, and the chance that any of
// them is false is below kNoiseLevel, whatever the dependencies between rows.
void correct_for_many(std::vector<double*> probabilities);

}  // namespace wick

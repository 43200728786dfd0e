// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Costs as numbers of samples, for formats that have only such a number per stack.

#include <cstdint>
#include <span>
#include <vector>

#include "analyze/stack_costs.h"

namespace wick {

// The number of periods that each cost stands for. Costs with samples get at least 1. What rounding takes from one is given to
// another, so that the sum is that of all costs, rounded, whatever their order.
std::vector<uint64_t> round_counts(std::span<const Cost> costs, uint64_t period);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "analyze/code_costs.h"
#include "annotate/code_rows.h"

namespace wick {

// A row's self cost is that of all its instructions, so a line includes what is inlined there. Total costs of lines in inlined
// functions are unknown: a sample may have several of their instructions on its stack.
struct RowCost {
  Cost self;
  std::optional<Cost> total;
};

// `costs`: by these instructions (CodeQuery).
std::vector<RowCost> compute_row_costs(const Profile& profile, const FunctionCode& code, const std::vector<CodeRow>& rows,
                                       const CodeCosts& costs);

}  // namespace wick

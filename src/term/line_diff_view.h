// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Renders the output of `wick diff --annotate`.

#include <string>
#include <string_view>
#include <vector>

#include "annotate/line_diff.h"
#include "term/diff_view.h"
#include "term/style.h"

namespace wick {

// `whole`: a table whose only row is the function with inlined code. `self`: without. `notes`: below the function's name.
std::string render_function_change(std::string_view function, std::string_view module, const DiffTable& whole,
                                   const DiffCost& self, const std::vector<std::string>& notes, const CostUnit& unit,
                                   const DiffColors& colors, const Style& style);

std::string render_line_diff(const LineDiff& diff, const CostUnit& unit, const DiffColors& colors, const Style& style);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Renders the output of `wick diff`.

#include <cstddef>
#include <string>
#include <string_view>

#include "analyze/diff_table.h"
#include "analyze/format.h"
#include "analyze/selection.h"
#include "term/style.h"

namespace wick {

struct DiffColors {
  Paint grew = Paint::kGrew, shrank = Paint::kShrank;
};

// The profiles, their costs, how they are compared and why, losses, and the total change.
std::string render_diff_heading(const DiffSide& before, const DiffSide& after, const Filter& filter, const Profile& combined,
                                const DiffTable& table, std::string_view why, const Style& style);

// The part of it that is the same for all comparisons: without the number of changed rows.
std::string render_diff_profiles(const DiffSide& before, const DiffSide& after, const Filter& filter, const Profile& combined,
                                 const DiffTable& table, std::string_view why, const Style& style);

// If all costs changed alike: what that may mean. Empty if not.
std::string describe_uniform_change(const DiffTable& table);

// The changes: at most `limit` rows (0: all), then a line with the number of hidden rows.
std::string render_diff_table(const Profile& combined, const DiffTable& table, size_t limit, const DiffColors& colors,
                              const Style& style);

// A change as a table shows it, and its mark.
std::string format_change(const DiffTable& table, const DiffCost& cost, bool as_share, const CostUnit& unit);
std::string change_mark(Change change, const Style& style);
Paint change_paint(Change change, const DiffColors& colors);

// "render: 33.3% -> 70.0% of the total (+36.7 pp)"
std::string describe_regression(const Profile& combined, const DiffTable& table, const Regression& regression);

}  // namespace wick

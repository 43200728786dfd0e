// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The texts of `wick diff`.

#include <cstddef>
#include <string>
#include <string_view>

#include "analyze/diff_table.h"
#include "analyze/selection.h"
#include "term/style.h"

namespace wick {

struct DiffColours {
  Paint grew = Paint::kGrew, shrank = Paint::kShrank;
};

// Which profiles, how much they cost, how they are compared and why, what is missing from them, and how much changed.
std::string render_diff_heading(const DiffSide& before, const DiffSide& after, const Filter& filter, const Profile& combined,
                                const DiffTable& table, std::string_view why, const Style& style);

// What changed; at most `limit` rows (0: all) and then a line that says how many are not shown.
std::string render_diff_table(const Profile& combined, const DiffTable& table, size_t limit, const DiffColours& colours,
                              const Style& style);

// "render: 33.3 % -> 70.0 % of everything (+36.7 pp)"
std::string describe_regression(const Profile& combined, const DiffTable& table, const Regression& regression);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The texts of `wick report`.

#include <cstddef>
#include <string>

#include "analyze/format.h"
#include "analyze/function_table.h"
#include "analyze/selection.h"
#include "term/style.h"

namespace wick {

// What was recorded, what is shown of it, and what is missing: a few lines.
std::string render_heading(const Profile& profile, const Selection& selection, const Filter& filter, const Style& style);

// The table; at most `limit` rows (0: all) and then a line that says how much is not shown.
std::string render_table(const Profile& profile, const CostTable& table, const CostUnit& unit, size_t limit, const Style& style);

}  // namespace wick

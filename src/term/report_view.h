// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Renders the output of `wick report`.

#include <cstddef>
#include <string>

#include "analyze/format.h"
#include "analyze/function_table.h"
#include "analyze/selection.h"
#include "term/style.h"

namespace wick {

// A few lines: what was recorded, what is shown, and what is missing.
std::string render_heading(const Profile& profile, const Selection& selection, const Filter& filter, const Style& style);

// The table: at most `limit` rows (0: all), then a line with the hidden rest.
std::string render_table(const Profile& profile, const CostTable& table, const CostUnit& unit, size_t limit, const Style& style);

}  // namespace wick

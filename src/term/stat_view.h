// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The figures of `wick stat` as text.

#include <string>

#include "stat/report.h"
#include "term/style.h"

namespace wick {

std::string render_stat(const stat::Report& report, const Style& style);
std::string render_comparison(const stat::CompareReport& report, const Style& style);
// A line for an interval, below a line of titles if it is the first.
std::string render_interval(const stat::Interval& interval, bool is_first);

// "12.3 ms", "1,234", "3.1 MB", "1.98", "4.2%".
std::string format_figure(double value, stat::Unit unit);

}  // namespace wick

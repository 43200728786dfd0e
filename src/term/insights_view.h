// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "analyze/insights.h"
#include "term/style.h"

namespace wick {

// "parse(int) (parse.cc:12)"
std::string describe_place(const Profile& profile, const InsightPlace& place, const Style& style);

// A block for each finding. `file`: the argument of hints, quoted; empty for the default file.
std::string render_insights(const Profile& profile, const Selection& selection, const Insights& insights, const std::string& file,
                            const Style& style);

}  // namespace wick

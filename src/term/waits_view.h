// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyze/selection.h"
#include "analyze/waits.h"
#include "term/style.h"

namespace wick {

// What threads waited for: at most `limit` rows (0: all).
std::string render_waits(const Profile& profile, const Selection& selection, const std::vector<WaitRow>& rows, size_t limit,
                         const Style& style);

// "wall 10.2 s; busiest thread main: 31.0% running, 2.0% ready, 67.0% blocked"; empty if waits were not recorded.
std::string describe_wall(const Profile& profile);

}  // namespace wick

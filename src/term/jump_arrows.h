// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Arrows for the jumps within a function, beside its instructions.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace wick {

// One text per row, all with the same width. `jumps`: pairs of rows, from and to. Longer jumps are further left; those for which
// there is no room get no arrow.
std::vector<std::string> draw_jumps(size_t rows, const std::vector<std::pair<size_t, size_t>>& jumps, size_t most_lanes,
                                    bool unicode);

}  // namespace wick

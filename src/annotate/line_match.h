// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace wick {

// Matches the lines of two versions of a file by their text without indentation: the lines that a diff would not list. For each
// line of `before`, its index in `after`, increasing; kNoLine if it is gone. Lines that occur once in both versions are matched
// first, so that braces and blank lines do not pull others away; the longest common subsequence decides between them.
constexpr uint32_t kNoLine = UINT32_MAX;
std::vector<uint32_t> match_lines(const std::vector<std::string>& before, const std::vector<std::string>& after);

}  // namespace wick

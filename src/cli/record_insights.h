// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "term/style.h"

namespace wick {

// Findings (docs/insights.md) for the end of `wick record`: at most two, no guesses, and only large ones. None if the recording
// cannot be read or is large, since reading it would delay the prompt.
std::vector<std::string> describe_recorded_insights(const std::string& file, uint64_t file_bytes, const Style& style);

}  // namespace wick

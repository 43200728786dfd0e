// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/record_options.h"
#include "pipeline/recording.h"

namespace wick {

// How complete stacks and time are, and what would improve that: one line each.
std::vector<std::string> describe_quality(const RecordingOutcome& outcome, const RecordOptions& options);

void print_record_summary(const RecordingOutcome& outcome, const RecordRequest& request);

}  // namespace wick

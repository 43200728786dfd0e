// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/record_options.h"
#include "pipeline/recording.h"

namespace wick {

void print_record_summary(const RecordingOutcome& outcome, const RecordRequest& request);

}  // namespace wick

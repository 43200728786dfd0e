// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Time off the CPU, from `perf script` of scheduler events. Not by content: the same text is a profile of these events too.

#include "import/common/reader.h"

namespace wick {

bool is_perf_sched(const Head& head);
Result<Profile> read_perf_sched(Input& input, const ImportOptions& options);
constexpr Reader kPerfSchedReader = {"perf-sched", "perf script text of scheduler events", is_perf_sched, read_perf_sched};

}  // namespace wick

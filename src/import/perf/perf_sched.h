// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Off-CPU time, from `perf script` of scheduler events. Not detected: the same text is also a profile of these events.

#include "import/common/reader.h"

namespace wick {

bool is_perf_sched(const Head& head);
Result<Profile> read_perf_sched(Input& input, const ImportOptions& options);
constexpr Reader kPerfSchedReader = {"perf-sched", "perf script text of scheduler events", is_perf_sched, read_perf_sched};

}  // namespace wick

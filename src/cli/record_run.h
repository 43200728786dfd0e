// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/record_options.h"
#include "os/stop_signals.h"
#include "pipeline/recording.h"

namespace wick {

// How samples are unwound and symbolized during the recording.
UnwindOptions unwind_options(const RecordRequest& request, const EnginePlan& plan, const Machine& machine);

struct RunResult {
  int code = 0;  // exit code of the command, to pass on
  bool go_on = true;
};

// Starts the target, or attaches to it, and records until it or the recording ends. `first`: the first of several runs.
Result<RunResult> run_once(const EnginePlan& plan, const Machine& machine, const RecordRequest& request, Recording& recording,
                           StopSignals& signals, bool first);

}  // namespace wick

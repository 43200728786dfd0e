// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

#include "cli/record_options.h"
#include "os/stop_signals.h"
#include "pipeline/recording.h"

namespace wick {

// All of `wick record`: prints messages and returns the exit code. `afterwards` gets the finished file.
using AfterRecording = std::function<Status(const std::string& path)>;
int record(const RecordArguments& arguments, const AfterRecording& afterwards = {});

// Exit codes of `wick record` and `wick top`, besides the command's.
constexpr int kWickFailed = 125, kNotExecutable = 126, kNotFound = 127;
// Prints the error and returns its exit code. `as`: the command that hints show instead of "wick record".
int fail_to_record(const Error& error, std::string_view as = "wick record");

// How samples are unwound and symbolized during the recording.
UnwindOptions unwind_options(const RecordRequest& request, const EnginePlan& plan, const Machine& machine);

// The exit code for the command's wait status. A command that wick has ended has not failed.
int code_to_pass_on(int status, bool ended_by_us);

// Prints all notes as one line.
void print_notes(const std::vector<std::string>& notes);

struct RunResult {
  int code = 0;  // exit code of the command, to pass on
  bool go_on = true;
};

// Starts the target, or attaches to it, and records until it or the recording ends. `first`: the first of several runs.
Result<RunResult> run_once(const EnginePlan& plan, const Machine& machine, const RecordRequest& request, Recording& recording,
                           StopSignals& signals, bool first);

}  // namespace wick

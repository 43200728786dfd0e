// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/engine.h"
#include "record/machine.h"

namespace wick {

enum class EngineChoice { kAuto, kPerf, kPtrace };

// What was chosen, and how; the engine itself is made anew for each run of a command.
struct EnginePlan {
  bool ptrace = false;
  RecordOptions options;           // with the events that will be recorded
  std::vector<std::string> notes;  // a line each for the user
};

// Picks perf where the kernel allows it, else ptrace for a launched command, else explains.
Result<EnginePlan> plan_engine(RecordOptions options, EngineChoice choice, const Machine& machine);
Result<std::unique_ptr<Engine>> make_engine(const EnginePlan& plan, const Machine& machine);

}  // namespace wick

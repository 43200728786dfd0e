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

using MakeEngine = Result<std::unique_ptr<Engine>> (*)(const RecordOptions& options, const Machine& machine);

// The choice of an engine; the engine itself is created for each run of a command.
struct EnginePlan {
  EngineInfo engine;               // as far as it is known before the engine starts
  RecordOptions options;           // with the events that will be recorded
  std::vector<std::string> notes;  // a line each for the user
  MakeEngine make = nullptr;       // set by plan_engine()
};

// As --engine takes them, the preferred first.
std::vector<std::string> engine_names();

// Picks the engine of that name; without one, the first that samples CPU time, can record this target and is allowed. Explains
// why where there is none.
Result<EnginePlan> plan_engine(RecordOptions options, const std::string& wanted, const Machine& machine);
Result<std::unique_ptr<Engine>> make_engine(const EnginePlan& plan, const Machine& machine);

}  // namespace wick

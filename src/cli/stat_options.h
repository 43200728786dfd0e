// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/record_options.h"
#include "record/machine.h"
#include "stat/run.h"

namespace CLI {
class App;
}

namespace wick {

// As typed.
struct StatArguments {
  RecordArguments record;  // target, events and duration
  std::vector<std::string> compare;
  std::string interval, output;
  uint32_t runs = 0;  // 0: 1, or 10 with --compare
  bool per_thread = false, per_core = false, detailed = false, exact = false, json = false, csv = false, ignore_failure = false;
};

// Checked and resolved.
struct StatRequest {
  stat::Target target;
  std::vector<stat::Target> compared;  // two, or none
  stat::RunOptions options;
  std::vector<EventSpec> events;
  uint32_t runs = 1;
  bool detailed = false, exact = false, json = false, csv = false, ignore_failure = false;
  std::string output;  // empty: standard error with a command, else standard output
  std::string title, record_target;  // "./app x" and "-- ./app x"
};

void declare_stat_options(CLI::App& app, StatArguments& arguments);
Result<StatRequest> understand_stat(const StatArguments& arguments, const Machine& machine);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cargo/options.h"
#include "cli/record_options.h"
#include "cli/stat_options.h"

namespace CLI {
class App;
}

namespace wick {

struct CargoArguments {
  cargo::Options build;
  RecordArguments record;
  StatArguments stat;
  std::string action = "record";
  bool flamegraph = false, open = false, doc = false, release = false;
};

void declare_cargo_options(CLI::App& app, CargoArguments& arguments);
// After parsing. Fails on options that contradict each other.
Status check_cargo_options(CLI::App& app, CargoArguments& arguments);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Builds a target of a cargo project, for `cargo wick`. Cargo's messages go to the terminal.

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cargo/options.h"

namespace wick {

struct CargoProgram {
  std::vector<std::string> command;  // the program, and an argument that cargo gives to benchmarks
  std::string directory;             // where cargo starts it; empty: in the current one
  std::vector<std::pair<std::string, std::string>> environment;
};

struct CargoBuild {
  int code = 0;  // of cargo, if it failed
  CargoProgram program{};
};

// Prints which settings it overrides. Asks on a terminal if several targets fit.
Result<CargoBuild> build_with_cargo(const cargo::Options& options);

}  // namespace wick

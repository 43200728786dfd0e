// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs a command whose standard output is read, while its errors and progress stay on the terminal.

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace wick {

struct CapturedCommand {
  std::string output;
  int code = 0;  // 128+N for signal N
};

// The command inherits the environment, with these variables set.
Result<CapturedCommand> run_captured(const std::vector<std::string>& words,
                                     const std::vector<std::pair<std::string, std::string>>& variables, size_t most_bytes);

}  // namespace wick

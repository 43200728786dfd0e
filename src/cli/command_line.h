// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/command.h"

namespace wick {

// Finds the command in `words` (the program name first), parses its options and runs it. Returns the exit code.
int run_command(std::span<const Command> commands, std::vector<std::string> words);

// The words after `--` of `record`, `top`, `stat` and `cargo`, if any; wick's parser never sees them.
const std::optional<std::vector<std::string>>& command_behind_dashes();

}  // namespace wick

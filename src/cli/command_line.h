// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/command.h"

namespace wick {

// Finds the command that `words` (the program's name first) ask for, parses its options and runs it. Returns the exit code.
int run_command(std::span<const Command> commands, std::vector<std::string> words);

// What stood behind `--` of `record`, if there was one: not wick's options, so never looked at by its parser.
const std::optional<std::vector<std::string>>& command_behind_dashes();

}  // namespace wick

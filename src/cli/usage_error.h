// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is wrong with a command line, in wick's words: those of CLI11 ("1 required HZ missing") do not reach the user.

#include <string>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace wick {

// "unknown option --frqe; did you mean --freq?"
Error unknown_option(const CLI::App& command, const std::string& given);
Error unknown_command(const std::string& given, const std::vector<std::string>& known);

// `words`: of the whole command line, the program's name first.
Error explain_usage(const CLI::App& root, const CLI::ParseError& error, const std::vector<std::string>& words);

}  // namespace wick

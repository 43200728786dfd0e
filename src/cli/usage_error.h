// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rephrases errors of the command line: CLI11's wording ("1 required HZ missing") does not reach the user.

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

// `words`: the command line, the program name first.
Error explain_usage(const CLI::App& root, const CLI::ParseError& error, const std::vector<std::string>& words);

}  // namespace wick

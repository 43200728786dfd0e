// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Long options may be abbreviated to any unique prefix, which CLI11 does not support. FlameGraph's scripts parse with
// Getopt::Long, where "--color=java" and "-title x" are common: so their names win over wick's, one dash is enough unless it
// means short options, and case does not matter.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
}

namespace wick {

struct OptionNames {
  std::string_view preferred{};  // separated by spaces; they win if an abbreviation is ambiguous
  bool one_dash = false;         // accept "-title" for "--title"
  bool any_case = false;         // accept "--Title" for "--title"
  bool until_word = false;       // stop at the first word that is not an option
};
// The rules of a subcommand.
OptionNames option_names(std::string_view command);

// Returns the words after a subcommand with option names in full. Leaves unknown options to the parser; an ambiguous abbreviation
// is an error.
Result<std::vector<std::string>> complete_options(const CLI::App& app, const OptionNames& names, std::vector<std::string> words);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Long options may be abbreviated: any beginning that only one has. (CLI11 knows whole names only.) The scripts that wick takes
// the place of parse with Getopt::Long, where "--color=java" and "-title x" are usual; so their names win over ours, and one dash
// is enough where it cannot mean short options, and capital letters are small ones.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
}

namespace wick {

struct OptionNames {
  std::string_view preferred{};  // names with spaces between: what an abbreviation means, if it could be one of these
  bool one_dash = false;         // "-title" is "--title"
  bool any_case = false;         // "--Title" is "--title"
  bool until_word = false;       // behind the first word that is no option nothing is one
};
// Of a subcommand.
OptionNames option_names(std::string_view command);

// The words behind a subcommand, with the whole names of options. What is none is left for the parser to tell; an abbreviation of
// several is an error.
Result<std::vector<std::string>> complete_options(const CLI::App& app, const OptionNames& names, std::vector<std::string> words);

}  // namespace wick

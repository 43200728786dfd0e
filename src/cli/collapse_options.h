// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The options of `wick collapse`: those of FlameGraph's and inferno's collapsers, and a few more.

#include <string>
#include <vector>

#include "cli/profile_options.h"
#include "view/folded.h"

namespace wick {

// As typed.
struct CollapseArguments {
  ProfileOptions profile;
  FoldedQuery query;
  ImportOptions import;
  std::vector<std::string> more_files;
  std::string output;
  bool all = false, context = false, quiet = false;
  int verbose = 0;  // accepted for compatibility, ignored
};

void add_frame_options(CLI::App& app, CollapseArguments& options);
void add_format_options(CLI::App& app, CollapseArguments& options);

// Expands options that imply others.
FoldedQuery understand(const CollapseArguments& options);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The options of `wick diff`.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "analyze/function_table.h"
#include "cli/profile_options.h"
#include "export/flamegraph.h"
#include "term/style.h"
#include "view/diff.h"

namespace wick {

// As typed.
struct DiffArguments {
  ProfileOptions profile;
  std::string before, after, output;
  bool folded = false, json = false, strip_hex = false, normalize = false, no_normalize = false, quiet = false, verbose = false;
  std::optional<GroupBy> by;
  std::optional<SortBy> sort;
  std::optional<size_t> limit;  // not set: chosen by the output
  std::optional<ColorWhen> color;
  std::optional<DifferenceHues> hues;
  std::optional<double> fail_above;
  std::optional<std::string> annotate;  // a function
  std::optional<size_t> context;
  std::vector<std::string> source_dirs, before_source_dirs;

  bool picture() const { return !folded && !json && output.ends_with(".svg"); }
  bool table() const { return !folded && !picture(); }  // text or JSON
};

void add_diff_options(CLI::App& app, DiffArguments& options);
// Rejects options that cannot be combined.
Status check_diff_options(const DiffArguments& options);
// BEFORE and AFTER. Without arguments: the two latest recordings; with one: that file and the latest recording.
std::array<std::string, 2> input_files(const DiffArguments& options);
Result<DiffRequest> understand(const DiffArguments& options);

}  // namespace wick

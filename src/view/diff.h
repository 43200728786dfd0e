// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Compares two views: as a table, a flame graph, or folded stacks with two counts.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "analyze/diff_table.h"
#include "export/flamegraph.h"
#include "view/view.h"

namespace wick {

struct DiffRequest {
  ViewRequest view{};                      // for both sides; `files` is ignored
  std::string before{}, after{};           // files
  bool only_before_named = false;          // if `before` holds a difference, it is both sides and `after` is not read
  std::optional<Comparison> comparison{};  // null: choose_comparison decides
  bool strip_hex = false;                  // in names of functions
};

struct Diff {
  View before, after;
  std::string before_file, after_file;
  Comparison comparison;
  bool strip_hex = false;

  DiffSide before_side() const { return {before_file, *before.profile, before.selection}; }
  DiffSide after_side() const { return {after_file, *after.profile, after.selection}; }
  bool has_one_unit() const;
};

Result<Diff> load_diff(const DiffRequest& request);

// Rows of both sides; `combined` has their names.
struct ComparedRows {
  Profile combined;
  DiffTable table;
};
Result<ComparedRows> compare_rows(const Diff& diff, GroupBy by, SortBy sort);

// An SVG file.
Result<std::string> draw_diff(const Diff& diff, DifferenceHues hues);

// "root;…;leaf BEFORE AFTER"
Result<std::string> fold_diff(const Diff& diff);

// The same for two files of folded stacks, without building profiles, which is much faster. Returns false and writes nothing if
// the files have another format, cannot be read, or have warnings.
bool join_folded_files(const std::string& before, const std::string& after, const Reader* reader, bool strip_hex,
                       const std::function<bool(std::string_view)>& sink);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A function's source lines with their costs in two profiles.

#include <string>
#include <vector>

#include "annotate/line_diff.h"
#include "annotate/source_files.h"
#include "view/diff.h"

namespace wick {

struct AnnotatedDiffQuery {
  std::string function{};  // as find_function understands it
  size_t context = 3;      // source lines shown before and after those with cost
  SymbolSources symbols{};
  SourcePlaces source{};
  // Directories with the source of BEFORE; empty: those of `source`. A file there counts as the recorded version, whatever its
  // time.
  std::vector<std::string> before_dirs{};
};

struct ComparedLines {
  DiffTable whole;  // one row: the function's code with inlined functions, and its total cost
  DiffCost self;    // without inlined functions
  LineDiff lines;
  std::vector<std::string> notes;
};

// One function on both sides. `names`: of the sides, for the notes.
ComparedLines compare_function_lines(const LineDiffSide& before, const LineDiffSide& after, const LineDiffOptions& options,
                                     const char* const (&names)[2]);

struct AnnotatedDiff : ComparedLines {
  Profile combined;
  std::string function, module;
  std::vector<std::string> combine_notes;  // what was done to make the profiles comparable
};

Result<AnnotatedDiff> compare_lines(const Diff& diff, const AnnotatedDiffQuery& query);

// docs/diff-json.md
std::string annotated_diff_json(const Diff& diff, const AnnotatedDiff& shown);

}  // namespace wick

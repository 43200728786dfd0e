// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Compares the costs of a function's source lines in two profiles.
//
// Lines of the same build are the same. Two builds of a program may come from two versions of its source, where an added line
// moves all others: a comparison by number would show a change everywhere. So lines of two builds are matched by their text, if
// both versions of the source can be found. Otherwise they are matched by number, which the notes say, and no change gets a
// verdict.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "analyze/diff_table.h"
#include "analyze/line_costs.h"

namespace wick {

struct VersionedLines {
  const std::vector<std::string>* lines = nullptr;  // null: not found
  bool is_recorded = false;                         // the version that the recorded program was built from
};

struct LineDiffSide {
  const Profile& profile;
  LineCosts costs;
  // By name in the debug info. The lines must outlive the comparison.
  std::function<VersionedLines(const std::string& file)> source;
};

struct LineDiffRow {
  enum class Kind : uint8_t {
    kFile,     // the file of the rows below
    kLine,     // a source line
    kInlined,  // a function inlined into the line above; its lines follow, one level deeper
    kGap,      // lines are left out
  };
  static constexpr uint32_t kNone = UINT32_MAX;

  Kind kind = Kind::kLine;
  uint32_t depth = 0;
  uint32_t before = 0, after = 0;  // kLine: numbers; 0: that version does not have the line. Both 0: unknown
  std::string file{};              // kFile, kLine, kInlined: the name after, or before if it is only there
  std::string text{};              // kLine: the source; kInlined: the name
  bool has_text = false;
  uint32_t cost = kNone;  // a row of LineDiff::table; none: no cost on either side
};

struct LineDiff {
  std::vector<LineDiffRow> rows;
  DiffTable table;                 // only rows with costs, in the order of `rows`
  std::vector<std::string> notes;  // how lines were matched, unless both are of one build
};

enum class Builds : uint8_t { kUnknown, kSame, kDifferent };

struct LineDiffOptions {
  Builds builds = Builds::kUnknown;
  bool has_counts = true;  // both profiles know the number of samples
  size_t context = 3;      // source lines shown before and after those with cost
  bool normalized = false;
  Cost before{}, after{};  // of all selected samples
};

LineDiff compute_line_diff(const LineDiffSide& before, const LineDiffSide& after, const LineDiffOptions& options);

}  // namespace wick

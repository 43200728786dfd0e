// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The cost of a function's code by source line, down through the functions inlined there. It comes from the recorded frames
// alone, so that two profiles can be compared whose programs no longer exist.

#include <cstdint>
#include <vector>

#include "analyze/code_costs.h"

namespace wick {

// A source line of the function, or of a function that is inlined into the line `parent`.
struct LineNode {
  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t parent = kNone;
  uint32_t depth = 0;   // number of inlined functions it is in
  StringId function{};  // name of the function whose line this is
  StringId file{};      // invalid: unknown
  uint32_t line = 0;    // 0: unknown
  Cost own{};           // of this line itself
  Cost self{};          // with the functions inlined there
  Cost total{};         // with the functions called there; only at depth 0, and 0 for an unknown line
};

struct LineCosts {
  Cost self, code, total;       // of the function, as in CodeCosts
  Cost other_builds;            // part of `code` that is in other builds
  std::vector<LineNode> nodes;  // parents first; `own` adds up to `code` without `other_builds`
};

// `query.instructions` is ignored.
LineCosts compute_line_costs(const Profile& profile, const Selection& selection, const CodeQuery& query);

// The function's code, divided into itself and the functions inlined into it.
struct CodePart {
  struct Line {
    StringId file{};    // invalid: unknown
    uint32_t line = 0;  // 0: unknown
    Cost self{};
  };

  StringId function{};  // name
  bool inlined = false;
  Cost self{};              // without functions that are inlined into this one in turn, so that parts add up
  std::vector<Line> lines;  // by file and line; the file with the most cost first
};

// The part with the most cost first. Parts add up to `code` without `other_builds`.
std::vector<CodePart> divide_code(const Profile& profile, const LineCosts& costs);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyze/line_costs.h"
#include "annotate/function_code.h"

namespace wick {

// A part of a function's code (analyze/line_costs.h) with the text of its lines.
struct ShownPart {
  std::string name, file;  // of most of its cost; empty: unknown
  bool inlined = false;
  Cost self;
  struct Line {
    std::string file;
    uint32_t line = 0;
    std::optional<std::string> text;
    Cost self;
  };
  std::vector<Line> lines;
};

// `costs`: of this function.
std::vector<ShownPart> read_parts(const Profile& profile, FunctionId function, const LineCosts& costs, CodeReader& reader);

}  // namespace wick

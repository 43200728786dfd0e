// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shared by the tables of several views.

#include <cstdint>
#include <string>

#include "analyze/format.h"
#include "analyze/function_table.h"
#include "base/utf8.h"

namespace wick {

constexpr uint64_t kFewSamples = 100;  // below this, percentages are unreliable

constexpr const char* group_title(GroupBy by) {
  switch (by) {
    case GroupBy::kFunction: return "FUNCTION";
    case GroupBy::kModule: return "MODULE";
    case GroupBy::kFile: return "FILE";
    case GroupBy::kLine: return "LINE";
    case GroupBy::kThread: return "THREAD";
    case GroupBy::kProcess: return "PROCESS";
  }
  return "NAME";
}

inline std::string cost_title(const CostUnit& unit) {
  return unit.name == "ns" ? "TIME" : unit.name == "samples" || unit.name.empty() ? "COUNT" : printable(unit.name);
}

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The values of --by, --sort and --color.

#include "analyze/function_table.h"
#include "cli/choice.h"
#include "term/style.h"

namespace wick {

inline Words<GroupBy> group_words() {
  return {{"function", GroupBy::kFunction}, {"module", GroupBy::kModule}, {"file", GroupBy::kFile},
          {"line", GroupBy::kLine},         {"thread", GroupBy::kThread}, {"process", GroupBy::kProcess}};
}
inline Words<SortBy> sort_words() { return {{"self", SortBy::kSelf}, {"total", SortBy::kTotal}, {"name", SortBy::kName}}; }
inline Words<ColorWhen> color_words() {
  return {{"auto", ColorWhen::kAuto}, {"always", ColorWhen::kAlways}, {"never", ColorWhen::kNever}};
}

}  // namespace wick

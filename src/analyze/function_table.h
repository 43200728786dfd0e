// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The flat view: self and total cost of each function (module, source file, line, thread, process). Self costs add up to the
// selection's weight exactly. A function that is on a stack several times counts once in its total.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/stack_costs.h"

namespace wick {

enum class GroupBy { kFunction, kModule, kFile, kLine, kThread, kProcess };
enum class SortBy { kSelf, kTotal, kName };

struct CostRow {
  // A FunctionId, ModuleId, ThreadId or ProcessId, depending on the table; for files and lines the FrameId of one frame there.
  uint32_t id = UINT32_MAX;  // UINT32_MAX: code of no known module
  Cost self, total;
  Inlining inlining{};  // for functions
};

struct CostTable {
  GroupBy by = GroupBy::kFunction;
  Cost all;
  std::vector<CostRow> rows;  // rows with samples
};

// Hottest first, by self cost; equal ones by name.
CostTable compute_table(const Profile& profile, const Selection& selection, GroupBy by = GroupBy::kFunction,
                        SortBy sort = SortBy::kSelf);

constexpr bool is_code(GroupBy by) { return by != GroupBy::kThread && by != GroupBy::kProcess; }

// The text of a row, not escaped. Code without a known source is "[module]" in tables of files and lines.
std::string row_name(const Profile& profile, GroupBy by, const CostRow& row);
// The base name of the row's module; empty for threads, processes and unknown modules.
std::string_view row_module(const Profile& profile, GroupBy by, const CostRow& row);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The flat view: what each function (module, thread, process) costs by itself and with what it called.
// Self costs add up to the selection's weight exactly. A function that is several times on a stack is counted once in its total.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/stack_costs.h"

namespace wick {

enum class GroupBy { kFunction, kModule, kThread, kProcess };
enum class SortBy { kSelf, kTotal, kName };

struct CostRow {
  uint32_t id =
      UINT32_MAX;  // a FunctionId, ModuleId, ThreadId or ProcessId, as the table says; UINT32_MAX: code of no known module
  Cost self, total;
};

struct CostTable {
  GroupBy by = GroupBy::kFunction;
  Cost all;
  std::vector<CostRow> rows;  // those that have samples
};

// Hottest first, by self cost; equal ones by name.
CostTable compute_table(const Profile& profile, const Selection& selection, GroupBy by = GroupBy::kFunction,
                        SortBy sort = SortBy::kSelf);

// What people read in a row, as it stands in the profile (not escaped).
std::string_view row_name(const Profile& profile, GroupBy by, const CostRow& row);
// The base name of the row's module; empty for threads and processes and where it is not known.
std::string_view row_module(const Profile& profile, GroupBy by, const CostRow& row);

}  // namespace wick

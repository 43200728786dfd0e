// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// `wick report --json`; docs/report-json.md documents the schema. Fields are added, never removed.

#include <cstddef>
#include <string>

#include "analyze/call_tree.h"
#include "analyze/find_function.h"
#include "analyze/function_table.h"
#include "analyze/insights.h"
#include "analyze/waits.h"

namespace wick {

// The key of a table's rows: "functions", "modules", …
const char* rows_key(GroupBy by);

// At most `limit` rows (0: all). With `insights`, if they are given.
std::string table_json(const Profile& profile, const Selection& selection, const CostTable& table, size_t limit = 0,
                       const Insights* insights = nullptr);
// Depth first and flat, since a stack may exceed the nesting limit of JSON readers; at most `limit` children per node.
std::string tree_json(const Profile& profile, const Selection& selection, const CallTree& tree, size_t limit = 0,
                      const Insights* insights = nullptr);
// The same for a tree of callers with the root `callee`.
std::string callers_json(const Profile& profile, const Selection& selection, const CallTree& tree, const FoundFunction& callee,
                         size_t limit = 0, const Insights* insights = nullptr);

// What threads waited for; at most `limit` rows (0: all).
std::string waits_json(const Profile& profile, const Selection& selection, const std::vector<WaitRow>& rows, size_t limit = 0);

}  // namespace wick

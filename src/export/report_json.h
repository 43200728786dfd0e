// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// `wick report --json`; docs/report-json.md documents the schema, which only ever grows.

#include <cstddef>
#include <string>

#include "analyze/call_tree.h"
#include "analyze/find_function.h"
#include "analyze/function_table.h"

namespace wick {

// The key of a table's rows: "functions", "modules", …
const char* rows_key(GroupBy by);

// At most `limit` rows; 0: all.
std::string table_json(const Profile& profile, const Selection& selection, const CostTable& table, size_t limit = 0);
// In depth-first order, flat, since a stack may be deeper than a JSON reader's nesting; at most `limit` children of each node.
std::string tree_json(const Profile& profile, const Selection& selection, const CallTree& tree, size_t limit = 0);
// The same for a tree of callers, whose root is `callee`.
std::string callers_json(const Profile& profile, const Selection& selection, const CallTree& tree, const FoundFunction& callee,
                         size_t limit = 0);

}  // namespace wick

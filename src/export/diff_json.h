// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// `wick diff --json`; docs/diff-json.md documents the schema. Fields are added, never removed.

#include <string>
#include <string_view>

#include "analyze/diff_table.h"

namespace wick {

class JsonWriter;

// At most `limit` rows (0: all).
std::string diff_json(const DiffSide& before, const DiffSide& after, const Profile& combined, const DiffTable& table,
                      std::string_view why, size_t limit = 0);

// Parts that other comparisons have as well: the profiles and how they are compared, and the costs of a row.
void write_diff_sides(JsonWriter& json, const DiffSide& before, const DiffSide& after, const Profile& combined,
                      const DiffTable& table, std::string_view why);
void write_diff_costs(JsonWriter& json, const char* key, const DiffTable& table, const DiffCost& cost, uint64_t divisor);

}  // namespace wick

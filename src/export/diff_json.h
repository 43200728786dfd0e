// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// `wick diff --json`; docs/diff-json.md documents the schema. Fields are added, never removed.

#include <string>
#include <string_view>

#include "analyze/diff_table.h"

namespace wick {

// At most `limit` rows (0: all).
std::string diff_json(const DiffSide& before, const DiffSide& after, const Profile& combined, const DiffTable& table,
                      std::string_view why, size_t limit = 0);

}  // namespace wick

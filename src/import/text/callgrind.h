// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/common/reader.h"

namespace wick {

bool is_callgrind(const Head& head);
Result<Profile> read_callgrind(Input& input, const ImportOptions& options);
constexpr Reader kCallgrindReader = {"callgrind", "callgrind profile", is_callgrind, read_callgrind};

}  // namespace wick

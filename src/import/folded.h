// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Folded stacks: "root;caller;leaf 12", one line each. Counts may be decimal; where every line has two, they are a difference:
// before and after. Lines that begin with "#" are comments.

#include "import/reader.h"

namespace wick {

bool is_folded(const Head& head);
Result<Profile> read_folded(Input& input, const ImportOptions& options);
constexpr Reader kFoldedReader = {"folded", "folded stacks", is_folded, read_folded};

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Folded stacks: "root;caller;leaf 12", one line each. Counts may be decimal; where every line has two, they are a difference:
// before and after. Lines that begin with "#" are comments.

#include <optional>
#include <string>
#include <vector>

#include "import/common/reader.h"
#include "model/stack_text.h"

namespace wick {

bool is_folded(const Head& head);
Result<Profile> read_folded(Input& input, const ImportOptions& options);

// Whole lines, where nobody asks for single frames. Nothing: it is a difference.
struct FoldedText {
  WholeInput whole;  // the stacks lie in it
  std::vector<CountedStack> rows;
  uint64_t divisor = 1;
  std::vector<std::string> warnings;
};
Result<std::optional<FoldedText>> read_folded_text(WholeInput whole);

constexpr Reader kFoldedReader = {"folded", "folded stacks", is_folded, read_folded};

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Renders a call tree as indented lines. A chain of single calls stays in one column and only branches indent, so deep stacks
// remain readable. Direct recursion is one line ("descend ×1,000") with the merged callees of all levels below it. Branches too
// small to matter are folded into "… 3 more"; next to a chain, once they add up to a visible share.

#include <cstddef>
#include <string>

#include "analyze/call_tree.h"
#include "term/style.h"

namespace wick {

struct TreeViewOptions {
  std::string callee;          // for a tree of callers: the function at the top. Empty: a tree of callees
  int64_t callee_self = 0;     // self time of that function
  double least_share = 0.005;  // of the root's total; folds smaller branches. 0: shows all
  size_t limit = 0;            // children shown per node; 0: all that are large enough
};

// Percentages are of `whole`, the weight of the complete selection.
std::string render_tree(const Profile& profile, const CallTree& tree, const TreeViewOptions& options, int64_t whole,
                        const Style& style);

}  // namespace wick

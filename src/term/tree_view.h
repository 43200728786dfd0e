// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A call tree as indented lines. A straight chain of calls stays in one column, only branches move to the right; so deep stacks
// remain readable. Direct recursion is one line ("descend ×1,000"), below it what all its levels call. What is too small to
// matter is folded into "… 3 more"; beside a chain, once that adds up to something.

#include <cstddef>
#include <string>

#include "analyze/call_tree.h"
#include "term/style.h"

namespace wick {

struct TreeViewOptions {
  std::string callee;          // for a tree of callers: whose; its line comes first. Empty: a tree of callees
  int64_t callee_self = 0;     // what that function used itself
  double least_share = 0.005;  // of the root's total; smaller branches are folded. 0: all are shown
  size_t limit = 0;            // children shown at each node; 0: all that are large enough
};

// Shares are of `whole`, the weight of everything selected.
std::string render_tree(const Profile& profile, const CallTree& tree, const TreeViewOptions& options, int64_t whole,
                        const Style& style);

}  // namespace wick

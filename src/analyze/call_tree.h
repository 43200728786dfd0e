// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tree of `report --tree` and `report --callers`: stacks merged by function, regardless of addresses and lines.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/stack_costs.h"
#include "analyze/stack_tree.h"
#include "analyze/thread_groups.h"

namespace wick {

struct CallNode : TreeNode {
  uint32_t first_child = kNone, next_sibling = kNone;
};

// nodes[0] is the root: the whole selection. Parents have smaller numbers than their children. Children are sorted heaviest
// first, equal ones by name. A node's total is its self cost plus its children's totals.
struct CallTree {
  std::vector<CallNode> nodes;
  std::vector<std::string> groups;
};

// From the outermost callers to the leaves.
CallTree compute_call_tree(const Profile& profile, const Selection& selection, ThreadGroups groups = {},
                           Sameness sameness = Sameness::kNameAndModule);

// Upside down: the root is the functions `targets` (rows of Profile::functions, counted as one), its children are their callers,
// and so on outwards. A sample counts once, at the first entry of a target; so the root's total equals that of the function
// table, and recursion does not hide the first caller.
CallTree compute_callers(const Profile& profile, const Selection& selection, std::span<const FunctionId> targets);

// As in the profile; empty for the root.
std::string_view node_name(const Profile& profile, const CallTree& tree, const CallNode& node);
std::string_view node_module(const Profile& profile, const CallNode& node);

}  // namespace wick

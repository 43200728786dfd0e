// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tree behind `report --tree` and `report --callers`: stacks merged by function. Addresses and lines that tell two stacks
// apart do not tell two nodes apart.

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

// nodes[0] is the root and stands for the whole selection. A parent's number is smaller than its children's. Children come
// heaviest first, equal ones by name. A node's total is its self cost and its children's totals.
struct CallTree {
  std::vector<CallNode> nodes;
  std::vector<std::string> groups;
};

// From the outermost callers to the leaves.
CallTree compute_call_tree(const Profile& profile, const Selection& selection, ThreadGroups groups = {},
                           Sameness sameness = Sameness::kNameAndModule);

// Upside down: the root is the functions of `targets` (one row each of Profile::functions, counted as one), its children their
// callers, and so on outwards. A sample counts once, where a target is first entered; so the root's total is that of the function
// table, and recursion does not hide who began it.
CallTree compute_callers(const Profile& profile, const Selection& selection, std::span<const FunctionId> targets);

// As it stands in the profile; the root has none.
std::string_view node_name(const Profile& profile, const CallTree& tree, const CallNode& node);
std::string_view node_module(const Profile& profile, const CallNode& node);

}  // namespace wick

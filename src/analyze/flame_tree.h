// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tree behind pictures: stacks merged by function like analyze/call_tree.h's, but only what is wide enough to be seen has a
// node, each with its place. From the outermost callers, from the leaves, or in the order of time; of one selection, or of two to
// be compared.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/stack_costs.h"
#include "analyze/stack_tree.h"

namespace wick {

// `group` is set in group nodes, and in those that stand for several frames: their text, a row of FlameTree::groups.
struct FlameNode : TreeNode {
  Cost self_before, total_before;  // in a difference
  int64_t x = 0, width = 0;        // in the unit of weights

  bool is_group() const { return group != kNone && !function.valid(); }
};

// nodes[0] is the root. Depth first: a caller before its callees, siblings from left to right. A node's width is its total cost.
// In a difference it is what the node costs now plus what vanished above it: a node that is gone is as wide as it was, so that it
// can be seen. What a function used itself, and what was left out above it, remains free at the right; in a chart everything
// keeps its place in time.
struct FlameTree {
  std::vector<FlameNode> nodes;
  std::vector<std::string> groups;
  uint32_t levels = 0;
  uint64_t left_out = 0;  // branches that were narrower than asked for; each with all that it called
};

struct FlameTreeOptions {
  bool reverse = false;    // from the leaves to their callers
  bool by_thread = false;  // the first level is threads (analyze/call_tree.h), not processes where there are several
  bool chart = false;      // samples one after the other, thread by thread; only neighbours become one box
  SiblingOrder order = SiblingOrder::kCost;
  double least_share = 0;             // of the whole; nodes below have no place
  int64_t whole = 0;                  // what the full width stands for, where that is more than the selection's weight
  const Selection* before = nullptr;  // compare with this one of the same profile
};

FlameTree compute_flame_tree(const Profile& profile, const Selection& selection, const FlameTreeOptions& options = {});

// As it stands in the profile; the root has none.
std::string_view node_name(const Profile& profile, const FlameTree& tree, const FlameNode& node);

}  // namespace wick

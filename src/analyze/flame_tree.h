// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tree of flame graphs: stacks merged by function as in analyze/call_tree.h, but only frames wide enough to see get a node
// and a position. From the outermost callers, from the leaves, or in order of time; for one selection, or two to compare.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/stack_costs.h"
#include "analyze/stack_tree.h"

namespace wick {

// `group` is set in group nodes and in nodes of folded frames: their text, a row of FlameTree::groups.
struct FlameNode : TreeNode {
  Cost self_before, total_before;  // in a difference
  int64_t x = 0, width = 0;        // in the unit of weights

  bool is_group() const { return group != kNone && !function.valid(); }
};

// nodes[0] is the root. Depth first: a caller before its callees, siblings from left to right. A node's width is its total cost.
// In a difference it is the cost now plus what vanished above it: a vanished node keeps its width, so that it can be seen. Self
// cost and hidden callees leave space at the right; in a chart every node keeps its position in time.
struct FlameTree {
  std::vector<FlameNode> nodes;
  std::vector<std::string> groups;
  uint32_t levels = 0;
  uint64_t hidden_branches = 0;  // branches narrower than the limit, each with its callees
};

struct FlameTreeOptions {
  bool reverse = false;    // from the leaves to their callers
  bool by_thread = false;  // the first level is threads, not processes
  bool chart = false;      // samples in order of time, thread by thread; only neighbors are merged
  SiblingOrder order = SiblingOrder::kCost;
  double least_share = 0;             // of the total; narrower nodes are dropped
  int64_t whole = 0;                  // value of the full width, if more than the selection's weight
  const Selection* before = nullptr;  // compare with this selection of the same profile
};

FlameTree compute_flame_tree(const Profile& profile, const Selection& selection, const FlameTreeOptions& options = {});

// As in the profile; empty for the root.
std::string_view node_name(const Profile& profile, const FlameTree& tree, const FlameNode& node);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/call_tree.h"

#include <utility>

namespace wick {
namespace {

// Depth first, siblings in order.
CallTree finish(StackTreeBuilder<CallNode>& builder, ThreadGroups groups) {
  CallTree tree{std::move(builder.nodes()), std::move(groups.names)};
  for (uint32_t i = static_cast<uint32_t>(tree.nodes.size()); i-- > 1;) {
    CallNode& n = tree.nodes[i];
    n.next_sibling = tree.nodes[n.parent].first_child;
    tree.nodes[n.parent].first_child = i;
  }
  return tree;
}

}  // namespace

CallTree compute_call_tree(const Profile& profile, const Selection& selection, ThreadGroups groups, Sameness sameness) {
  StackTreeBuilder<CallNode> builder(profile, selection, {.sameness = sameness});
  builder.build_forward(groups);
  return finish(builder, std::move(groups));
}

CallTree compute_callers(const Profile& profile, const Selection& selection, std::span<const FunctionId> targets) {
  StackTreeBuilder<CallNode> builder(profile, selection, {});
  builder.build_callers(targets);
  return finish(builder, {});
}

std::string_view node_name(const Profile& profile, const CallTree& tree, const CallNode& node) {
  if (node.function.valid()) { return profile.text(profile[node.function].name); }
  return node.group == CallNode::kNone ? std::string_view() : std::string_view(tree.groups[node.group]);
}

std::string_view node_module(const Profile& profile, const CallNode& node) {
  if (!node.function.valid() || !profile[node.function].module.valid()) { return {}; }
  return profile.text(profile[profile[node.function].module].name);
}

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Nodes are found by (parent node, function) in one open table of integers, and each used row of the stack table is looked at
// once: a stack's node is known as soon as its caller's is. Nothing recurses, since stacks may be tens of thousands of frames
// deep.

#include "analyze/call_tree.h"

#include <tsl/robin_map.h>

#include <algorithm>

#include "base/hash.h"

namespace wick {
namespace {

constexpr uint32_t kNone = CallNode::kNone;

class TreeBuilder {
 public:
  TreeBuilder(const Profile& profile, Sameness sameness) : profile_(profile), same_(compute_same_functions(profile, sameness)) {
    tree_.nodes.push_back({});
  }

  CallNode& node(uint32_t i) { return tree_.nodes[i]; }

  uint32_t function_child(uint32_t parent, StackId stack) {
    const Frame& frame = profile_[profile_[stack].frame];
    FunctionId function = same_[frame.function.value];
    uint32_t node = child(parent, function, kNone, function.value);
    tree_.nodes[node].inlining.add(frame);
    return node;
  }
  // Below the root, beside the functions of threads that have no group.
  uint32_t group_child(uint32_t group) { return child(0, {}, group, group); }

  CallTree finish(std::vector<std::string> groups) && {
    std::vector<CallNode>& nodes = tree_.nodes;
    tree_.groups = std::move(groups);
    for (CallNode& n : nodes) { n.total = n.self; }
    for (size_t i = nodes.size(); i-- > 1;) { nodes[nodes[i].parent].total += nodes[i].total; }
    link_children();
    return std::move(tree_);
  }

 private:
  uint32_t child(uint32_t parent, FunctionId function, uint32_t group, uint32_t key) {
    uint32_t fresh = static_cast<uint32_t>(tree_.nodes.size());
    uint32_t table = function.valid() ? parent : kNone;  // groups and functions do not meet
    auto [it, inserted] = ids_.try_emplace(uint64_t{table} << 32 | key, fresh);
    if (inserted) {
      CallNode n;
      n.function = function;
      n.group = group;
      n.parent = parent;
      n.depth = tree_.nodes[parent].depth + 1;
      tree_.nodes.push_back(n);
    }
    return it->second;
  }

  // All nodes sorted once, then strung up: lighter than a list of children per node.
  void link_children() {
    std::vector<CallNode>& nodes = tree_.nodes;
    std::vector<uint32_t> order(nodes.size() - 1);
    for (uint32_t i = 0; i < order.size(); ++i) { order[i] = i + 1; }
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      const CallNode &x = nodes[a], &y = nodes[b];
      if (x.parent != y.parent) { return x.parent < y.parent; }
      if (x.total.weight != y.total.weight) { return x.total.weight > y.total.weight; }
      int names = node_name(profile_, tree_, x).compare(node_name(profile_, tree_, y));
      if (names == 0) { names = node_module(profile_, x).compare(node_module(profile_, y)); }
      return names != 0 ? names < 0 : a < b;
    });
    for (size_t i = order.size(); i-- > 0;) {
      CallNode& n = nodes[order[i]];
      n.next_sibling = nodes[n.parent].first_child;
      nodes[n.parent].first_child = order[i];
    }
  }

  struct Hash {
    size_t operator()(uint64_t key) const { return hash_pair(key, 0); }
  };

  const Profile& profile_;
  std::vector<FunctionId> same_;
  CallTree tree_;
  tsl::robin_map<uint64_t, uint32_t, Hash> ids_;
};

struct Leaf {
  uint32_t group;
  StackId stack;
  Cost cost;
};

// One row per (group, stack), the groups one after the other.
std::vector<Leaf> compute_leaves(const Profile& profile, const Selection& selection, const ThreadGroups& groups) {
  std::vector<Leaf> leaves;
  if (groups.names.empty()) {
    std::vector<Cost> self = compute_stack_self(profile, selection);
    for (uint32_t i = 0; i < self.size(); ++i) {
      if (!self[i].empty()) { leaves.push_back({kNone, StackId{i}, self[i]}); }
    }
    return leaves;
  }
  for (uint32_t row : selection.samples) {
    const Sample& s = profile.samples[row];
    leaves.push_back({groups.of_thread[s.thread.value], s.stack, {s.weight, s.count}});
  }
  std::sort(leaves.begin(), leaves.end(),
            [](const Leaf& a, const Leaf& b) { return a.group != b.group ? a.group < b.group : a.stack < b.stack; });
  size_t kept = 0;
  for (size_t i = 0; i < leaves.size(); ++i) {
    bool same = kept > 0 && leaves[kept - 1].group == leaves[i].group && leaves[kept - 1].stack == leaves[i].stack;
    if (same) {
      leaves[kept - 1].cost += leaves[i].cost;
    } else {
      leaves[kept++] = leaves[i];
    }
  }
  leaves.resize(kept);
  return leaves;
}

}  // namespace

ThreadGroups group_by_process_name(const Profile& profile, const Selection& selection) {
  auto name = [&](uint32_t sample) { return profile[profile[profile.samples[sample].thread].process].name; };
  bool several = std::any_of(selection.samples.begin(), selection.samples.end(),
                             [&](uint32_t row) { return name(row) != name(selection.samples.front()); });
  ThreadGroups groups;
  if (!several) { return groups; }
  tsl::robin_map<uint32_t, uint32_t> rows;
  for (const Thread& t : profile.threads) {
    StringId id = profile[t.process].name;
    auto [it, fresh] = rows.try_emplace(id.value, static_cast<uint32_t>(groups.names.size()));
    if (fresh) { groups.names.emplace_back(profile.text(id)); }
    groups.of_thread.push_back(it->second);
  }
  return groups;
}

CallTree compute_call_tree(const Profile& profile, const Selection& selection, ThreadGroups groups, Sameness sameness) {
  TreeBuilder builder(profile, sameness);
  std::vector<uint32_t> node_of(profile.stacks.size(), kNone);
  std::vector<StackId> known, path;  // stacks whose node is known for the current group; those on the way to such a one
  uint32_t group = kNone, base = 0;
  for (const Leaf& leaf : compute_leaves(profile, selection, groups)) {
    if (group != leaf.group) {
      for (StackId s : known) { node_of[s.value] = kNone; }
      known.clear();
      group = leaf.group;
      base = group == kNone ? 0 : builder.group_child(group);
    }
    StackId at = leaf.stack;
    for (; at.valid() && node_of[at.value] == kNone; at = profile[at].caller) { path.push_back(at); }
    uint32_t node = at.valid() ? node_of[at.value] : base;
    for (; !path.empty(); path.pop_back()) {
      node = builder.function_child(node, path.back());
      node_of[path.back().value] = node;
      known.push_back(path.back());
    }
    builder.node(node).self += leaf.cost;
  }
  return std::move(builder).finish(std::move(groups.names));
}

CallTree compute_callers(const Profile& profile, const Selection& selection, std::span<const FunctionId> targets) {
  std::vector<FunctionId> same = compute_same_functions(profile);
  std::vector<bool> wanted(profile.functions.size());
  for (FunctionId t : targets) { wanted[t.value] = true; }
  for (size_t i = 0; i < same.size(); ++i) { wanted[i] = wanted[i] || wanted[same[i].value]; }

  std::vector<Cost> subtree = compute_stack_self(profile, selection);
  add_up_callers(profile, subtree);
  TreeBuilder builder(profile, Sameness::kNameAndModule);
  std::vector<bool> inside(profile.stacks.size());
  for (uint32_t i = 0; i < profile.stacks.size(); ++i) {
    const Stack& s = profile.stacks[i];
    bool called_inside = s.caller.valid() && inside[s.caller.value];
    bool is_target = wanted[profile[s.frame].function.value];
    inside[i] = called_inside || is_target;
    if (!is_target || called_inside || subtree[i].empty()) { continue; }
    builder.node(0).inlining.add(profile[s.frame]);
    uint32_t node = 0;
    for (StackId at = s.caller; at.valid(); at = profile[at].caller) { node = builder.function_child(node, at); }
    builder.node(node).self += subtree[i];
  }
  return std::move(builder).finish({});
}

std::string_view node_name(const Profile& profile, const CallTree& tree, const CallNode& node) {
  if (node.function.valid()) { return profile.text(profile[node.function].name); }
  return node.group == kNone ? std::string_view() : std::string_view(tree.groups[node.group]);
}

std::string_view node_module(const Profile& profile, const CallNode& node) {
  if (!node.function.valid() || !profile[node.function].module.valid()) { return {}; }
  return profile.text(profile[profile[node.function].module].name);
}

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The one builder of trees of stacks: those of the reports (analyze/call_tree.h) and of pictures (analyze/flame_tree.h). Stacks
// are merged by function, from the outermost callers or from the leaves, of one selection or of two to be compared.

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "analyze/runtime_frames.h"
#include "analyze/stack_costs.h"
#include "analyze/thread_groups.h"

namespace wick {

// What the nodes of all trees have.
struct TreeNode {
  static constexpr uint32_t kNone = UINT32_MAX;

  FunctionId function;     // the first of those that count as the same (stack_costs.h); invalid in the root and in group nodes
  uint32_t group = kNone;  // in group nodes: a row of the tree's groups
  uint32_t parent = kNone, depth = 0;
  Cost self, total;     // in a difference: of the later profile
  Inlining inlining;    // of the selected stacks
  FoldedFrames folded;  // likewise
};

struct BothCosts {
  Cost now, before;

  BothCosts& operator+=(const BothCosts& o) {
    now += o.now;
    before += o.before;
    return *this;
  }
  BothCosts& operator-=(const BothCosts& o) {
    now -= o.now;
    before -= o.before;
    return *this;
  }
  int64_t size() const { return now.weight + before.weight; }  // no box is wider
  bool empty() const { return now.empty() && before.empty(); }
};

enum class SiblingOrder : uint8_t { kCost, kName, kInput };

struct StackTreeOptions {
  const Selection* before = nullptr;  // compare with this one of the same profile
  SiblingOrder order = SiblingOrder::kCost;
  Sameness sameness = Sameness::kNameAndModule;
  bool all = true;   // false: only nodes of a positive size that is at least `least`
  double least = 0;  // weight
};

// Makes nodes depth first: a caller before its callees, siblings in their order. nodes[0] is the root, of the whole selection.
// Node: CallNode or FlameNode.
template <typename Node>
class StackTreeBuilder {
 public:
  StackTreeBuilder(const Profile& profile, const Selection& selection, const StackTreeOptions& options);

  // From the outermost callers to the leaves, below a level of groups where there are some.
  void build_forward(const ThreadGroups& groups);
  // From the leaves to their callers, and to the groups.
  void build_reversed(const ThreadGroups& groups);
  // From the callers of these functions outwards; the root is the functions. A sample counts once, where one is first entered.
  void build_callers(std::span<const FunctionId> targets);

  std::vector<Node>& nodes() { return nodes_; }
  uint64_t hidden_branches() const { return hidden_branches_; }  // branches that are too small, each with all that it called

 protected:
  static constexpr uint32_t kNone = TreeNode::kNone;

  bool fits(int64_t size) const { return settings_.all || (size > 0 && static_cast<double>(size) >= settings_.least); }
  uint32_t function_of(uint32_t row) const { return same_[profile_[profile_.stacks()[row].frame].function.value].value; }
  uint32_t add_node(uint32_t parent, FunctionId function, uint32_t group, const BothCosts& total);
  void add_frame(uint32_t node, FrameId frame) {
    nodes_[node].inlining.add(profile_[frame]);
    nodes_[node].folded.add(profile_[frame]);
  }
  template <typename Visit>
  void visit_samples(const Visit& visit) const {
    for (uint32_t row : now_.samples) { visit(row, BothCosts{cost_of(row), {}}); }
    if (settings_.before == nullptr) { return; }
    for (uint32_t row : settings_.before->samples) { visit(row, BothCosts{{}, cost_of(row)}); }
  }

  const Profile& profile_;
  const Selection& now_;
  std::vector<Node> nodes_;
  uint64_t hidden_branches_ = 0;

 private:
  // A branch that is to be opened: some consecutive entries that became one node.
  struct Branch {
    size_t begin, end;
    uint64_t key;  // of what the entries have in common: a function, or a group
    BothCosts total;
    uint32_t first;  // of the entries, as they came
  };
  static constexpr uint64_t kGroup = uint64_t{1} << 32;  // above all functions
  static constexpr uint64_t kEnds = UINT64_MAX;          // above all groups
  // Entries that wait to be opened lie one branch behind the other, the next to be opened last.
  struct Waiting {
    uint32_t parent;
    size_t begin;
    uint64_t key;
    BothCosts total;
  };
  // Of a tree from the leaves.
  struct Entry {
    StackId at;      // the next to go to, inside out; invalid: the group
    uint32_t group;  // kNone: none, or already been there
    uint32_t number;
    BothCosts costs;
  };

  Cost cost_of(uint32_t row) const { return {profile_.samples()[row].weight, profile_.samples()[row].count}; }
  BothCosts row_costs(uint32_t row) const { return {total_[row], before_.empty() ? Cost{} : before_[row]}; }
  std::string_view branch_name(uint64_t key, const ThreadGroups& groups) const;
  std::string_view module_name(uint64_t function) const;
  void sort_branches(std::vector<Branch>& branches, const ThreadGroups& groups) const;
  template <typename Item, typename KeyOf, typename NumberOf, typename CostOf>
  void make_branches(std::vector<Item>& items, const KeyOf& key_of, const NumberOf& number_of, const CostOf& costs_of);
  bool keep(const BothCosts& total);
  void set_self(uint32_t node, const BothCosts& self);

  int64_t per_sample() const;
  bool rows_are_boxes() const;
  void build_by_rows();
  void build_groups(const ThreadGroups& groups);
  void add_self(StackId stack, const BothCosts& cost, std::vector<uint32_t>* touched);
  void link(uint32_t row, std::vector<uint32_t>& outermost);
  template <typename Item, typename KeyOf, typename NumberOf, typename CostOf, typename Open>
  void open_branches(uint32_t node, std::vector<Item> items, const ThreadGroups& groups, const KeyOf& key_of,
                     const NumberOf& number_of, const CostOf& costs_of, const Open& open);
  void open_rows(uint32_t base, const std::vector<uint32_t>& outermost);
  void open_entries(std::vector<Entry> entries, const ThreadGroups& groups);

  const StackTreeOptions settings_;
  std::vector<FunctionId> same_;
  // One row for each of the profile's stacks.
  std::vector<Cost> total_, before_;
  std::vector<uint32_t> first_callee_, next_;
  std::vector<bool> seen_;
  std::vector<Branch> branches_;
};

}  // namespace wick

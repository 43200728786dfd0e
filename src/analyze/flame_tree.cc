// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/flame_tree.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "analyze/stack_tree.h"
#include "analyze/thread_groups.h"

namespace wick {
namespace {

ThreadGroups group_processes(const Profile& profile, const Selection& now, const Selection* before) {
  if (before == nullptr) { return group_by_process_name(profile, now); }
  // The compared programs may have different names: that alone does not add a level.
  bool several = !group_by_process_name(profile, now).names.empty() || !group_by_process_name(profile, *before).names.empty();
  if (!several) { return {}; }
  Selection both = now;
  both.samples.insert(both.samples.end(), before->samples.begin(), before->samples.end());
  return group_by_process_name(profile, both);
}

ThreadGroups group_threads(const Profile& profile, const Selection& now, const Selection* before) {
  if (before == nullptr) { return group_by_thread(profile, now); }
  Selection both = now;
  both.samples.insert(both.samples.end(), before->samples.begin(), before->samples.end());
  return group_by_thread(profile, both);
}

int64_t whole_of(const Selection& selection, const FlameTreeOptions& options) {
  return std::max({selection.weight, options.whole, int64_t{0}});
}

StackTreeOptions tree_options(const Selection& selection, const FlameTreeOptions& options) {
  double whole = static_cast<double>(whole_of(selection, options));
  if (options.before != nullptr) { whole += static_cast<double>(std::max<int64_t>(options.before->weight, 0)); }
  return {.before = options.before, .order = options.order, .all = false, .least = options.least_share * whole};
}

class Builder : StackTreeBuilder<FlameNode> {
 public:
  Builder(const Profile& profile, const Selection& selection, const FlameTreeOptions& options)
      : StackTreeBuilder(profile, selection, tree_options(selection, options)),
        options_(options),
        whole_(whole_of(selection, options)) {}

  FlameTree build() && {
    bool has_costs = nodes_[0].total.weight > 0 || nodes_[0].total_before.weight > 0;
    if (has_costs && sums_fit()) { build_nodes(); }
    return {std::move(nodes_), std::move(groups_), levels_, hidden_branches_};
  }

 private:
  void build_nodes() {
    if (options_.chart) {
      build_chart();
    } else {
      ThreadGroups groups =
          options_.by_thread ? group_threads(profile_, now_, options_.before) : group_processes(profile_, now_, options_.before);
      if (options_.reverse) {
        build_reversed(groups);
      } else {
        build_forward(groups);
      }
      groups_ = std::move(groups.names);
      place();
    }
    for (const FlameNode& n : nodes_) { levels_ = std::max(levels_, n.depth + 1); }
    name_folded();
  }

  void name_folded() {
    std::map<std::string, uint32_t> rows;
    for (FlameNode& n : nodes_) {
      if (n.folded.most == 0) { continue; }
      std::string text = "… " + describe_folded(n.folded, profile_.text(profile_[n.function].name));
      auto [it, fresh] = rows.try_emplace(text, static_cast<uint32_t>(groups_.size()));
      if (fresh) { groups_.push_back(std::move(text)); }
      n.group = it->second;
    }
  }

  // The sums of each selection fit, but those of both might not.
  bool sums_fit() const {
    if (options_.before == nullptr) { return true; }
    double sum = static_cast<double>(options_.whole);
    visit_samples([&](uint32_t row, const BothCosts&) { sum += std::abs(static_cast<double>(profile_.samples()[row].weight)); });
    return sum < 9e18;
  }

  // ---- charts

  void build_chart() {
    std::vector<uint32_t> order = now_.samples;
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return profile_.samples()[a].thread < profile_.samples()[b].thread; });
    bool several = !order.empty() && profile_.samples()[order.front()].thread != profile_.samples()[order.back()].thread;
    std::vector<uint32_t> open = {0};  // from the root to the last sample's leaf
    std::vector<StackId> path;
    ThreadId thread;
    int64_t cursor = 0;
    auto close = [&](size_t keep) {
      for (; open.size() > keep; open.pop_back()) {
        uint32_t node = open.back();
        FlameNode& n = nodes_[node];
        n.width = cursor - n.x;
        nodes_[n.parent].total += n.total;
        if (!fits(n.width)) {  // its callees follow and are narrower still
          ++hidden_branches_;
          nodes_.resize(node);
        }
      }
    };
    nodes_[0].total = {};
    for (uint32_t row : order) {
      const Sample& s = profile_.samples()[row];
      path.clear();
      for (StackId at = s.stack; at.valid(); at = profile_[at].caller) { path.push_back(at); }
      std::reverse(path.begin(), path.end());
      size_t base = several ? 2 : 1;
      if (several && s.thread != thread) {
        close(1);
        open.push_back(add_node(0, {}, static_cast<uint32_t>(groups_.size()), {}));
        nodes_.back().x = cursor;
        groups_.push_back(thread_name(s.thread));
      }
      thread = s.thread;
      size_t common = 0;
      while (common < path.size() && base + common < open.size() &&
             nodes_[open[base + common]].function.value == function_of(path[common].value)) {
        ++common;
      }
      close(base + common);
      for (size_t i = common; i < path.size(); ++i) {
        open.push_back(add_node(open.back(), FunctionId{function_of(path[i].value)}, kNone, {}));
        nodes_.back().x = cursor;
      }
      for (size_t i = 0; i < path.size(); ++i) { add_frame(open[base + i], profile_[path[i]].frame); }
      Cost cost{s.weight, s.count};
      nodes_[open.back()].self += cost;
      nodes_[open.back()].total += cost;
      cursor += std::max<int64_t>(s.weight, 0);
    }
    close(1);
    nodes_[0].width = std::max(whole_, cursor);
  }
  std::string thread_name(ThreadId id) const {
    const Thread& t = profile_[id];
    std::string name(profile_.text(t.name));
    return name.empty() ? "thread " + std::to_string(t.tid) : name;
  }

  // ---- layout

  void place() {
    std::vector<FlameNode>& nodes = nodes_;
    bool difference = options_.before != nullptr;
    if (difference) {
      // A node is as wide as it costs now; vanished callees need additional room. `width` first holds the callees' surplus.
      for (size_t i = nodes.size(); i-- > 1;) {
        FlameNode& n = nodes[i];
        n.width = is_gone(n) ? n.total_before.weight : std::max<int64_t>(n.total.weight, 0) + n.width;
        nodes[n.parent].width += n.width - std::max<int64_t>(n.total.weight, 0);
      }
      nodes[0].width += std::max<int64_t>(nodes[0].total.weight, 0);
      if (nodes[0].width <= 0) { nodes[0].width = nodes[0].total_before.weight; }
    } else {
      for (FlameNode& n : nodes) { n.width = std::max<int64_t>(n.total.weight, 0); }
    }
    nodes[0].width = std::max(nodes[0].width, whole_);
    std::vector<int64_t> next(nodes.size());
    for (size_t i = 1; i < nodes.size(); ++i) {
      int64_t& at = next[nodes[i].parent];
      nodes[i].x = next[i] = at;
      at += nodes[i].width;
    }
  }
  static bool is_gone(const FlameNode& n) { return n.total.weight <= 0 && n.total_before.weight > 0; }

  const FlameTreeOptions& options_;
  int64_t whole_ = 0;
  std::vector<std::string> groups_;
  uint32_t levels_ = 0;
};

}  // namespace

FlameTree compute_flame_tree(const Profile& profile, const Selection& selection, const FlameTreeOptions& options) {
  return Builder(profile, selection, options).build();
}

std::string_view node_name(const Profile& profile, const FlameTree& tree, const FlameNode& node) {
  if (node.group != FlameNode::kNone) { return tree.groups[node.group]; }
  return node.function.valid() ? profile.text(profile[node.function].name) : std::string_view();
}

}  // namespace wick

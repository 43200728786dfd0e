// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// A tree of millions of nodes has some ten thousand that can be seen. So costs are added up over the profile's stack table, which
// is a tree already, and only nodes that are wide enough are opened: their rows' callees are gathered, sorted by function, and
// those that make a wide enough box are opened in turn. Time and memory are those of a few flat columns of the stack table.
// (Building the merged tree first and leaving out afterwards took five times the memory.) Nothing recurses: stacks may be tens of
// thousands of frames deep.

#include "analyze/flame_tree.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "analyze/call_tree.h"

namespace wick {
namespace {

constexpr uint32_t kNone = FlameNode::kNone;

struct BothCosts {
  Cost now, before;

  BothCosts& operator+=(const BothCosts& o) {
    now += o.now;
    before += o.before;
    return *this;
  }
  int64_t size() const { return now.weight + before.weight; }  // no box is wider
};

ThreadGroups group_processes(const Profile& profile, const Selection& now, const Selection* before) {
  if (before == nullptr) { return group_by_process_name(profile, now); }
  // The two programs that are compared may have different names: that alone makes no level.
  bool several = !group_by_process_name(profile, now).names.empty() || !group_by_process_name(profile, *before).names.empty();
  if (!several) { return {}; }
  Selection both = now;
  both.samples.insert(both.samples.end(), before->samples.begin(), before->samples.end());
  return group_by_process_name(profile, both);
}

class Builder {
 public:
  Builder(const Profile& profile, const Selection& selection, const FlameTreeOptions& options)
      : profile_(profile), now_(selection), options_(options), same_(compute_same_functions(profile)) {
    int64_t before = options.before == nullptr ? 0 : std::max<int64_t>(options.before->weight, 0);
    whole_ = std::max({selection.weight, options.whole, int64_t{0}});
    least_ = options.least_share * (static_cast<double>(whole_) + static_cast<double>(before));
    FlameNode root;
    root.total = {selection.weight, selection.count};
    if (options.before != nullptr) { root.total_before = {options.before->weight, options.before->count}; }
    tree_.nodes.push_back(root);
  }

  FlameTree build() && {
    if (tree_.nodes[0].total.weight <= 0 && tree_.nodes[0].total_before.weight <= 0) { return std::move(tree_); }
    if (!sums_fit()) { return std::move(tree_); }
    if (options_.chart) {
      build_chart();
    } else {
      ThreadGroups groups = group_processes(profile_, now_, options_.before);
      if (options_.reverse) {
        build_reversed(groups);
      } else {
        build_forward(groups);
      }
      tree_.groups = std::move(groups.names);
      place();
    }
    for (const FlameNode& n : tree_.nodes) { tree_.levels = std::max(tree_.levels, n.depth + 1); }
    return std::move(tree_);
  }

 private:
  // Each selection's sums do fit; those of two together might not.
  bool sums_fit() const {
    if (options_.before == nullptr) { return true; }
    double sum = static_cast<double>(options_.whole);
    visit_samples([&](const Sample& s, const BothCosts&) { sum += std::abs(static_cast<double>(s.weight)); });
    return sum < 9e18;
  }
  bool fits(int64_t size) const { return size > 0 && static_cast<double>(size) >= least_; }
  uint32_t function_of(uint32_t row) const { return same_[profile_[profile_.stacks[row].frame].function.value].value; }

  template <typename Visit>
  void visit_samples(const Visit& visit) const {
    for (uint32_t row : now_.samples) {
      const Sample& s = profile_.samples[row];
      visit(s, BothCosts{{s.weight, s.count}, {}});
    }
    if (options_.before == nullptr) { return; }
    for (uint32_t row : options_.before->samples) {
      const Sample& s = profile_.samples[row];
      visit(s, BothCosts{{}, {s.weight, s.count}});
    }
  }

  uint32_t add_node(uint32_t parent, FunctionId function, uint32_t group, const BothCosts& total) {
    FlameNode n;
    n.function = function;
    n.group = group;
    n.parent = parent;
    n.depth = tree_.nodes[parent].depth + 1;
    n.total = total.now;
    n.total_before = total.before;
    tree_.nodes.push_back(n);
    return static_cast<uint32_t>(tree_.nodes.size() - 1);
  }
  void set_self(uint32_t node, const BothCosts& self) {
    tree_.nodes[node].self = self.now;
    tree_.nodes[node].self_before = self.before;
  }

  // A branch that is to be opened: some consecutive entries that became one box.
  struct Branch {
    size_t begin, end;
    uint64_t key;  // of what the entries have in common: a function, or a group
    BothCosts total;
    uint32_t first;  // of the entries, as they came
  };
  static constexpr uint64_t kGroup = uint64_t{1} << 32;  // above all functions
  std::string_view branch_name(uint64_t key, const ThreadGroups& groups) const {
    return key >= kGroup ? std::string_view(groups.names[key - kGroup])
                         : profile_.text(profile_.functions[static_cast<uint32_t>(key)].name);
  }
  void sort_branches(std::vector<Branch>& branches, const ThreadGroups& groups) const {
    if (options_.order == SiblingOrder::kInput) {
      std::sort(branches.begin(), branches.end(), [](const Branch& a, const Branch& b) { return a.first < b.first; });
      return;
    }
    auto by_name = [&](const Branch& a, const Branch& b) {
      int names = branch_name(a.key, groups).compare(branch_name(b.key, groups));
      if (names == 0 && a.key < kGroup && b.key < kGroup) { names = module_name(a.key).compare(module_name(b.key)); }
      return names != 0 ? names < 0 : a.key < b.key;
    };
    std::sort(branches.begin(), branches.end(), [&](const Branch& a, const Branch& b) {
      if (options_.order == SiblingOrder::kCost && a.total.size() != b.total.size()) { return a.total.size() > b.total.size(); }
      return by_name(a, b);
    });
  }
  std::string_view module_name(uint64_t function) const {
    ModuleId module = profile_.functions[static_cast<uint32_t>(function)].module;
    return module.valid() ? profile_.text(profile_[module].name) : std::string_view();
  }

  // ---- from the outermost callers

  BothCosts row_costs(uint32_t row) const { return {total_[row], before_.empty() ? Cost{} : before_[row]}; }

  void build_forward(const ThreadGroups& groups) {
    if (groups.names.empty() && options_.before == nullptr && rows_are_boxes()) {
      build_by_rows();
      return;
    }
    size_t rows = profile_.stacks.size();
    total_.resize(rows);
    if (options_.before != nullptr) { before_.resize(rows); }
    first_callee_.assign(rows, kNone);
    next_.assign(rows, kNone);
    seen_.assign(rows, false);
    if (groups.names.empty()) {
      visit_samples([&](const Sample& s, const BothCosts& cost) { add_self(s.stack, cost, nullptr); });
      std::vector<uint32_t> outermost;
      for (uint32_t i = static_cast<uint32_t>(rows); i-- > 0;) { link(i, outermost); }
      std::reverse(outermost.begin(), outermost.end());
      open_rows(0, outermost, groups);
      return;
    }
    // The same stacks may be of several groups: one after the other, wiping the columns clean between them.
    struct Leaf {
      StackId stack;
      BothCosts costs;
    };
    std::vector<std::vector<Leaf>> leaves(groups.names.size());
    std::vector<BothCosts> sums(groups.names.size());
    visit_samples([&](const Sample& s, const BothCosts& cost) {
      uint32_t group = groups.of_thread[s.thread.value];
      leaves[group].push_back({s.stack, cost});
      sums[group] += cost;
    });
    std::vector<Branch> order;
    for (uint32_t g = 0; g < groups.names.size(); ++g) {
      if (fits(sums[g].size())) {
        order.push_back({0, 0, kGroup + g, sums[g], g});
      } else if (!leaves[g].empty()) {
        ++tree_.left_out;
      }
    }
    sort_branches(order, groups);
    std::vector<uint32_t> touched, outermost;
    for (const Branch& branch : order) {
      uint32_t group = static_cast<uint32_t>(branch.key - kGroup);
      uint32_t node = add_node(0, {}, group, branch.total);
      touched.clear();
      for (const Leaf& leaf : leaves[group]) { add_self(leaf.stack, leaf.costs, &touched); }
      std::sort(touched.begin(), touched.end());
      outermost.clear();
      for (size_t i = touched.size(); i-- > 0;) { link(touched[i], outermost); }
      std::reverse(outermost.begin(), outermost.end());
      open_rows(node, outermost, groups);
      for (uint32_t row : touched) {
        total_[row] = {};
        if (!before_.empty()) { before_[row] = {}; }
        first_callee_[row] = next_[row] = kNone;
        seen_[row] = false;
      }
    }
  }

  // Where nothing but its name is known of a function, as in folded text, each row of the stack table is a box already: there is
  // nothing to merge, so it can be told at once which rows are wide enough, and one column is all that is needed.
  bool rows_are_boxes() const {
    std::vector<bool> seen(profile_.functions.size()), outermost(profile_.frames.size());
    for (const Frame& f : profile_.frames) {
      std::vector<bool>::reference known = seen[same_[f.function.value].value];
      if (known) { return false; }
      known = true;
    }
    for (const Stack& s : profile_.stacks) {
      if (s.caller.valid()) { continue; }
      if (outermost[s.frame.value]) { return false; }
      outermost[s.frame.value] = true;
    }
    return per_sample() > 0;
  }
  // What each sample weighs, if all weigh the same; else 0.
  int64_t per_sample() const {
    int64_t per = 0;
    for (uint32_t row : now_.samples) {
      const Sample& s = profile_.samples[row];
      if (s.weight <= 0 || s.count == 0) { return 0; }
      if (per == 0) { per = static_cast<int64_t>(static_cast<uint64_t>(s.weight) / s.count); }
      uint64_t product = 0;
      bool same =
          !__builtin_mul_overflow(static_cast<uint64_t>(per), s.count, &product) && product == static_cast<uint64_t>(s.weight);
      if (per == 0 || !same) { return 0; }
    }
    return per;
  }

  void build_by_rows() {
    const std::vector<Stack>& stacks = profile_.stacks;
    int64_t per = per_sample();
    auto costs = [per](int64_t weight) { return BothCosts{{weight, static_cast<uint64_t>(weight / per)}, {}}; };
    std::vector<int64_t> weights(stacks.size());
    for (uint32_t row : now_.samples) { weights[profile_.samples[row].stack.value] += profile_.samples[row].weight; }
    for (size_t i = stacks.size(); i-- > 0;) {
      if (stacks[i].caller.valid()) { weights[stacks[i].caller.value] += weights[i]; }
    }
    struct Child {
      uint32_t caller, row;  // kNone: the root
    };
    std::vector<Child> children;
    std::vector<std::pair<uint32_t, int64_t>> narrow;  // callers of branches that are left out
    for (uint32_t i = 0; i < stacks.size(); ++i) {
      uint32_t caller = stacks[i].caller.valid() ? stacks[i].caller.value : kNone;
      if (fits(weights[i])) {
        children.push_back({caller, i});
      } else if (weights[i] > 0 && (caller == kNone || fits(weights[caller]))) {
        ++tree_.left_out;
        narrow.emplace_back(caller, weights[i]);
      }
    }
    auto by_caller = [](const auto& a, const auto& b) { return a.caller < b.caller; };
    std::stable_sort(children.begin(), children.end(), by_caller);
    std::sort(narrow.begin(), narrow.end());
    std::vector<Waiting> todo;
    uint32_t node = 0, row = kNone;
    for (;;) {
      branches_.clear();
      BothCosts self{tree_.nodes[node].total, {}};
      auto [begin, end] = std::equal_range(children.begin(), children.end(), Child{row, 0}, by_caller);
      for (; begin != end; ++begin) {
        branches_.push_back({begin->row, 0, function_of(begin->row), costs(weights[begin->row]), begin->row});
        subtract(self, branches_.back().total);
      }
      for (auto it = std::lower_bound(narrow.begin(), narrow.end(), std::pair{row, INT64_MIN});
           it != narrow.end() && it->first == row; ++it) {
        subtract(self, costs(it->second));
      }
      set_self(node, self);
      sort_branches(branches_, {});
      for (size_t i = branches_.size(); i-- > 0;) {
        todo.push_back({node, branches_[i].begin, branches_[i].key, branches_[i].total});
      }
      if (todo.empty()) { return; }
      Waiting next = todo.back();
      todo.pop_back();
      row = static_cast<uint32_t>(next.begin);
      node = add_node(next.parent, FunctionId{static_cast<uint32_t>(next.key)}, kNone, next.total);
      tree_.nodes[node].inlining.add(profile_[stacks[row].frame]);
    }
  }

  void add_self(StackId stack, const BothCosts& cost, std::vector<uint32_t>* touched) {
    total_[stack.value] += cost.now;
    if (!before_.empty()) { before_[stack.value] += cost.before; }
    for (StackId at = stack; at.valid() && !seen_[at.value]; at = profile_[at].caller) {
      seen_[at.value] = true;
      if (touched != nullptr) { touched->push_back(at.value); }
    }
  }
  // From the last row to the first: a row's total is whole when its turn comes.
  void link(uint32_t row, std::vector<uint32_t>& outermost) {
    if (!seen_[row]) { return; }
    StackId caller = profile_.stacks[row].caller;
    if (!caller.valid()) {
      outermost.push_back(row);
      return;
    }
    next_[row] = first_callee_[caller.value];
    first_callee_[caller.value] = row;
    total_[caller.value] += total_[row];
    if (!before_.empty()) { before_[caller.value] += before_[row]; }
  }

  // Rows that wait to be opened lie one branch behind the other, the next to be opened last.
  struct Waiting {
    uint32_t parent;
    size_t begin;
    uint64_t key;
    BothCosts total;
  };
  void open_rows(uint32_t base, std::span<const uint32_t> outermost, const ThreadGroups& groups) {
    std::vector<uint32_t> rows(outermost.begin(), outermost.end()), pool;
    std::vector<Waiting> todo;
    uint32_t node = base;
    for (;;) {
      BothCosts self{tree_.nodes[node].total, tree_.nodes[node].total_before};
      make_branches(
          rows, [&](uint32_t row) { return function_of(row); }, [](uint32_t row) { return row; },
          [&](uint32_t row) { return row_costs(row); });
      for (const Branch& b : branches_) { subtract(self, b.total); }
      set_self(node, self);
      keep_wide_branches();
      sort_branches(branches_, groups);
      for (size_t i = branches_.size(); i-- > 0;) {
        todo.push_back({node, pool.size(), branches_[i].key, branches_[i].total});
        pool.insert(pool.end(), rows.begin() + static_cast<ptrdiff_t>(branches_[i].begin),
                    rows.begin() + static_cast<ptrdiff_t>(branches_[i].end));
      }
      if (todo.empty()) { return; }
      Waiting next = todo.back();
      todo.pop_back();
      node = add_node(next.parent, FunctionId{static_cast<uint32_t>(next.key)}, kNone, next.total);
      rows.clear();
      for (size_t i = next.begin; i < pool.size(); ++i) {
        tree_.nodes[node].inlining.add(profile_[profile_.stacks[pool[i]].frame]);
        for (uint32_t c = first_callee_[pool[i]]; c != kNone; c = next_[c]) { rows.push_back(c); }
      }
      pool.resize(next.begin);
    }
  }

  static void subtract(BothCosts& from, const BothCosts& part) {
    from.now.weight -= part.now.weight;
    from.now.samples -= part.now.samples;
    from.before.weight -= part.before.weight;
    from.before.samples -= part.before.samples;
  }

  // Brings entries of the same key together, in the order of their coming.
  template <typename Item, typename KeyOf, typename NumberOf, typename CostOf>
  void make_branches(std::vector<Item>& items, const KeyOf& key_of, const NumberOf& number_of, const CostOf& cost_of) {
    branches_.clear();
    std::sort(items.begin(), items.end(), [&](const Item& a, const Item& b) {
      uint64_t x = key_of(a), y = key_of(b);
      return x != y ? x < y : number_of(a) < number_of(b);
    });
    for (size_t i = 0; i < items.size(); ++i) {
      uint64_t key = key_of(items[i]);
      if (branches_.empty() || branches_.back().key != key) { branches_.push_back({i, i, key, {}, number_of(items[i])}); }
      branches_.back().end = i + 1;
      branches_.back().total += cost_of(items[i]);
    }
  }
  void keep_wide_branches() {
    size_t kept = 0;
    for (const Branch& b : branches_) {
      if (fits(b.total.size())) {
        branches_[kept++] = b;
      } else if (b.total.now.samples + b.total.before.samples > 0) {
        ++tree_.left_out;
      }
    }
    branches_.resize(kept);
  }

  // ---- from the leaves

  struct Entry {
    StackId at;      // the next to go to, inside out; invalid: the group
    uint32_t group;  // kNone: none, or already been there
    uint32_t number;
    BothCosts costs;
  };
  static constexpr uint64_t kEnds = UINT64_MAX;

  uint64_t reversed_key(const Entry& e) const {
    if (e.at.valid()) { return function_of(e.at.value); }
    return e.group == kNone ? kEnds : kGroup + e.group;
  }

  void build_reversed(const ThreadGroups& groups) {
    std::vector<Entry> entries, pool;
    if (groups.names.empty()) {
      // One entry per stack, however many samples it has.
      std::vector<uint32_t> entry_of(profile_.stacks.size(), kNone);
      visit_samples([&](const Sample& s, const BothCosts& cost) {
        uint32_t& at = entry_of[s.stack.value];
        if (at == kNone) {
          at = static_cast<uint32_t>(entries.size());
          entries.push_back({s.stack, kNone, at, {}});
        }
        entries[at].costs += cost;
      });
    } else {
      visit_samples([&](const Sample& s, const BothCosts& cost) {
        entries.push_back({s.stack, groups.of_thread[s.thread.value], static_cast<uint32_t>(entries.size()), cost});
      });
    }
    std::vector<Waiting> todo;
    uint32_t node = 0;
    for (;;) {
      make_branches(
          entries, [&](const Entry& e) { return reversed_key(e); }, [](const Entry& e) { return e.number; },
          [](const Entry& e) { return e.costs; });
      if (!branches_.empty() && branches_.back().key == kEnds) {
        set_self(node, branches_.back().total);
        branches_.pop_back();
      }
      keep_wide_branches();
      sort_branches(branches_, groups);
      for (size_t i = branches_.size(); i-- > 0;) {
        todo.push_back({node, pool.size(), branches_[i].key, branches_[i].total});
        pool.insert(pool.end(), entries.begin() + static_cast<ptrdiff_t>(branches_[i].begin),
                    entries.begin() + static_cast<ptrdiff_t>(branches_[i].end));
      }
      if (todo.empty()) { return; }
      Waiting next = todo.back();
      todo.pop_back();
      bool is_group = next.key >= kGroup;
      FunctionId function = is_group ? FunctionId{} : FunctionId{static_cast<uint32_t>(next.key)};
      node = add_node(next.parent, function, is_group ? static_cast<uint32_t>(next.key - kGroup) : kNone, next.total);
      entries.assign(pool.begin() + static_cast<ptrdiff_t>(next.begin), pool.end());
      pool.resize(next.begin);
      for (Entry& e : entries) {
        if (is_group) {
          e.group = kNone;
        } else {
          tree_.nodes[node].inlining.add(profile_[profile_[e.at].frame]);
          e.at = profile_[e.at].caller;
        }
      }
    }
  }

  // ---- in the order of time

  void build_chart() {
    std::vector<uint32_t> order = now_.samples;
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return profile_.samples[a].thread < profile_.samples[b].thread; });
    bool several = !order.empty() && profile_.samples[order.front()].thread != profile_.samples[order.back()].thread;
    std::vector<uint32_t> open = {0};  // nodes from the root to the last sample's leaf
    std::vector<StackId> path;
    ThreadId thread;
    int64_t cursor = 0;
    auto close = [&](size_t keep) {
      for (; open.size() > keep; open.pop_back()) {
        uint32_t node = open.back();
        FlameNode& n = tree_.nodes[node];
        n.width = cursor - n.x;
        tree_.nodes[n.parent].total += n.total;
        if (!fits(n.width)) {  // what it called lies behind it and is narrower still
          ++tree_.left_out;
          tree_.nodes.resize(node);
        }
      }
    };
    tree_.nodes[0].total = {};
    for (uint32_t row : order) {
      const Sample& s = profile_.samples[row];
      path.clear();
      for (StackId at = s.stack; at.valid(); at = profile_[at].caller) { path.push_back(at); }
      std::reverse(path.begin(), path.end());
      size_t base = several ? 2 : 1;
      if (several && s.thread != thread) {
        close(1);
        open.push_back(add_node(0, {}, static_cast<uint32_t>(tree_.groups.size()), {}));
        tree_.nodes.back().x = cursor;
        tree_.groups.push_back(thread_name(s.thread));
      }
      thread = s.thread;
      size_t common = 0;
      while (common < path.size() && base + common < open.size() &&
             tree_.nodes[open[base + common]].function.value == function_of(path[common].value)) {
        ++common;
      }
      close(base + common);
      for (size_t i = common; i < path.size(); ++i) {
        open.push_back(add_node(open.back(), FunctionId{function_of(path[i].value)}, kNone, {}));
        tree_.nodes.back().x = cursor;
      }
      for (size_t i = 0; i < path.size(); ++i) { tree_.nodes[open[base + i]].inlining.add(profile_[profile_[path[i]].frame]); }
      Cost cost{s.weight, s.count};
      tree_.nodes[open.back()].self += cost;
      tree_.nodes[open.back()].total += cost;
      cursor += std::max<int64_t>(s.weight, 0);
    }
    close(1);
    tree_.nodes[0].width = std::max(whole_, cursor);
  }
  std::string thread_name(ThreadId id) const {
    const Thread& t = profile_[id];
    std::string name(profile_.text(t.name));
    return name.empty() ? "thread " + std::to_string(t.tid) : name;
  }

  // ---- places

  void place() {
    std::vector<FlameNode>& nodes = tree_.nodes;
    bool difference = options_.before != nullptr;
    if (difference) {
      // A node is what it costs now; where callees vanished they need room beside that. `width` is the callees' surplus first.
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

  const Profile& profile_;
  const Selection& now_;
  const FlameTreeOptions& options_;
  std::vector<FunctionId> same_;
  int64_t whole_ = 0;
  double least_ = 0;
  FlameTree tree_;
  // One row for each of the profile's stacks.
  std::vector<Cost> total_, before_;
  std::vector<uint32_t> first_callee_, next_;
  std::vector<bool> seen_;
  std::vector<Branch> branches_;
};

}  // namespace

FlameTree compute_flame_tree(const Profile& profile, const Selection& selection, const FlameTreeOptions& options) {
  return Builder(profile, selection, options).build();
}

std::string_view node_name(const Profile& profile, const FlameTree& tree, const FlameNode& node) {
  if (node.function.valid()) { return profile.text(profile[node.function].name); }
  return node.group == kNone ? std::string_view() : std::string_view(tree.groups[node.group]);
}

}  // namespace wick

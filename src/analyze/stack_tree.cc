// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Of millions of nodes, some ten thousand are wide enough to be visible. The builder adds up costs over the profile's stack
// table, which is already a tree, and expands only visible nodes: it collects the callees of their rows, sorts them by function,
// and expands those that are visible in turn. Time and memory are those of a few columns of the stack table; building the whole
// merged tree and pruning it took five times the memory. A tree from the leaves expands samples in the same way, caller by
// caller. Nothing recurses, since stacks may be tens of thousands of frames deep.

#include "analyze/stack_tree.h"

#include <algorithm>

#include "analyze/call_tree.h"
#include "analyze/flame_tree.h"

namespace wick {
namespace {

void set_total_before(CallNode&, const Cost&) {}
void set_total_before(FlameNode& node, const Cost& cost) { node.total_before = cost; }
void set_self_before(CallNode&, const Cost&) {}
void set_self_before(FlameNode& node, const Cost& cost) { node.self_before = cost; }

}  // namespace

template <typename Node>
StackTreeBuilder<Node>::StackTreeBuilder(const Profile& profile, const Selection& selection, const StackTreeOptions& options)
    : profile_(profile), now_(selection), settings_(options), same_(compute_same_functions(profile, options.sameness)) {
  Node root;
  root.total = {selection.weight, selection.count};
  if (options.before != nullptr) { set_total_before(root, {options.before->weight, options.before->count}); }
  nodes_.push_back(root);
}

template <typename Node>
uint32_t StackTreeBuilder<Node>::add_node(uint32_t parent, FunctionId function, uint32_t group, const BothCosts& total) {
  Node n;
  n.function = function;
  n.group = group;
  n.parent = parent;
  n.depth = nodes_[parent].depth + 1;
  n.total = total.now;
  set_total_before(n, total.before);
  nodes_.push_back(n);
  return static_cast<uint32_t>(nodes_.size() - 1);
}

template <typename Node>
void StackTreeBuilder<Node>::set_self(uint32_t node, const BothCosts& self) {
  nodes_[node].self = self.now;
  set_self_before(nodes_[node], self.before);
}

// ---- branches

template <typename Node>
std::string_view StackTreeBuilder<Node>::branch_name(uint64_t key, const ThreadGroups& groups) const {
  return key >= kGroup ? std::string_view(groups.names[key - kGroup])
                       : profile_.text(profile_.functions()[static_cast<uint32_t>(key)].name);
}

template <typename Node>
std::string_view StackTreeBuilder<Node>::module_name(uint64_t function) const {
  ModuleId module = profile_.functions()[static_cast<uint32_t>(function)].module;
  return module.valid() ? profile_.text(profile_[module].name) : std::string_view();
}

template <typename Node>
void StackTreeBuilder<Node>::sort_branches(std::vector<Branch>& branches, const ThreadGroups& groups) const {
  if (settings_.order == SiblingOrder::kInput) {
    std::sort(branches.begin(), branches.end(), [](const Branch& a, const Branch& b) { return a.first < b.first; });
    return;
  }
  auto by_name = [&](const Branch& a, const Branch& b) {
    int names = branch_name(a.key, groups).compare(branch_name(b.key, groups));
    if (names == 0 && a.key < kGroup && b.key < kGroup) { names = module_name(a.key).compare(module_name(b.key)); }
    return names != 0 ? names < 0 : a.key < b.key;
  };
  std::sort(branches.begin(), branches.end(), [&](const Branch& a, const Branch& b) {
    if (settings_.order == SiblingOrder::kCost && a.total.size() != b.total.size()) { return a.total.size() > b.total.size(); }
    return by_name(a, b);
  });
}

// Brings entries of the same key together, in the order of their coming.
template <typename Node>
template <typename Item, typename KeyOf, typename NumberOf, typename CostOf>
void StackTreeBuilder<Node>::make_branches(std::vector<Item>& items, const KeyOf& key_of, const NumberOf& number_of,
                                           const CostOf& costs_of) {
  branches_.clear();
  std::sort(items.begin(), items.end(), [&](const Item& a, const Item& b) {
    uint64_t x = key_of(a), y = key_of(b);
    return x != y ? x < y : number_of(a) < number_of(b);
  });
  for (size_t i = 0; i < items.size(); ++i) {
    uint64_t key = key_of(items[i]);
    if (branches_.empty() || branches_.back().key != key) { branches_.push_back({i, i, key, {}, number_of(items[i])}); }
    branches_.back().end = i + 1;
    branches_.back().total += costs_of(items[i]);
  }
}

// Whether a branch becomes a node; else it is counted as left out, unless nothing was.
template <typename Node>
bool StackTreeBuilder<Node>::keep(const BothCosts& total) {
  if (settings_.all) { return !total.empty(); }
  if (fits(total.size())) { return true; }
  hidden_branches_ += total.now.samples + total.before.samples > 0;
  return false;
}

// From this node on, depth first: `items` become its branches, and those are opened in turn. open(node, item, items) says what
// stands for an item of a node that was made, one level on.
template <typename Node>
template <typename Item, typename KeyOf, typename NumberOf, typename CostOf, typename Open>
void StackTreeBuilder<Node>::open_branches(uint32_t node, std::vector<Item> items, const ThreadGroups& groups,
                                           const KeyOf& key_of, const NumberOf& number_of, const CostOf& costs_of,
                                           const Open& open) {
  std::vector<Item> pool;
  std::vector<Waiting> todo;
  BothCosts total;
  for (const Item& item : items) { total += costs_of(item); }
  for (;;) {
    make_branches(items, key_of, number_of, costs_of);
    if (!branches_.empty() && branches_.back().key == kEnds) { branches_.pop_back(); }
    BothCosts self = total;
    for (const Branch& b : branches_) { self -= b.total; }
    set_self(node, self);
    std::erase_if(branches_, [&](const Branch& b) { return !keep(b.total); });
    sort_branches(branches_, groups);
    for (size_t i = branches_.size(); i-- > 0;) {
      todo.push_back({node, pool.size(), branches_[i].key, branches_[i].total});
      pool.insert(pool.end(), items.begin() + static_cast<ptrdiff_t>(branches_[i].begin),
                  items.begin() + static_cast<ptrdiff_t>(branches_[i].end));
    }
    if (todo.empty()) { return; }
    Waiting next = todo.back();
    todo.pop_back();
    bool is_group = next.key >= kGroup;
    FunctionId function = is_group ? FunctionId{} : FunctionId{static_cast<uint32_t>(next.key)};
    node = add_node(next.parent, function, is_group ? static_cast<uint32_t>(next.key - kGroup) : kNone, next.total);
    total = next.total;
    items.clear();
    for (size_t i = next.begin; i < pool.size(); ++i) { open(node, pool[i], items); }
    pool.resize(next.begin);
  }
}

// ---- from the outermost callers

template <typename Node>
void StackTreeBuilder<Node>::build_forward(const ThreadGroups& groups) {
  if (groups.names.empty() && settings_.before == nullptr && rows_are_boxes()) {
    build_by_rows();
    return;
  }
  size_t rows = profile_.stacks().size();
  total_.resize(rows);
  if (settings_.before != nullptr) { before_.resize(rows); }
  first_callee_.assign(rows, kNone);
  next_.assign(rows, kNone);
  seen_.assign(rows, false);
  if (!groups.names.empty()) {
    build_groups(groups);
    return;
  }
  visit_samples([&](uint32_t row, const BothCosts& cost) { add_self(profile_.samples()[row].stack, cost, nullptr); });
  std::vector<uint32_t> outermost;
  for (uint32_t i = static_cast<uint32_t>(rows); i-- > 0;) { link(i, outermost); }
  open_rows(0, outermost);
}

// The same stacks may be of several groups: one after the other, wiping the columns clean between them.
template <typename Node>
void StackTreeBuilder<Node>::build_groups(const ThreadGroups& groups) {
  struct Rows {
    std::vector<uint32_t> now, before;
  };
  std::vector<Rows> rows(groups.names.size());
  auto group_of = [&](uint32_t row) -> Rows& { return rows[groups.of_thread[profile_.samples()[row].thread.value]]; };
  for (uint32_t row : now_.samples) { group_of(row).now.push_back(row); }
  if (settings_.before != nullptr) {
    for (uint32_t row : settings_.before->samples) { group_of(row).before.push_back(row); }
  }
  branches_.clear();
  for (uint32_t g = 0; g < rows.size(); ++g) {
    BothCosts sum;
    for (uint32_t row : rows[g].now) { sum.now += cost_of(row); }
    for (uint32_t row : rows[g].before) { sum.before += cost_of(row); }
    if (rows[g].now.empty() && rows[g].before.empty()) { continue; }
    if (fits(sum.size())) {
      branches_.push_back({0, 0, kGroup + g, sum, g});
    } else {
      ++hidden_branches_;
    }
  }
  sort_branches(branches_, groups);
  std::vector<Branch> order = std::move(branches_);
  std::vector<uint32_t> touched, outermost;
  for (const Branch& branch : order) {
    uint32_t group = static_cast<uint32_t>(branch.key - kGroup);
    uint32_t node = add_node(0, {}, group, branch.total);
    touched.clear();
    for (uint32_t row : rows[group].now) { add_self(profile_.samples()[row].stack, {cost_of(row), {}}, &touched); }
    for (uint32_t row : rows[group].before) { add_self(profile_.samples()[row].stack, {{}, cost_of(row)}, &touched); }
    std::sort(touched.begin(), touched.end());
    outermost.clear();
    for (size_t i = touched.size(); i-- > 0;) { link(touched[i], outermost); }
    open_rows(node, outermost);
    for (uint32_t row : touched) {
      total_[row] = {};
      if (!before_.empty()) { before_[row] = {}; }
      first_callee_[row] = next_[row] = kNone;
      seen_[row] = false;
    }
  }
}

template <typename Node>
void StackTreeBuilder<Node>::add_self(StackId stack, const BothCosts& cost, std::vector<uint32_t>* touched) {
  total_[stack.value] += cost.now;
  if (!before_.empty()) { before_[stack.value] += cost.before; }
  for (StackId at = stack; at.valid() && !seen_[at.value]; at = profile_[at].caller) {
    seen_[at.value] = true;
    if (touched != nullptr) { touched->push_back(at.value); }
  }
}

// From the last row to the first: a row's total is whole when its turn comes.
template <typename Node>
void StackTreeBuilder<Node>::link(uint32_t row, std::vector<uint32_t>& outermost) {
  if (!seen_[row]) { return; }
  StackId caller = profile_.stacks()[row].caller;
  if (!caller.valid()) {
    outermost.push_back(row);
    return;
  }
  next_[row] = first_callee_[caller.value];
  first_callee_[caller.value] = row;
  total_[caller.value] += total_[row];
  if (!before_.empty()) { before_[caller.value] += before_[row]; }
}

template <typename Node>
void StackTreeBuilder<Node>::open_rows(uint32_t base, const std::vector<uint32_t>& outermost) {
  open_branches(
      base, outermost, {}, [&](uint32_t row) { return function_of(row); }, [](uint32_t row) { return row; },
      [&](uint32_t row) { return row_costs(row); },
      [&](uint32_t node, uint32_t row, std::vector<uint32_t>& callees) {
        add_frame(node, profile_.stacks()[row].frame);
        for (uint32_t c = first_callee_[row]; c != kNone; c = next_[c]) { callees.push_back(c); }
      });
}

// ---- if each row of the stack table is already a node

// Folded text has only names of functions, so no rows need merging and one column of costs suffices.
template <typename Node>
bool StackTreeBuilder<Node>::rows_are_boxes() const {
  std::vector<bool> seen(profile_.functions().size()), outermost(profile_.frames().size());
  for (const Frame& f : profile_.frames()) {
    std::vector<bool>::reference known = seen[same_[f.function.value].value];
    if (known) { return false; }
    known = true;
  }
  for (const Stack& s : profile_.stacks()) {
    if (s.caller.valid()) { continue; }
    if (outermost[s.frame.value]) { return false; }
    outermost[s.frame.value] = true;
  }
  return per_sample() > 0;
}

// What each sample weighs, if all weigh the same; else 0.
template <typename Node>
int64_t StackTreeBuilder<Node>::per_sample() const {
  int64_t per = 0;
  for (uint32_t row : now_.samples) {
    const Sample& s = profile_.samples()[row];
    if (s.weight <= 0 || s.count == 0) { return 0; }
    if (per == 0) { per = static_cast<int64_t>(static_cast<uint64_t>(s.weight) / s.count); }
    uint64_t product = 0;
    bool same =
        !__builtin_mul_overflow(static_cast<uint64_t>(per), s.count, &product) && product == static_cast<uint64_t>(s.weight);
    if (per == 0 || !same) { return 0; }
  }
  return per;
}

template <typename Node>
void StackTreeBuilder<Node>::build_by_rows() {
  const std::vector<Stack>& stacks = profile_.stacks();
  int64_t per = per_sample();
  auto costs = [per](int64_t weight) { return BothCosts{{weight, static_cast<uint64_t>(weight / per)}, {}}; };
  std::vector<int64_t> weights(stacks.size());
  for (uint32_t row : now_.samples) { weights[profile_.samples()[row].stack.value] += profile_.samples()[row].weight; }
  for (size_t i = stacks.size(); i-- > 0;) {
    if (stacks[i].caller.valid()) { weights[stacks[i].caller.value] += weights[i]; }
  }
  struct Child {
    uint32_t caller, row;  // kNone: the root
    int64_t weight;
  };
  std::vector<Child> children;
  for (uint32_t i = 0; i < stacks.size(); ++i) {
    uint32_t caller = stacks[i].caller.valid() ? stacks[i].caller.value : kNone;
    if (weights[i] <= 0) { continue; }
    if (fits(weights[i])) {
      children.push_back({caller, i, weights[i]});
    } else {
      hidden_branches_ += caller == kNone || fits(weights[caller]);
    }
  }
  // From here on, weights are those of the rows alone.
  for (const Stack& s : stacks) {
    if (s.caller.valid()) { weights[s.caller.value] -= weights[static_cast<size_t>(&s - stacks.data())]; }
  }
  auto by_caller = [](const auto& a, const auto& b) { return a.caller < b.caller; };
  std::stable_sort(children.begin(), children.end(), by_caller);
  std::vector<Waiting> todo;
  uint32_t node = 0, row = kNone;
  for (;;) {
    branches_.clear();
    auto [begin, end] = std::equal_range(children.begin(), children.end(), Child{row, 0, 0}, by_caller);
    for (; begin != end; ++begin) {
      branches_.push_back({begin->row, 0, function_of(begin->row), costs(begin->weight), begin->row});
    }
    set_self(node, row == kNone ? BothCosts{} : costs(weights[row]));
    sort_branches(branches_, {});
    for (size_t i = branches_.size(); i-- > 0;) {
      todo.push_back({node, branches_[i].begin, branches_[i].key, branches_[i].total});
    }
    if (todo.empty()) { return; }
    Waiting next = todo.back();
    todo.pop_back();
    row = static_cast<uint32_t>(next.begin);
    node = add_node(next.parent, FunctionId{static_cast<uint32_t>(next.key)}, kNone, next.total);
    add_frame(node, stacks[row].frame);
  }
}

// ---- from the leaves

template <typename Node>
void StackTreeBuilder<Node>::build_reversed(const ThreadGroups& groups) {
  std::vector<Entry> entries;
  const std::vector<Sample>& samples = profile_.samples();
  if (groups.names.empty()) {
    // One entry per stack, however many samples it has.
    std::vector<uint32_t> entry_of(profile_.stacks().size(), kNone);
    visit_samples([&](uint32_t row, const BothCosts& cost) {
      uint32_t& at = entry_of[samples[row].stack.value];
      if (at == kNone) {
        at = static_cast<uint32_t>(entries.size());
        entries.push_back({samples[row].stack, kNone, at, {}});
      }
      entries[at].costs += cost;
    });
  } else {
    visit_samples([&](uint32_t row, const BothCosts& cost) {
      entries.push_back(
          {samples[row].stack, groups.of_thread[samples[row].thread.value], static_cast<uint32_t>(entries.size()), cost});
    });
  }
  open_entries(std::move(entries), groups);
}

template <typename Node>
void StackTreeBuilder<Node>::build_callers(std::span<const FunctionId> targets) {
  std::vector<bool> wanted(profile_.functions().size());
  for (FunctionId t : targets) { wanted[t.value] = true; }
  for (size_t i = 0; i < same_.size(); ++i) { wanted[i] = wanted[i] || wanted[same_[i].value]; }
  std::vector<Cost> now = compute_stack_self(profile_, now_), before;
  add_up_callers(profile_, now);
  if (settings_.before != nullptr) {
    before = compute_stack_self(profile_, *settings_.before);
    add_up_callers(profile_, before);
  }
  BothCosts all;
  std::vector<bool> inside(profile_.stacks().size());
  std::vector<Entry> entries;
  for (uint32_t i = 0; i < inside.size(); ++i) {
    const Stack& s = profile_.stacks()[i];
    bool called_inside = s.caller.valid() && inside[s.caller.value];
    bool is_target = wanted[profile_[s.frame].function.value];
    inside[i] = called_inside || is_target;
    if (!is_target || called_inside) { continue; }
    BothCosts costs{now[i], before.empty() ? Cost{} : before[i]};
    if (costs.empty()) { continue; }
    nodes_[0].inlining.add(profile_[s.frame]);
    all += costs;
    entries.push_back({s.caller, kNone, i, costs});
  }
  nodes_[0].total = all.now;
  set_total_before(nodes_[0], all.before);
  open_entries(std::move(entries), {});
}

template <typename Node>
void StackTreeBuilder<Node>::open_entries(std::vector<Entry> entries, const ThreadGroups& groups) {
  auto key_of = [&](const Entry& e) -> uint64_t {
    if (e.at.valid()) { return function_of(e.at.value); }
    return e.group == kNone ? kEnds : kGroup + e.group;
  };
  open_branches(
      0, std::move(entries), groups, key_of, [](const Entry& e) { return e.number; }, [](const Entry& e) { return e.costs; },
      [&](uint32_t node, Entry e, std::vector<Entry>& outer) {
        if (e.at.valid()) {
          add_frame(node, profile_[e.at].frame);
          e.at = profile_[e.at].caller;
        } else {
          e.group = kNone;
        }
        outer.push_back(e);
      });
}

template class StackTreeBuilder<CallNode>;
template class StackTreeBuilder<FlameNode>;

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/function_table.h"

#include <algorithm>
#include <numeric>

namespace wick {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

// The rows' numbers inside this file are dense, with one more for "no module".
struct Keys {
  std::vector<uint32_t> of_function;
  uint32_t count = 0;
};

Keys function_keys(const Profile& profile, GroupBy by) {
  Keys keys;
  keys.of_function.resize(profile.functions.size());
  if (by == GroupBy::kFunction) {
    std::vector<FunctionId> same = compute_same_functions(profile);
    for (size_t i = 0; i < same.size(); ++i) { keys.of_function[i] = same[i].value; }
    keys.count = static_cast<uint32_t>(profile.functions.size());
  } else {
    uint32_t none = static_cast<uint32_t>(profile.modules.size());
    for (size_t i = 0; i < keys.of_function.size(); ++i) {
      ModuleId module = profile.functions[i].module;
      keys.of_function[i] = module.valid() ? module.value : none;
    }
    keys.count = none + 1;
  }
  return keys;
}

// The stack table is a forest. To count a function once per sample its subtree costs are added only where no caller is the same
// function. "Is it among the callers?" is one counter per function while walking the forest from root to leaf and back; asking
// each stack's callers instead would be quadratic in depth, which recursion of 10,000 levels does not forgive.
class OutermostWalk {
 public:
  OutermostWalk(const Profile& profile, const std::vector<Cost>& subtree)
      : profile_(profile), first_child_(profile.stacks.size(), kNone), next_sibling_(profile.stacks.size(), kNone) {
    for (uint32_t i = static_cast<uint32_t>(profile.stacks.size()); i-- > 0;) {
      if (subtree[i].empty()) { continue; }
      StackId caller = profile.stacks[i].caller;
      uint32_t& head = caller.valid() ? first_child_[caller.value] : first_root_;
      next_sibling_[i] = head;
      head = i;
    }
  }

  template <typename Visit>
  void run(const Keys& keys, Visit visit) {
    std::vector<uint32_t> active(keys.count, 0);
    auto key = [&](uint32_t stack) { return keys.of_function[profile_[profile_.stacks[stack].frame].function.value]; };
    std::vector<uint32_t> path;
    uint32_t next = first_root_;
    for (;;) {
      if (next != kNone) {
        uint32_t k = key(next);
        if (active[k]++ == 0) { visit(k, next); }
        path.push_back(next);
        next = first_child_[next];
      } else if (!path.empty()) {
        uint32_t done = path.back();
        path.pop_back();
        --active[key(done)];
        next = next_sibling_[done];
      } else {
        return;
      }
    }
  }

 private:
  const Profile& profile_;
  std::vector<uint32_t> first_child_, next_sibling_;
  uint32_t first_root_ = kNone;
};

std::vector<CostRow> rows_by_code(const Profile& profile, const Selection& selection, GroupBy by) {
  Keys keys = function_keys(profile, by);
  std::vector<CostRow> rows(keys.count);
  std::vector<Cost> costs = compute_stack_self(profile, selection);
  for (size_t i = 0; i < costs.size(); ++i) {
    if (!costs[i].empty()) { rows[keys.of_function[profile[profile.stacks[i].frame].function.value]].self += costs[i]; }
  }
  add_up_callers(profile, costs);
  OutermostWalk(profile, costs).run(keys, [&](uint32_t key, uint32_t stack) { rows[key].total += costs[stack]; });
  for (uint32_t i = 0; i < rows.size(); ++i) { rows[i].id = i; }
  if (by == GroupBy::kModule) { rows.back().id = kNone; }
  return rows;
}

std::vector<CostRow> rows_by_thread(const Profile& profile, const Selection& selection, GroupBy by) {
  std::vector<CostRow> rows(by == GroupBy::kThread ? profile.threads.size() : profile.processes.size());
  for (uint32_t i = 0; i < rows.size(); ++i) { rows[i].id = i; }
  for (uint32_t row : selection.samples) {
    const Sample& s = profile.samples[row];
    uint32_t id = by == GroupBy::kThread ? s.thread.value : profile[s.thread].process.value;
    rows[id].self += {s.weight, 1};
  }
  for (CostRow& row : rows) { row.total = row.self; }
  return rows;
}

}  // namespace

CostTable compute_table(const Profile& profile, const Selection& selection, GroupBy by, SortBy sort) {
  CostTable table;
  table.by = by;
  table.all = {selection.weight, selection.samples.size()};
  bool code = by == GroupBy::kFunction || by == GroupBy::kModule;
  table.rows = code ? rows_by_code(profile, selection, by) : rows_by_thread(profile, selection, by);
  std::erase_if(table.rows, [](const CostRow& row) { return row.total.empty(); });
  std::sort(table.rows.begin(), table.rows.end(), [&](const CostRow& a, const CostRow& b) {
    if (sort == SortBy::kSelf && a.self.weight != b.self.weight) { return a.self.weight > b.self.weight; }
    if (sort != SortBy::kName && a.total.weight != b.total.weight) { return a.total.weight > b.total.weight; }
    int order = row_name(profile, by, a).compare(row_name(profile, by, b));
    if (order == 0) { order = row_module(profile, by, a).compare(row_module(profile, by, b)); }
    return order != 0 ? order < 0 : a.id < b.id;
  });
  return table;
}

std::string_view row_name(const Profile& profile, GroupBy by, const CostRow& row) {
  if (row.id == kNone) { return "[unknown]"; }
  switch (by) {
    case GroupBy::kFunction: return profile.text(profile.functions[row.id].name);
    case GroupBy::kModule: return profile.text(profile.modules[row.id].name);
    case GroupBy::kThread: return profile.text(profile.threads[row.id].name);
    case GroupBy::kProcess: return profile.text(profile.processes[row.id].name);
  }
  return {};
}

std::string_view row_module(const Profile& profile, GroupBy by, const CostRow& row) {
  if (row.id == kNone) { return {}; }
  if (by == GroupBy::kModule) { return row_name(profile, by, row); }
  if (by != GroupBy::kFunction) { return {}; }
  ModuleId module = profile.functions[row.id].module;
  return module.valid() ? profile.text(profile[module].name) : std::string_view();
}

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/function_table.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "analyze/outermost_walk.h"
#include "base/hash.h"

namespace wick {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

// Row numbers in this file are dense, with one more for "no module".
struct Keys {
  std::vector<uint32_t> of_frame;
  std::vector<uint32_t> ids;  // CostRow::id of each
};

Keys keys_by_function(const Profile& profile) {
  Keys keys;
  std::vector<FunctionId> same = compute_same_functions(profile);
  for (const Frame& frame : profile.frames()) { keys.of_frame.push_back(same[frame.function.value].value); }
  for (uint32_t i = 0; i < profile.functions().size(); ++i) { keys.ids.push_back(i); }
  return keys;
}

Keys keys_by_module(const Profile& profile) {
  Keys keys;
  auto none = static_cast<uint32_t>(profile.modules().size());
  for (const Frame& frame : profile.frames()) {
    ModuleId module = profile[frame.function].module;
    keys.of_frame.push_back(module.valid() ? module.value : none);
  }
  for (uint32_t i = 0; i < none; ++i) { keys.ids.push_back(i); }
  keys.ids.push_back(kNone);
  return keys;
}

// Code without a known source is separated by module.
Keys keys_by_source(const Profile& profile, GroupBy by) {
  constexpr uint64_t kNoSource = uint64_t{1} << 63;
  Keys keys;
  tsl::robin_map<uint64_t, uint32_t, NumberHash> numbers;
  for (uint32_t i = 0; i < profile.frames().size(); ++i) {
    const Frame& frame = profile.frames()[i];
    bool known = !profile.text(frame.file).empty();
    uint64_t source = by == GroupBy::kFile ? frame.file.value : uint64_t{frame.file.value} << 32 | frame.line;
    auto [found, fresh] = numbers.try_emplace(known ? source : kNoSource | profile[frame.function].module.value,
                                              static_cast<uint32_t>(keys.ids.size()));
    if (fresh) { keys.ids.push_back(i); }
    keys.of_frame.push_back(found->second);
  }
  return keys;
}

Keys keys_of(const Profile& profile, GroupBy by) {
  if (by == GroupBy::kFunction) { return keys_by_function(profile); }
  return by == GroupBy::kModule ? keys_by_module(profile) : keys_by_source(profile, by);
}

std::vector<CostRow> rows_by_code(const Profile& profile, const Selection& selection, GroupBy by) {
  Keys keys = keys_of(profile, by);
  std::vector<CostRow> rows(keys.ids.size());
  std::vector<Cost> costs = compute_stack_self(profile, selection);
  for (size_t i = 0; i < costs.size(); ++i) {
    if (!costs[i].empty()) { rows[keys.of_frame[profile.stacks()[i].frame.value]].self += costs[i]; }
  }
  add_up_callers(profile, costs);
  for (size_t i = 0; by == GroupBy::kFunction && i < costs.size(); ++i) {
    const Stack& stack = profile.stacks()[i];
    if (!costs[i].empty()) { rows[keys.of_frame[stack.frame.value]].inlining.add(profile[stack.frame]); }
  }
  OutermostWalk(profile, costs).run(keys.of_frame, keys.ids.size(), [&](uint32_t key, uint32_t stack) {
    rows[key].total += costs[stack];
  });
  for (size_t i = 0; i < rows.size(); ++i) { rows[i].id = keys.ids[i]; }
  return rows;
}

std::vector<CostRow> rows_by_thread(const Profile& profile, const Selection& selection, GroupBy by) {
  std::vector<CostRow> rows(by == GroupBy::kThread ? profile.threads().size() : profile.processes().size());
  // A process that executes itself again stays the same process.
  std::map<std::tuple<uint32_t, StringId, StringId>, uint32_t> first;
  std::vector<uint32_t> row_of(rows.size());
  for (uint32_t i = 0; i < rows.size(); ++i) {
    rows[i].id = i;
    const Process& process = by == GroupBy::kThread ? profile[profile.threads()[i].process] : profile.processes()[i];
    auto key = by == GroupBy::kThread ? std::tuple(profile.threads()[i].tid, profile.threads()[i].name, process.name)
                                      : std::tuple(process.pid, process.name, process.name);
    row_of[i] = first.try_emplace(key, i).first->second;
  }
  for (uint32_t row : selection.samples) {
    const Sample& s = profile.samples()[row];
    uint32_t id = by == GroupBy::kThread ? s.thread.value : profile[s.thread].process.value;
    rows[row_of[id]].self += {s.weight, s.count};
  }
  for (CostRow& row : rows) { row.total = row.self; }
  return rows;
}

}  // namespace

CostTable compute_table(const Profile& profile, const Selection& selection, GroupBy by, SortBy sort) {
  CostTable table;
  table.by = by;
  table.all = {selection.weight, selection.count};
  table.rows = is_code(by) ? rows_by_code(profile, selection, by) : rows_by_thread(profile, selection, by);
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

std::string row_name(const Profile& profile, GroupBy by, const CostRow& row) {
  if (row.id == kNone) { return "[unknown]"; }
  switch (by) {
    case GroupBy::kFunction: return std::string(profile.text(profile.functions()[row.id].name));
    case GroupBy::kModule: return std::string(profile.text(profile.modules()[row.id].name));
    case GroupBy::kFile:
    case GroupBy::kLine: {
      const Frame& frame = profile.frames()[row.id];
      std::string_view file = profile.text(frame.file);
      std::string_view module = row_module(profile, by, row);
      if (file.empty() && module.starts_with('[')) { return std::string(module); }
      if (file.empty()) { return module.empty() ? "[unknown]" : "[" + std::string(module) + "]"; }
      if (by == GroupBy::kFile) { return std::string(file); }
      return std::string(file) + ":" + (frame.line == 0 ? "?" : std::to_string(frame.line));
    }
    case GroupBy::kThread: return std::string(profile.text(profile.threads()[row.id].name));
    case GroupBy::kProcess: return std::string(profile.text(profile.processes()[row.id].name));
  }
  return {};
}

std::string_view row_module(const Profile& profile, GroupBy by, const CostRow& row) {
  if (row.id == kNone || !is_code(by)) { return {}; }
  if (by == GroupBy::kModule) { return profile.text(profile.modules()[row.id].name); }
  FunctionId function = by == GroupBy::kFunction ? FunctionId{row.id} : profile.frames()[row.id].function;
  ModuleId module = profile[function].module;
  return module.valid() ? profile.text(profile[module].name) : std::string_view();
}

}  // namespace wick

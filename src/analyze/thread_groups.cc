// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/thread_groups.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace wick {

ThreadGroups group_by_process_name(const Profile& profile, const Selection& selection) {
  auto name = [&](uint32_t sample) { return profile[profile[profile.samples()[sample].thread].process].name; };
  bool several = std::any_of(selection.samples.begin(), selection.samples.end(),
                             [&](uint32_t row) { return name(row) != name(selection.samples.front()); });
  ThreadGroups groups;
  if (!several) { return groups; }
  tsl::robin_map<uint32_t, uint32_t> rows;
  for (const Thread& t : profile.threads()) {
    StringId id = profile[t.process].name;
    auto [it, fresh] = rows.try_emplace(id.value, static_cast<uint32_t>(groups.names.size()));
    if (fresh) { groups.names.emplace_back(profile.text(id)); }
    groups.of_thread.push_back(it->second);
  }
  return groups;
}

ThreadGroups group_by_thread(const Profile& profile, const Selection& selection) {
  std::vector<bool> used(profile.threads().size());
  for (uint32_t row : selection.samples) { used[profile.samples()[row].thread.value] = true; }
  auto process_of = [&](const Thread& t) { return profile.text(profile[t.process].name); };
  // A thread that ran another program, or was seen twice, is one as long as its label is the same.
  std::map<std::tuple<uint32_t, std::string_view, std::string_view>, uint32_t> rows;
  std::map<std::pair<std::string_view, std::string_view>, size_t> namesakes;
  std::set<std::string_view> processes;
  ThreadGroups groups;
  groups.of_thread.assign(profile.threads().size(), ThreadGroups::kNone);
  std::vector<const Thread*> first;
  for (uint32_t i = 0; i < used.size(); ++i) {
    if (!used[i]) { continue; }
    const Thread& t = profile.threads()[i];
    std::string_view name = profile.text(t.name), process = process_of(t);
    auto [it, fresh] = rows.try_emplace({t.tid, name, process}, static_cast<uint32_t>(first.size()));
    groups.of_thread[i] = it->second;
    if (!fresh) { continue; }
    first.push_back(&t);
    ++namesakes[{name, process}];
    processes.insert(process);
  }
  for (const Thread* t : first) {
    std::string_view name = profile.text(t->name), process = process_of(*t);
    std::string label = name.empty() ? "thread" : std::string(name);
    if (processes.size() > 1 && process != name && !process.empty()) { label = std::string(process) + "/" + label; }
    bool ambiguous = namesakes[{name, process}] > 1 || name.empty();
    if (ambiguous && t->tid != 0) { label += " (" + std::to_string(t->tid) + ")"; }
    groups.names.push_back(std::move(label));
  }
  return groups;
}

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/insight_counts.h"

#include <algorithm>
#include <map>
#include <utility>

#include "analyze/format.h"
#include "analyze/overview.h"

namespace wick {
namespace {

constexpr uint64_t kShortLifeNs = 100'000'000, kManyProcesses = 30, kFewestWaiting = 2;
constexpr double kIdle = 0.02;  // of the busy thread's time

}  // namespace

bool measures_cpu_time(const Profile& profile, EventId id) {
  const Event& event = profile[id];
  std::string_view name = profile.text(event.name), unit = profile.text(event.unit);
  name = name.substr(0, name.find(':'));
  for (std::string_view known : {"cpu-clock", "task-clock", "cycles", "cpu-cycles", "cpu", "CPU", "cpu_core/cycles/",
      "cpu_atom/cycles/"}) {
    if (name == known) { return true; }
  }
  return name == "samples" && (unit == "samples" || unit == "count" || unit.empty());
}

void find_busy_thread(const Profile& profile, const Selection& selection, Insight& found) {
  if (!profile.stack_ways() || !profile.has_times()) { return; }
  Overview overview = compute_overview(profile, selection.event);
  if (overview.samples != selection.count || overview.duration_ns == 0) { return; }
  const std::vector<Thread>& threads = profile.threads();
  std::vector<Cost> costs(threads.size());
  for (uint32_t row : selection.samples) {
    const Sample& s = profile.samples()[row];
    costs[s.thread.value] += {s.weight, s.count};
  }
  auto busiest = std::max_element(costs.begin(), costs.end(), [](const Cost& a, const Cost& b) { return a.weight < b.weight; });
  if (busiest == costs.end()) { return; }
  const Thread& busy = threads[static_cast<size_t>(busiest - costs.begin())];
  uint64_t waiting = 0, others = 0;
  for (size_t i = 0; i < threads.size(); ++i) {
    if (threads[i].process != busy.process || threads[i].tid == busy.tid) { continue; }
    ++others;
    bool lived = threads[i].end_ns > threads[i].start_ns && threads[i].end_ns - threads[i].start_ns >= overview.duration_ns / 2;
    bool idle = static_cast<double>(costs[i].weight) <= kIdle * static_cast<double>(busiest->weight);
    waiting += lived && idle ? 1 : 0;
  }
  if (waiting < kFewestWaiting) { return; }
  found.cost = *busiest;
  std::string name = shown_name(profile.text(busy.name)) + " (thread " + std::to_string(busy.tid) + ", " +
                     count_of(others, "other thread") + ")";
  found.where.push_back({.name = std::move(name), .cost = *busiest});
}

void find_short_processes(const Profile& profile, const Selection& selection, Insight& found) {
  if (!profile.has_times()) { return; }
  struct Life {
    uint64_t begin_ns = UINT64_MAX, end_ns = 0;
    bool is_known = true;
    Cost cost{};
    StringId name{};  // the last one: that of the command it has become
    bool is_short() const { return is_known && end_ns > begin_ns && end_ns - begin_ns < kShortLifeNs; }
  };
  std::map<uint32_t, Life> lives;  // by PID, since an exec begins another row
  for (const Thread& t : profile.threads()) {
    const Process& process = profile[t.process];
    Life& life = lives[process.pid];
    life.is_known = life.is_known && t.end_ns > t.start_ns && process.pid != 0;
    life.begin_ns = std::min(life.begin_ns, t.start_ns);
    life.end_ns = std::max(life.end_ns, t.end_ns);
    life.name = process.name;
  }
  for (uint32_t row : selection.samples) {
    const Sample& s = profile.samples()[row];
    lives[profile[profile[s.thread].process].pid].cost += {s.weight, s.count};
  }
  uint64_t processes = 0;
  std::map<std::string_view, std::pair<Cost, uint64_t>> by_name;
  for (const auto& [pid, life] : lives) {
    if (!life.is_short()) { continue; }
    ++processes;
    found.cost += life.cost;
    auto& [cost, count] = by_name[profile.text(life.name)];
    cost += life.cost;
    ++count;
  }
  if (processes < kManyProcesses) {
    found.cost = {};
    return;
  }
  for (const auto& [name, sum] : by_name) {
    std::string text = shown_name(name) + " (" + count_of(sum.second, "process", "processes") + ")";
    found.where.push_back({.name = std::move(text), .cost = sum.first});
  }
  std::stable_sort(found.where.begin(), found.where.end(),
                   [](const InsightPlace& a, const InsightPlace& b) { return a.cost.weight > b.cost.weight; });
  if (found.where.size() > 3) { found.where.resize(3); }
}

}  // namespace wick

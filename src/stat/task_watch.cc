// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "stat/task_watch.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/clock.h"
#include "base/fd.h"
#include "base/text.h"
#include "os/proc_tasks.h"

namespace wick::stat {
namespace {

constexpr uint64_t kShortestPauseNs = 10'000'000, kMostCost = 100;

// Fields 10 and 12 of /proc/PID/task/TID/stat, and the lines of its status.
void read_details(pid_t pid, pid_t tid, TaskUse& use) {
  std::string folder = strf("/proc/%d/task/%d/", pid, tid);
  if (Result<std::string> text = read_file(folder + "stat", 4096); text.ok()) {
    std::string_view after_name = *text;
    after_name.remove_prefix(after_name.rfind(')') + 1);
    std::vector<std::string_view> fields = split(trim(after_name), ' ');
    if (fields.size() > 9) {
      use.faults = parse_u64(fields[7]).value_or(0);
      use.major_faults = parse_u64(fields[9]).value_or(0);
    }
  }
  if (Result<std::string> text = read_file(folder + "status", 65536); text.ok()) {
    use.voluntary = parse_status_number(*text, "voluntary_ctxt_switches").value_or(0);
    use.involuntary = parse_status_number(*text, "nonvoluntary_ctxt_switches").value_or(0);
  }
}

}  // namespace

uint64_t load_memory_peak_bytes(pid_t pid) {
  Result<std::string> text = read_file(strf("/proc/%d/status", pid), 65536);
  std::vector<std::string_view> words = text.ok() ? parse_status_words(*text, "VmHWM") : std::vector<std::string_view>{};
  return words.empty() ? 0 : 1024 * parse_u64(trim(words[0].substr(0, words[0].find(" kB")))).value_or(0);
}

TaskUse load_task_use(pid_t pid, pid_t tid, bool with_details) {
  TaskUse use;
  if (std::optional<TaskTimes> times = load_task_times(pid, tid)) {
    use.run_ns = times->run_ns;
    use.wait_ns = times->wait_ns;
  }
  if (with_details) { read_details(pid, tid, use); }
  return use;
}

TaskUse& TaskUse::operator+=(const TaskUse& other) {
  run_ns += other.run_ns;
  wait_ns += other.wait_ns;
  faults += other.faults;
  major_faults += other.major_faults;
  voluntary += other.voluntary;
  involuntary += other.involuntary;
  return *this;
}

TaskUse TaskUse::operator-(const TaskUse& before) const {
  auto minus = [](uint64_t a, uint64_t b) { return a - std::min(a, b); };
  return {minus(run_ns, before.run_ns),       minus(wait_ns, before.wait_ns),
          minus(faults, before.faults),       minus(major_faults, before.major_faults),
          minus(voluntary, before.voluntary), minus(involuntary, before.involuntary)};
}

void TaskWatch::look_at(pid_t pid, pid_t tid, bool is_first_look) {
  std::optional<TaskTimes> times = load_task_times(pid, tid);
  if (!times) { return; }
  TaskUse now;
  now.run_ns = times->run_ns;
  now.wait_ns = times->wait_ns;
  if (with_details_) { read_details(pid, tid, now); }
  auto [begin, end] = tasks_.equal_range(tid);
  auto known = std::find_if(begin, end, [](const auto& entry) { return entry.second.alive; });
  bool is_reused = known != end && times->run_ns < known->second.last.run_ns;
  if (is_reused) { known->second.alive = false; }
  if (known == end || is_reused) {
    Known task;
    task.pid = pid;
    if (is_first_look) { task.first = now; }
    known = tasks_.emplace(tid, std::move(task));
  }
  known->second.last = now;
  if (with_details_) { known->second.name = load_task_name(pid, tid); }
}

void TaskWatch::look() {
  uint64_t began = thread_cpu_ns();
  bool is_first_look = !std::exchange(has_looked_, true);
  std::set<pid_t> seen;
  std::vector<pid_t> pids = pids_;
  auto visit = [&](pid_t pid, pid_t tid) {
    look_at(pid, tid, is_first_look);
    seen.insert(tid);
    for (pid_t child : load_child_ids(pid, tid)) {
      if (is_first_look) { others_.insert(child); }
      if (!others_.contains(child) && std::find(pids.begin(), pids.end(), child) == pids.end()) { pids.push_back(child); }
    }
  };
  for (size_t i = 0; i < pids.size(); ++i) {
    for (pid_t tid : load_task_ids(pids[i])) { visit(pids[i], tid); }
    peak_bytes_ = std::max(peak_bytes_, load_memory_peak_bytes(pids[i]));
  }
  for (pid_t tid : tids_) {
    if (std::optional<pid_t> pid = load_process_of_thread(tid)) { visit(*pid, tid); }
  }
  for (auto& [tid, task] : tasks_) {
    if (task.alive && !seen.contains(tid)) { task.alive = false; }
    // A child whose parent has ended is found no more from above.
    bool is_orphan = std::find(pids_.begin(), pids_.end(), task.pid) == pids_.end();
    if (is_orphan && task.alive && tid == task.pid) { pids_.push_back(task.pid); }
  }
  cost_ns_ = thread_cpu_ns() - began;
}

TaskUse TaskWatch::total() const {
  TaskUse sum;
  for (const auto& [tid, task] : tasks_) { sum += task.last - task.first; }
  return sum;
}

std::vector<WatchedTask> TaskWatch::tasks() const {
  std::vector<WatchedTask> out;
  for (const auto& [tid, task] : tasks_) { out.push_back({task.pid, tid, task.name, task.last - task.first, task.first, !task.alive}); }
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.use.run_ns > b.use.run_ns; });
  return out;
}

uint64_t TaskWatch::memory_peak_bytes() const { return peak_bytes_; }

uint64_t TaskWatch::pause_ns() const { return std::max(kShortestPauseNs, kMostCost * cost_ns_); }

}  // namespace wick::stat

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/task_counts.h"

#include <algorithm>

#include "os/proc_tasks.h"

namespace wick {
namespace {
constexpr size_t kMostEnding = 100'000;
constexpr uint64_t kShortLifeNs = 20'000'000;
constexpr uint64_t kMostAfterwardsNs = 100'000, kMostWayOutNs = 300'000;

uint64_t run_time_of(uint32_t pid, uint32_t tid) {
  std::optional<TaskTimes> times = load_task_times(static_cast<pid_t>(pid), static_cast<pid_t>(tid));
  return times ? times->run_ns : 0;
}
}  // namespace

void TaskCounts::begin(uint32_t pid, uint32_t tid, uint64_t time_ns) {
  Task task;
  task.pid = pid;
  task.since_ns = task.begun_ns = time_ns;
  begun_ns_ = std::max(begun_ns_, time_ns);
  task.before_ns = run_time_of(pid, tid);
  tasks_[tid] = std::move(task);
}

void TaskCounts::begin_command(uint32_t tid, uint64_t before_ns) {
  for (auto* tasks : {&tasks_, &ending_}) {
    if (auto found = tasks->find(tid); found != tasks->end()) {
      found->second.before_ns = std::max(found->second.before_ns, before_ns);
    }
  }
}

void TaskCounts::on_fork(const ForkEvent& fork) {
  if (fork.time_ns <= begun_ns_) { return; }  // all threads of a process are reported, including those not attached to
  Task task;
  task.pid = fork.pid;
  task.forked_ns = fork.time_ns;
  tasks_[fork.tid] = std::move(task);
}

void TaskCounts::add(Task& task, uint64_t until_ns) {
  if (task.since_ns == 0) { return; }
  uint64_t time = until_ns - std::min(until_ns, task.since_ns);
  task.since_ns = 0;
  auto same = std::find_if(task.used.begin(), task.used.end(), [&](const auto& u) { return u.first == task.cpu; });
  if (same == task.used.end()) {
    task.used.emplace_back(task.cpu, time);
  } else {
    same->second += time;
  }
}

void TaskCounts::on_switch(const PerfSwitch& change, uint32_t cpu) {
  auto found = tasks_.find(change.tid);
  if (found == tasks_.end()) { return; }
  Task& task = found->second;
  if (change.out) {
    task.cpu = cpu;  // only this reveals the CPU of a task that was running at the start
    add(task, change.time_ns);
  } else {
    task.cpu = cpu;
    task.since_ns = change.time_ns;
  }
}

CountEvent TaskCounts::tell(Task& task, uint32_t tid, uint64_t time_ns) const {
  CountEvent count{time_ns, task.pid, tid, 0, 0};
  uint64_t counted = 0;
  for (auto& [cpu, time] : task.used) {
    counted += time;
    count.tail += period_ns_ == 0 ? 0 : time % period_ns_;
  }
  count.counted = static_cast<int64_t>(counted - std::exchange(task.reported, counted));
  return count;
}

std::optional<CountEvent> TaskCounts::on_exec(const CommEvent& exec) {
  if (exec.time_ns <= begun_ns_) { return std::nullopt; }
  if (!tasks_.contains(exec.tid)) {
    // A thread other than the first called exec and continues with the TID of the first, which has ended.
    auto taker = std::find_if(tasks_.begin(), tasks_.end(), [&](const auto& entry) { return entry.second.pid == exec.pid; });
    if (taker != tasks_.end()) {
      Task task = std::move(taker->second);
      tasks_.erase(taker);
      tasks_[exec.tid] = std::move(task);
      ending_.erase(exec.tid);
    }
  }
  auto found = tasks_.find(exec.tid);
  if (found == tasks_.end() || !found->second.is_known || period_ns_ == 0) { return std::nullopt; }
  Task& task = found->second;
  add(task, exec.time_ns);
  task.since_ns = exec.time_ns;
  CountEvent count = tell(task, exec.tid, exec.time_ns);
  count.tail = 0;  // its clock continues
  return count;
}

std::optional<CountEvent> TaskCounts::on_exit(const ExitEvent& exit) {
  auto found = tasks_.find(exit.tid);
  if (found == tasks_.end()) { return std::nullopt; }
  Task task = std::move(found->second);
  tasks_.erase(found);
  if (period_ns_ == 0) {
    if (task.forked_ns != 0 && exit.time_ns > task.forked_ns) { task.lived_ns = exit.time_ns - task.forked_ns; }
    if (ending_.size() < kMostEnding) { ending_[exit.tid] = std::move(task); }
    return std::nullopt;
  }
  add(task, exit.time_ns);
  if (!task.is_known) {
    all_known_ = false;
    return std::nullopt;
  }
  CountEvent count = tell(task, exit.tid, exit.time_ns);
  all_reported_ns_ += task.reported;
  ++ended_;
  return count;
}

uint64_t TaskCounts::way_out_ns(uint64_t all_ns) const {
  bool is_whole = all_known_ && tasks_.empty() && ended_ > 0;
  if (!is_whole || all_ns <= all_reported_ns_) { return 0; }
  return std::min<uint64_t>((all_ns - all_reported_ns_) / ended_, kMostWayOutNs);
}

void TaskCounts::on_lost() {
  for (auto& [tid, task] : tasks_) { task.is_known = false; }
}

std::optional<CountEvent> TaskCounts::on_end(uint32_t pid, uint32_t tid, uint64_t run_ns, uint64_t time_ns) {
  auto found = ending_.find(tid);
  if (found == ending_.end()) { return std::nullopt; }
  uint64_t before = found->second.before_ns, used = run_ns - std::min(run_ns, before);
  ending_.erase(found);
  ended_ns_ += used;
  bool has_threads = tid != pid || groups_.contains(pid);  // the first thread ends last
  if (has_threads) {
    Group& group = groups_[pid];
    group.reported += used;
    group.before_ns += before;
    group.ended += tid != pid;
  }
  return CountEvent{time_ns, pid, tid, static_cast<int64_t>(used), 0};
}

uint64_t TaskCounts::afterwards_ns(uint32_t pid, uint64_t group_ns) const {
  auto found = groups_.find(pid);
  if (found == groups_.end() || found->second.ended == 0) { return 0; }
  const Group& group = found->second;
  uint64_t reported = group.reported + group.before_ns;
  for (const auto& [tid, task] : tasks_) { reported += task.pid == pid ? run_time_of(pid, tid) : 0; }
  return std::min<uint64_t>((reported - std::min(reported, group_ns)) / group.ended, kMostAfterwardsNs);
}

std::vector<CountEvent> TaskCounts::share_rest(uint64_t all_ns, uint64_t time_ns) {
  std::vector<CountEvent> out;
  if (ending_.empty() || !tasks_.empty() || all_ns <= ended_ns_) { return out; }
  uint64_t part = (all_ns - ended_ns_) / ending_.size();
  auto is_short = [&](const auto& entry) { return entry.second.lived_ns <= kShortLifeNs; };
  if (part > kShortLifeNs || !std::all_of(ending_.begin(), ending_.end(), is_short)) { return out; }
  int64_t each = static_cast<int64_t>(part);
  for (const auto& [tid, task] : ending_) { out.push_back({time_ns, task.pid, tid, each, 0}); }
  ending_.clear();
  return out;
}

std::vector<CountEvent> TaskCounts::finish(uint64_t time_ns, bool by_switches) {
  std::vector<CountEvent> out;
  for (auto& [tid, task] : tasks_) {
    if (by_switches && task.begun_ns == 0) {
      add(task, time_ns);
      if (task.is_known) { out.push_back(tell(task, tid, time_ns)); }
      continue;
    }
    uint64_t run_ns = run_time_of(task.pid, tid);
    if (run_ns > task.before_ns + task.reported) {
      out.push_back({time_ns, task.pid, tid, static_cast<int64_t>(run_ns - task.before_ns - task.reported), 0});
    }
  }
  tasks_.clear();
  return out;
}

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The CPU time of each recorded task, however short-lived: from the records of its context switches, or from a BPF program's
// reports of ended tasks (task_filter.h), whichever is available. Only the latter includes the time a task uses while exiting
// after its events are gone (some 20 to 70 us).
//
// Rejected: inherit_stat, with which each event reports its count when its task ends. The kernel writes those records to the ring
// of the event's CPU from whatever CPU the task ends on. Two concurrent writers corrupt a ring permanently (observed in one of
// five runs with a thousand short threads, on Linux 6.18).

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture/perf_records.h"
#include "capture/raw.h"

namespace wick {

class TaskCounts {
 public:
  // `period_ns`: a task is sampled after each such interval on a CPU; 0: the clock continues across tasks.
  explicit TaskCounts(uint64_t period_ns) : period_ns_(period_ns) {}

  // A task that existed before. Only its next switch shows what it does at `time_ns`; 0: it waits to become the command.
  void begin(uint32_t pid, uint32_t tid, uint64_t time_ns);
  // Its CPU time until it became the command.
  void begin_command(uint32_t tid, uint64_t before_ns);
  void on_fork(const ForkEvent& fork);
  // All of these in time order.
  void on_switch(const PerfSwitch& change, uint32_t cpu);
  std::optional<CountEvent> on_exec(const CommEvent& exec);
  std::optional<CountEvent> on_exit(const ExitEvent& exit);
  // Switches were lost: the state of all running tasks is unknown.
  void on_lost();

  // An ended task and its total CPU time.
  std::optional<CountEvent> on_end(uint32_t pid, uint32_t tid, uint64_t run_ns, uint64_t time_ns);
  size_t awaited_ends() const { return ending_.size(); }
  // The remaining ends will not come in time. `all_ns` is the CPU time of all tasks together: the pending ones get equal parts of
  // the rest if they were all short-lived. Empty if some still run.
  std::vector<CountEvent> share_rest(uint64_t all_ns, uint64_t time_ns);
  // The average time that a thread other than the first uses after the kernel has added its time to that of its process: some 10
  // us, counted nowhere else. `group_ns`: the time of all threads of the process.
  uint64_t afterwards_ns(uint32_t pid, uint64_t group_ns) const;
  // The average time that each task uses after its last switch, while exiting, if only switches are known. `all_ns`: the time of
  // all recorded tasks as reported to their parents.
  uint64_t way_out_ns(uint64_t all_ns) const;

  // Counts for tasks that are still running.
  std::vector<CountEvent> finish(uint64_t time_ns, bool by_switches);

 private:
  struct Task {
    uint32_t pid = 0;
    uint64_t since_ns = 0;  // on a CPU since; 0: not on a CPU
    uint32_t cpu = 0;
    uint64_t forked_ns = 0, lived_ns = UINT64_MAX;
    uint64_t reported = 0;
    uint64_t begun_ns = 0;  // when first seen, if it existed before; and its CPU time by then
    uint64_t before_ns = 0;
    bool is_known = true;
    std::vector<std::pair<uint32_t, uint64_t>> used;  // by CPU
  };
  static void add(Task& task, uint64_t until_ns);
  CountEvent tell(Task& task, uint32_t tid, uint64_t time_ns) const;

  uint64_t period_ns_;
  uint64_t begun_ns_ = 0;  // ignores tasks reported with an earlier time
  std::unordered_map<uint32_t, Task> tasks_;
  std::unordered_map<uint32_t, Task> ending_;  // until on_end()
  uint64_t ended_ns_ = 0;                      // of those that on_end() reported
  struct Group {
    uint64_t reported = 0, before_ns = 0;
    size_t ended = 0;  // threads other than the first
  };
  std::unordered_map<uint32_t, Group> groups_;  // by pid, from on_end()
  bool all_known_ = true;
  uint64_t all_reported_ns_ = 0;  // by switches
  size_t ended_ = 0;              // by switches
};

}  // namespace wick

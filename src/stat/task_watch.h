// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What /proc says of the threads of some processes and their descendants: time on a CPU, time waiting for one, switches, faults.
// It forgets a thread when that ends, so it is read again and again, and the last reading of an ended thread counts. What a thread
// did after its last reading, and threads that came and went between two, are missing: sums are "at least".

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace wick::stat {

struct TaskUse {
  uint64_t run_ns = 0, wait_ns = 0, faults = 0, major_faults = 0, voluntary = 0, involuntary = 0;
  TaskUse& operator+=(const TaskUse& other);
  TaskUse operator-(const TaskUse& before) const;  // never below 0
};

// Of one thread, from its beginning.
TaskUse load_task_use(pid_t pid, pid_t tid, bool with_details = true);
uint64_t load_memory_peak_bytes(pid_t pid);  // 0 if unknown

struct WatchedTask {
  pid_t pid = 0, tid = 0;
  std::string name;
  TaskUse use;    // since the watch began
  TaskUse first;  // before
  bool has_ended = false;
};

class TaskWatch {
 public:
  // Children that exist at the first look are not part of the target, as for counters. `with_details`: also names, faults and
  // switches, which take more time to read.
  TaskWatch(std::vector<pid_t> pids, std::vector<pid_t> tids, bool with_details)
      : pids_(std::move(pids)), tids_(std::move(tids)), with_details_(with_details) {}

  void look();
  TaskUse total() const;
  std::vector<WatchedTask> tasks() const;  // the busiest first
  uint64_t memory_peak_bytes() const;      // of the largest process, since it began
  // How long to wait until the next look, so that looking takes at most a hundredth of a CPU.
  uint64_t pause_ns() const;

 private:
  struct Known {
    pid_t pid = 0;
    std::string name;
    TaskUse first, last;
    bool alive = true;
  };
  void look_at(pid_t pid, pid_t tid, bool is_first_look);

  std::vector<pid_t> pids_, tids_;
  bool with_details_;
  std::set<pid_t> others_;
  std::multimap<pid_t, Known> tasks_;  // by TID; an ended one stays beside the new owner of its number
  uint64_t cost_ns_ = 0, peak_bytes_ = 0;
  bool has_looked_ = false;
};

}  // namespace wick::stat

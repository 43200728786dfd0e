// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Events on complete CPUs that sample only some tasks and their descendants, with a few BPF instructions in the kernel.
//
// A task event starts a full period with each new thread and process, so a task that ends within a period is never sampled. A CPU
// event continues across tasks. A table in the kernel holds the recorded tasks: a new task is added before it first runs if its
// parent is in the table, and an event only samples tasks in the table. So no other task is sampled, and the target is not
// changed.
//
// Rejected: sampling everything and filtering afterwards (it would copy all stacks of a busy machine), and a separate cgroup (the
// target would see it: some runtimes size their heap and threads by the limits of their cgroup). About thirty instructions do not
// need libbpf; BTF gives the offsets of task_struct members.

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "record/engine.h"

namespace wick {

// Written by TaskFilter::send_ends().
struct TaskEnd {
  uint32_t tid = 0, pid = 0;
  uint64_t run_ns = 0;  // total CPU time
  uint64_t time_ns = 0;
};

class TaskFilter {
 public:
  // How a task is sampled.
  enum class Mode : uint32_t {
    kSmall = 1,  // by the events passed to filter() with this mode
    kLarge = 2,
  };

  // Fails if BPF is denied or the kernel has no BTF.
  static Result<TaskFilter> load();

  // Makes the event sample only tasks with that mode.
  Status filter(int event_fd, Mode mode) const;
  // Writes ends of tasks to this event's ring (a PERF_COUNT_SW_BPF_OUTPUT event for that CPU).
  Status send_ends(int event_fd, uint32_t cpu) const;
  // Adds this task and all tasks it starts from now on.
  Status follow(pid_t tid) const;
  void forget(pid_t tid) const;
  void set_mode(pid_t tid, Mode mode) const;
  // Addresses of the programs, if the kernel reports them.
  std::vector<KernelCode> code() const;

 private:
  TaskFilter() = default;
  Fd tasks_, outputs_;  // tables
  Fd small_, large_;    // programs
  Fd fork_program_, end_program_, fork_link_, end_link_;
};

}  // namespace wick

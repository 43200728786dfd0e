// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The processes and threads traced by the ptrace engine.

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "record/ptrace_maps.h"
#include "record/stop_sampler.h"

namespace wick {

struct TracedProcess {
  explicit TracedProcess(pid_t process_id) : pid(process_id), maps(process_id) {}

  pid_t pid;
  ProcessMaps maps;
  size_t threads = 0;
};

struct TracedThread : StoppableThread {
  TracedThread(pid_t thread_id, TracedProcess& owner, TaskProbe task_probe, uint64_t period_ns)
      : StoppableThread(owner.pid, thread_id, std::move(task_probe), period_ns), process(&owner) {}

  bool is_leader() const { return tid == process->pid; }

  TracedProcess* process;
  uint64_t samples = 0;
  std::string name;
  uint64_t name_read_ns = 0;
  bool exit_reported = false;
};

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Adds up, in the kernel, how long tasks that have ended waited for a CPU. /proc shows that only for tasks that live: a
// thread that ends between two looks would be missed with all its waiting.

#include <sys/types.h>

#include <cstdint>

#include "base/fd.h"
#include "base/result.h"

namespace wick {

class TaskSums {
 public:
  // Fails if BPF is denied or the kernel has no BTF.
  static Result<TaskSums> load();

  // Adds this task and all tasks it starts from now on.
  Status follow(pid_t tid);

  struct Ended {
    uint64_t wait_ns = 0;  // of followed tasks that have ended
    uint64_t living = 0;   // followed tasks that have not
    uint64_t ending = 0;   // ended tasks that may have waited a little more, on their way out
  };
  Ended read() const;

 private:
  TaskSums() = default;
  Fd tasks_, exits_, sums_, fork_program_, exit_program_, free_program_, fork_link_, exit_link_, free_link_;
  uint64_t followed_ = 0;
};

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The system call in which a thread waits, from /proc/PID/task/TID/syscall.

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/fd.h"

namespace wick {

struct TaskCall {
  int64_t number = -1;  // -1: waits outside a system call, as for a page or to be continued
  std::array<uint64_t, 6> arguments{};
  uint64_t sp = 0, pc = 0;  // in user space
  friend bool operator==(const TaskCall&, const TaskCall&) = default;
};

// nullopt: it is running, or ready to run.
std::optional<TaskCall> parse_task_call(std::string_view text);

// Reading the open file again looks at the thread again. Invalid: not permitted, or it has ended.
Fd open_task_call(pid_t pid, pid_t tid);
std::optional<TaskCall> read_task_call(const Fd& file);

}  // namespace wick

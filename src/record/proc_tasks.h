// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Processes and threads as /proc shows them. What has ended in the meantime is simply not there.

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wick {

// From the text of /proc/PID/stat or /proc/PID/task/TID/stat.
struct TaskStat {
  std::string name;  // as the kernel shows it: up to 15 characters, newline and backslash escaped
  char state = '?';  // R, S, D, T, t, Z …
  pid_t parent_pid = 0;
  uint64_t start_ns = 0;   // since boot (CLOCK_BOOTTIME), to a clock tick
  uint64_t cpu_ns = 0;     // user and system time, to a clock tick
  uint64_t system_ns = 0;  // of it and of the children it has waited for
};
std::optional<TaskStat> parse_task_stat(std::string_view text, uint64_t ticks_per_second);

// From the text of schedstat: nanoseconds on a CPU, nanoseconds runnable without one, how often it was put on a CPU.
struct TaskTimes {
  uint64_t run_ns = 0, wait_ns = 0, slices = 0;
};
std::optional<TaskTimes> parse_schedstat(std::string_view text);

// The number behind a name such as "Tgid" or "TracerPid" in the text of /proc/PID/status.
std::optional<uint64_t> parse_status_number(std::string_view text, std::string_view name);

std::vector<pid_t> load_process_ids();        // all that we can see, ascending
std::vector<pid_t> load_task_ids(pid_t pid);  // threads of a process, ascending; empty when it ended
std::optional<TaskStat> load_task_stat(pid_t pid, pid_t tid);
std::optional<TaskStat> load_process_stat(pid_t pid);  // of all its threads together
std::optional<TaskTimes> load_task_times(pid_t pid, pid_t tid);
std::string load_task_name(pid_t pid, pid_t tid);  // empty when it ended

// The process that a thread belongs to.
std::optional<pid_t> load_process_of_thread(pid_t tid);

}  // namespace wick

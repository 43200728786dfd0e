// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Processes and threads from /proc. Tasks that end meanwhile are simply missing.

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"

namespace wick {

// Parsed from /proc/PID/stat or /proc/PID/task/TID/stat.
struct TaskStat {
  std::string name;  // as the kernel prints it: up to 15 characters, newline and backslash escaped
  char state = '?';  // R, S, D, T, t, Z …
  pid_t parent_pid = 0;
  uint64_t start_ns = 0;   // since boot (CLOCK_BOOTTIME), in clock tick resolution
  uint64_t cpu_ns = 0;     // user and system time, in clock tick resolution
  uint64_t system_ns = 0;  // including children it has waited for
};
// Whether it is a zombie or gone.
bool has_ended(pid_t pid, pid_t tid);
std::optional<TaskStat> parse_task_stat(std::string_view text, uint64_t ticks_per_second);

// Parsed from schedstat: time on a CPU, time runnable without a CPU, number of time slices.
struct TaskTimes {
  uint64_t run_ns = 0, wait_ns = 0, slices = 0;
};
std::optional<TaskTimes> parse_schedstat(std::string_view text);

// The values of a field such as "Uid" in /proc/PID/status; empty if missing.
std::vector<std::string_view> parse_status_words(std::string_view text, std::string_view name);
// The value of a numeric field such as "Tgid" or "TracerPid" in /proc/PID/status.
std::optional<uint64_t> parse_status_number(std::string_view text, std::string_view name);

std::vector<pid_t> load_process_ids();        // all visible ones, ascending
std::vector<pid_t> load_task_ids(pid_t pid);  // threads of a process, ascending; empty if it ended
std::optional<TaskStat> load_task_stat(pid_t pid, pid_t tid);
std::optional<TaskStat> load_process_stat(pid_t pid);  // of all its threads together
std::optional<TaskTimes> load_task_times(pid_t pid, pid_t tid);
uint64_t load_group_time(pid_t pid);               // of all threads of a process, including ended ones; 0 if it is gone
std::string load_task_name(pid_t pid, pid_t tid);  // empty if it ended

// How long virtual CPUs of this machine had work while the host ran something else, since the boot, on all CPUs. 0 if unknown.
uint64_t load_stolen_time();
uint64_t parse_stolen_time(std::string_view text, uint64_t ticks_per_second);  // the text of /proc/stat

std::vector<pid_t> load_child_ids(pid_t pid, pid_t tid);  // children that this thread has started and not waited for

// Keeps referring to this process even if its PID is reused. Invalid if it ended.
Fd open_pidfd(pid_t pid);

struct ProcessIdentity {
  std::vector<uint32_t> users;  // real, effective, saved and file system user IDs
  pid_t inner_pid = 0;          // in its own PID namespace
};
std::optional<ProcessIdentity> load_process_identity(pid_t pid);

// Bit N-1 is signal N.
struct SignalSets {
  uint64_t blocked = 0, caught = 0;
};
std::optional<SignalSets> load_signal_sets(pid_t pid, pid_t tid);

// Bytes that a process and its children have written anywhere; nullopt if unknown. Looks at a limited number of children.
std::optional<uint64_t> load_written_bytes(pid_t pid);

// The process that a thread belongs to.
std::optional<pid_t> load_process_of_thread(pid_t tid);

}  // namespace wick

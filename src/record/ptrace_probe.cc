// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/ptrace_probe.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string_view>

#include "os/proc_tasks.h"

namespace wick {

size_t TaskProbe::read(Fd& fd, const char* name, char* buffer, size_t size) {
  if (!fd) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/task/%d/%s", pid_, tid_, name);
    fd.reset(::open(path, O_RDONLY | O_CLOEXEC));
    if (!fd) { return 0; }
  }
  ssize_t n = ::pread(fd.get(), buffer, size, 0);
  if (!keep_open_) { fd.reset(); }
  return static_cast<size_t>(std::max<ssize_t>(0, n));
}

std::optional<uint64_t> TaskProbe::times_given_up() {
  char text[4096];
  Fd fd;
  return parse_status_number({text, read(fd, "status", text, sizeof text)}, "voluntary_ctxt_switches");
}

bool TaskProbe::exists() const {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/task/%d", pid_, tid_);
  return ::access(path, F_OK) == 0 || errno != ENOENT;
}

std::optional<RunTime> TaskProbe::run_time() {
  char text[1024];
  if (has_schedstat_) {
    std::optional<TaskTimes> times = parse_schedstat({text, read(times_, "schedstat", text, sizeof text)});
    if (!times) { return std::nullopt; }
    return RunTime{times->run_ns, times->wait_ns, times->slices};
  }
  std::optional<TaskStat> stat =
      parse_task_stat({text, read(times_, "stat", text, sizeof text)}, static_cast<uint64_t>(::sysconf(_SC_CLK_TCK)));
  if (!stat) { return std::nullopt; }
  return RunTime{stat->cpu_ns, 0, std::nullopt};
}

bool TaskProbe::is_running() {
  char text[1024];
  if (has_syscall_file_) {
    // "running", or the system call in which it sleeps.
    size_t n = read(state_, "syscall", text, sizeof text);
    if (n > 0) { return text[0] == 'r'; }
    has_syscall_file_ = false;  // not built in, or denied for this process
    state_.reset();
  }
  size_t n = read(state_, "stat", text, sizeof text);
  std::string_view stat(text, n);
  size_t name_end = stat.rfind(')');
  return name_end != std::string_view::npos && stat.substr(name_end).starts_with(") R");
}

}  // namespace wick

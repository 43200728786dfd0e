// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Queries the state of a thread without stopping it. A query costs a quarter to half a microsecond because the files stay open.
//
// schedstat alone does not show whether a thread is running now: the kernel updates its run time only when it leaves the CPU and
// at scheduler ticks (4 ms apart on common kernels). But it also counts time slices: while that number is unchanged, a thread
// that was sleeping (or stopped) has not run since. Only if it changed, the second file is read. It also counts the time spent
// waiting for a CPU, which shows afterwards whether the thread had one at the time of the query.

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "base/fd.h"

namespace wick {

struct RunTime {
  uint64_t run_ns = 0, wait_ns = 0;
  std::optional<uint64_t> slices;  // number of time slices; nullopt if the kernel does not count them (nor wait_ns)
};

class TaskProbe {
 public:
  // `has_schedstat`: kernels without scheduler statistics have a file of zeros; then the coarser `stat` is used. `keep_open`:
  // keeps the files open between queries (up to two per thread).
  TaskProbe(pid_t pid, pid_t tid, bool has_schedstat, bool keep_open)
      : pid_(pid), tid_(tid), has_schedstat_(has_schedstat), keep_open_(keep_open) {}

  std::optional<RunTime> run_time();         // nullopt: gone or unreadable
  bool is_running();                         // on a CPU, or waiting for one
  std::optional<uint64_t> times_given_up();  // voluntary context switches. A slow query: some microseconds
  bool exists() const;

 private:
  // Reads the start of a file of the thread; 0 if it cannot be read.
  size_t read(Fd& fd, const char* name, char* buffer, size_t size);

  pid_t pid_, tid_;
  bool has_schedstat_, keep_open_;
  bool has_syscall_file_ = true;
  Fd times_, state_;
};

}  // namespace wick

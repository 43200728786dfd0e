// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a thread is doing, asked without stopping it. A question costs a quarter to half a microsecond because the files stay
// open.
//
// schedstat alone cannot tell whether a thread runs now: the kernel brings its run time up to date only when it leaves the CPU
// and at scheduler ticks (4 ms apart on common kernels). But it also counts how often the thread was put on a CPU: as long as
// that number stays, a thread that was asleep (or stopped) has not run since. Only when it changed is the second file asked.
// And it counts how long the thread waited for a CPU, which tells afterwards whether it had one at the time of the question.

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "base/fd.h"

namespace wick {

struct RunTime {
  uint64_t run_ns = 0, wait_ns = 0;
  std::optional<uint64_t> slices;  // how often it was put on a CPU; absent where the kernel does not count it (nor wait_ns)
};

class TaskProbe {
 public:
  // `has_schedstat`: kernels without scheduler statistics have one full of zeros, and the coarser `stat` has to do.
  // `keep_open`: hold the files open between questions (up to two for a thread).
  TaskProbe(pid_t pid, pid_t tid, bool has_schedstat, bool keep_open)
      : pid_(pid), tid_(tid), has_schedstat_(has_schedstat), keep_open_(keep_open) {}

  std::optional<RunTime> run_time();         // nothing: it is gone, or could not be read
  bool is_running();                         // on a CPU, or waiting for one
  std::optional<uint64_t> times_given_up();  // how often it gave up its CPU by itself. A slow question: some microseconds
  bool exists() const;

 private:
  // Reads the beginning of a file of the thread; 0 when it cannot be read.
  size_t read(Fd& fd, const char* name, char* buffer, size_t size);

  pid_t pid_, tid_;
  bool has_schedstat_, keep_open_;
  bool has_syscall_file_ = true;
  Fd times_, state_;
};

}  // namespace wick

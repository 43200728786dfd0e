// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests: something done where no thread can be started, as at a limit of processes. Root has no such limit, hence a child.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace wick {

// What `work` returns, or -1 when it did not come to an end.
template <typename Work>
int run_without_threads(const Work& work) {
  pid_t pid = ::fork();
  if (pid == 0) {
    rlimit none{0, 0};
    ::setrlimit(RLIMIT_NPROC, &none);
    bool powerless = ::geteuid() != 0 || ::setuid(65534) == 0;
    ::_exit(powerless ? work() : 125);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace wick

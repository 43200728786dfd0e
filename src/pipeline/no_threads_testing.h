// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests: runs code that cannot start threads, as at a process limit. Root has no such limit, hence a child process.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace wick {

// The result of `work`, or -1 if it did not finish.
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

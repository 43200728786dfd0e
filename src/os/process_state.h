// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Changes that an engine makes to its own process after forking the command, and reverts at its end: the next run of the command
// (--iterations) must inherit the same state as the first.

#include <signal.h>
#include <sys/resource.h>

#include <cstdint>
#include <optional>

namespace wick {

// If SIGCHLD is ignored, as some parents leave it, the kernel discards the command's exit status.
class DefaultSigchld {
 public:
  DefaultSigchld();
  DefaultSigchld(const DefaultSigchld&) = delete;
  DefaultSigchld& operator=(const DefaultSigchld&) = delete;
  ~DefaultSigchld();

 private:
  struct sigaction before_{};
};

// Raises the limit of open files to the hard limit.
class RaisedFileLimit {
 public:
  RaisedFileLimit();
  RaisedFileLimit(const RaisedFileLimit&) = delete;
  RaisedFileLimit& operator=(const RaisedFileLimit&) = delete;
  ~RaisedFileLimit();

 private:
  std::optional<rlimit> before_;
};

// For a thread that sleeps most of the time and must wake up promptly: a higher priority if permitted (few users are) and
// a short time slice, which Linux 6.12 grants to anyone. Not inherited by threads and programs that it starts.
class PromptScheduling {
 public:
  PromptScheduling();
  PromptScheduling(const PromptScheduling&) = delete;
  PromptScheduling& operator=(const PromptScheduling&) = delete;
  ~PromptScheduling();

 private:
  std::optional<int32_t> nice_before_;  // nullopt: unchanged
};

// Lowers the calling thread's CPU and I/O priority. Permanent: ordinary users may not raise it again.
void let_others_first();

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What an engine changes in its own process, after the command was forked, and takes back at its end: the next run of the command
// (--iterations) must inherit what the first one did.

#include <signal.h>
#include <sys/resource.h>

#include <cstdint>
#include <optional>

namespace wick {

// SIGCHLD, ignored, as some parents leave it, would make the kernel throw away the exit status of the command.
class DefaultSigchld {
 public:
  DefaultSigchld();
  DefaultSigchld(const DefaultSigchld&) = delete;
  DefaultSigchld& operator=(const DefaultSigchld&) = delete;
  ~DefaultSigchld();

 private:
  struct sigaction before_{};
};

// As many open files as the hard limit allows.
class RaisedFileLimit {
 public:
  RaisedFileLimit();
  RaisedFileLimit(const RaisedFileLimit&) = delete;
  RaisedFileLimit& operator=(const RaisedFileLimit&) = delete;
  ~RaisedFileLimit();

 private:
  std::optional<rlimit> before_;
};

// For a thread that sleeps most of the time and must not be late: a better place in the queue for those who may have one (few
// may) and, if asked for, a short time slice, which Linux 6.12 grants to anyone. Not for the threads and programs that it starts.
class PromptScheduling {
 public:
  explicit PromptScheduling(bool short_slice);
  PromptScheduling(const PromptScheduling&) = delete;
  PromptScheduling& operator=(const PromptScheduling&) = delete;
  ~PromptScheduling();

 private:
  std::optional<int32_t> nice_before_;  // none: nothing was changed
};

// The calling thread lets others go first, on CPUs and disks. For good: ordinary users may not take it back.
void let_others_first();

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "os/process_state.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

namespace wick {
namespace {

constexpr int32_t kNice = -10;
constexpr uint64_t kSliceNs = 200'000;
constexpr uint64_t kResetOnFork = 1;  // SCHED_FLAG_RESET_ON_FORK

// The kernel's struct; Debian 12's C library does not declare it.
struct SchedulerAttributes {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;  // for SCHED_OTHER, `runtime` is the slice; 0: the kernel's default
};

bool set_own(int32_t nice, uint64_t slice_ns, uint64_t flags) {
  SchedulerAttributes attributes{};
  attributes.size = sizeof attributes;
  attributes.policy = SCHED_OTHER;
  attributes.flags = flags;
  attributes.nice = nice;
  attributes.runtime = slice_ns;
  return ::syscall(SYS_sched_setattr, 0, &attributes, 0) == 0;
}

}  // namespace

DefaultSigchld::DefaultSigchld() {
  struct sigaction plain{};
  plain.sa_handler = SIG_DFL;
  ::sigaction(SIGCHLD, &plain, &before_);
}

DefaultSigchld::~DefaultSigchld() { ::sigaction(SIGCHLD, &before_, nullptr); }

RaisedFileLimit::RaisedFileLimit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) { return; }
  rlimit raised{limit.rlim_max, limit.rlim_max};
  if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) { before_ = limit; }
}

RaisedFileLimit::~RaisedFileLimit() {
  if (before_) { ::setrlimit(RLIMIT_NOFILE, &*before_); }
}

PromptScheduling::PromptScheduling() {
  SchedulerAttributes own{};
  bool known = ::syscall(SYS_sched_getattr, 0, &own, sizeof own, 0) == 0;
  if (!known || own.policy != SCHED_OTHER) { return; }
  uint64_t flags = own.flags | kResetOnFork;
  if (set_own(std::min(own.nice, kNice), kSliceNs, flags) || set_own(own.nice, kSliceNs, flags)) { nice_before_ = own.nice; }
}

PromptScheduling::~PromptScheduling() {
  if (!nice_before_) { return; }
  // Clearing the flag may be denied; it has no effect on a process of normal priority.
  if (!set_own(*nice_before_, 0, 0)) { set_own(*nice_before_, 0, kResetOnFork); }
}

void let_others_first() {
  constexpr int kLater = 10;                                      // a tenth of the time when competing for a CPU
  constexpr int kWhoThread = 1, kLowestBestEffort = 2 << 13 | 7;  // from <linux/ioprio.h> since 6.5
  auto own = static_cast<id_t>(::gettid());
  ::setpriority(PRIO_PROCESS, own, ::getpriority(PRIO_PROCESS, own) + kLater);  // the kernel clamps it
  ::syscall(SYS_ioprio_set, kWhoThread, 0, kLowestBestEffort);
}

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "os/cpu_load.h"

namespace wick {

// For work that must not disturb the target: runs only while a CPU is idle. The kernel's policy for this (SCHED_IDLE) cannot be
// left by ordinary users, and on a busy machine such a thread takes a second even to exit while the process waits for it. So this
// is an ordinary thread that regularly checks for contention.
class IdlePace {
 public:
  IdlePace();
  // Called by the worker between pieces of work, as often as it likes. Waits while others need the CPUs.
  void rest();
  // From any thread: stops all waiting for good.
  void hurry();

 private:
  bool is_in_the_way();

  CpuLoad load_;
  unsigned cpus_ = 1;
  uint64_t last_ns_ = 0, last_waited_ns_ = 0, sleep_ns_ = 0;
  std::atomic<bool> hurry_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace wick

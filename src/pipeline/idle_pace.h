// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "base/fd.h"

namespace wick {

// For work beside a target that must not notice it: goes on only while a CPU is idle. The kernel has a policy for that
// (SCHED_IDLE), but ordinary users cannot leave it again, and on a busy machine such a thread takes a second even to end, with
// the process waiting for it. So it is an ordinary thread that asks now and then whether it is in the way.
class IdlePace {
 public:
  IdlePace();
  // Called by the working thread, between pieces of work, as often as it likes. Waits while others want the CPUs.
  void rest();
  // Any thread: from now on nobody waits.
  void hurry();

 private:
  bool is_in_the_way();

  Fd load_, waits_;
  unsigned cpus_ = 1;
  uint64_t last_ns_ = 0, last_waited_ns_ = 0, sleep_ns_ = 0;
  std::atomic<bool> hurry_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace wick

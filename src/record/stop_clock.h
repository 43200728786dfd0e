// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A perf event of one thread that stops it at each sample. On overflow the kernel sends the thread a signal, and a thread that is
// traced stops before the signal is delivered, that is, before it executes another instruction in user space. So the stack that
// is read then is the stack of the sample, however late the tracer runs, and the sample has the kernel's functions.
//
// The signal is one that is ignored by default and that the thread neither catches nor blocks: if the tracer dies, nothing
// happens to the thread.

#include <linux/perf_event.h>
#include <sys/types.h>

#include <memory>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "base/cpu.h"
#include "base/fd.h"
#include "capture/perf_records.h"
#include "record/perf_ring.h"

namespace wick {

class StopClock {
 public:
  // `attr`: the event, which samples by rate. `period_ns`: if it is a clock, its period; otherwise 0. The thread must be traced
  // already. nullptr: not permitted here, or the thread uses these signals.
  static std::unique_ptr<StopClock> start(perf_event_attr attr, pid_t pid, pid_t tid, uint64_t period_ns);

  uint64_t since_ns() const { return since_ns_; }
  void stop();

  bool is_blocked() const;  // whether the thread now blocks the signal
  // Whether the thread, which is about to receive this signal, was stopped by this clock.
  bool has_stopped(int signal_number) const;
  // The samples since the last call, oldest first, valid until the next one; the thread stopped at the last of them. There are
  // several only if the thread has blocked the signal meanwhile.
  std::span<RawSample> take();
  // For a stopped thread: the next sample comes after a period and about `rest_ns` more, and represents both.
  void rearm(uint64_t rest_ns);

 private:
  StopClock(Fd fd, PerfRing ring, const PerfLayout& layout, pid_t pid, pid_t tid, int signal_number, uint64_t period_ns,
            std::minstd_rand random);

  Fd fd_;
  PerfRing ring_;
  PerfLayout layout_;
  pid_t pid_, tid_;
  int signal_number_;
  uint64_t period_ns_, weight_ns_;
  uint64_t rate_hz_ = 0;  // if it is not a clock
  uint64_t rest_ns_ = 0;
  unsigned rounds_ = 0;
  uint64_t since_ns_ = 0;
  std::minstd_rand random_;
  bool is_on_ = true;
  std::vector<RawSample> samples_;
};

// The first of the signals that this thread neither catches nor blocks; nullopt: none.
std::optional<int> choose_stop_signal(uint64_t blocked, uint64_t caught);

// Whether a thread that was stopped with these registers is where its sample was taken. In the kernel, a system call changes some
// registers, and one that is to be restarted moves the program counter back to its instruction.
bool is_same_moment(const RawSample& sample, const Registers& stopped);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lets long-lived threads keep their sampling clocks. When a CPU switches between two threads (of one process or of several) that
// have inherited the same events, the kernel exchanges the events instead of stopping and starting them. Among threads that live
// on, this changes nothing: each clock ticks in whatever thread it is. But a thread next to many short ones gets their fresh
// clocks, and its own ends with one of them before its next tick: it lost up to 9% of its samples, which looked like time in the
// kernel.
//
// A thread with an event of its own is left out of this. Rejected: events that read their values with each sample, which since
// Linux 6.12 are never exchanged. Each switch between threads then took 4 us longer.

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/fd.h"
#include "capture/raw.h"

namespace wick {

class ClockKeeper {
 public:
  void begin(uint32_t tid);  // existed before
  void on_fork(const ForkEvent& fork);
  void on_exit(const ExitEvent& exit);

  // Long-lived threads next to short ones, each once.
  std::vector<pid_t> find_long_lived(uint64_t now_ns);
  void keep(pid_t tid);  // gives it an event of its own, if possible
  size_t kept() const { return kept_; }

 private:
  struct Life {
    uint64_t start_ns = 0;
    bool is_found = false;
    Fd event;
  };
  std::unordered_map<uint32_t, Life> lives_;  // by tid
  size_t short_lives_ = 0, kept_ = 0;
  uint64_t next_ns_ = 0;
};

}  // namespace wick

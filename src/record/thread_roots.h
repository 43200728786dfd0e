// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Chooses which attached thread's events count for a thread. A thread created while wick attaches may have both its parent's
// events and its own, and produces each sample twice: only those of the first seen are used. TIDs are reused, so a fork starts
// over.

#include <sys/types.h>

#include <cstdint>
#include <unordered_map>

namespace wick {

class ThreadRoots {
 public:
  void begin(uint32_t tid, uint64_t time_ns) {
    Roots& roots = by_thread_[tid];
    if (roots.now != 0) { roots.before = roots.now; }  // a fork may be reported twice, too
    roots.now = 0;
    roots.born_ns = time_ns;
  }

  // Whether to use a sample of this thread from the events of the attached thread `root`. Samples of an ended thread may arrive
  // after the creation of the next one with its TID.
  bool covers(pid_t root, uint32_t tid, uint64_t time_ns) {
    Roots& roots = by_thread_[tid];
    pid_t& speaker = time_ns < roots.born_ns ? roots.before : roots.now;
    if (speaker == 0) { speaker = root; }
    return speaker == root;
  }

 private:
  struct Roots {
    pid_t before = 0, now = 0;  // 0: unknown
    uint64_t born_ns = 0;
  };
  std::unordered_map<uint32_t, Roots> by_thread_;
};

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who of several attached threads speaks for a thread. One that was born while we attached may have the events of its parent and
// some of its own, and gives each sample twice: those of the first seen are taken. Ids of threads come back, so a birth begins
// anew.

#include <sys/types.h>

#include <cstdint>
#include <unordered_map>

namespace wick {

class ThreadRoots {
 public:
  void begin(uint32_t tid, uint64_t time_ns) {
    Roots& roots = by_thread_[tid];
    if (roots.now != 0) { roots.before = roots.now; }  // a birth, too, may be told twice
    roots.now = 0;
    roots.born_ns = time_ns;
  }

  // Whether a sample of this thread by the events of the attached thread `root` is to be taken. Samples of a thread that has
  // ended may still come after the birth of the next one with its id.
  bool speaks_for(pid_t root, uint32_t tid, uint64_t time_ns) {
    Roots& roots = by_thread_[tid];
    pid_t& speaker = time_ns < roots.born_ns ? roots.before : roots.now;
    if (speaker == 0) { speaker = root; }
    return speaker == root;
  }

 private:
  struct Roots {
    pid_t before = 0, now = 0;  // 0: not known yet
    uint64_t born_ns = 0;
  };
  std::unordered_map<uint32_t, Roots> by_thread_;
};

}  // namespace wick

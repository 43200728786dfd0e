// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>

#include <cstdint>

namespace wick {

inline uint64_t read_clock(clockid_t clock) {
  timespec t{};
  ::clock_gettime(clock, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(t.tv_nsec);
}

// CLOCK_MONOTONIC: the clock of all timestamps in a recording, including the kernel's.
inline uint64_t now_ns() { return read_clock(CLOCK_MONOTONIC); }
// CPU time of the calling thread, and of all threads of the process.
inline uint64_t thread_cpu_ns() { return read_clock(CLOCK_THREAD_CPUTIME_ID); }
inline uint64_t process_cpu_ns() { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }
inline uint64_t wall_ns() { return read_clock(CLOCK_REALTIME); }

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// stubs SECONDS: half of the calls go to another file through the PLT, half into the vDSO.

#include "work.h"

KEEP void ask_another_file(long n) {
  for (long i = 0; i < n; ++i) { sink = sink + (uint64_t)abs(rand()); }
}
KEEP void ask_the_clock(long n) {
  struct timespec t;
  for (long i = 0; i < n; ++i) { clock_gettime(CLOCK_MONOTONIC, &t); }
  sink = sink + 1;
}

int main(int argc, char** argv) {
  double end = thread_seconds() + number(argc, argv, 1, 1);
  while (thread_seconds() < end) {
    ask_another_file(20000);
    ask_the_clock(20000);
  }
  return 0;
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// bursts [SECONDS]: works for about 0.4 ms, sleeps for 1.7 ms, and so on: main > burst > burn. A recorder that shares its CPU and is
// not let in during a burst finds it asleep.

#include "work.h"

KEEP void burst(void) { change_pace(); burn(400000); sink = sink + 1; }

int main(int argc, char** argv) {
  struct timespec rest = {0, 1700000};
  double end = seconds_of(CLOCK_MONOTONIC) + number(argc, argv, 1, 1.5);
  while (seconds_of(CLOCK_MONOTONIC) < end) { burst(); nanosleep(&rest, NULL); }
  return 0;
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// in_step [SECONDS]: half of the CPU time is in long_burst, without a pause, half in short_burst, in pieces of about 0.3 ms that a timer
// starts 0.85 to 1.05 ms after one another. The kernel ends such a sleep early if another timer fires on this CPU within its slack of 0.2
// ms. If that is the tick of a sampling clock of 1 ms, all further bursts begin right after a tick and end before the next one. Prints the
// share of long_burst in percent, as the thread's CPU clock measured it.

#include <sys/prctl.h>

#include "work.h"

static double time_of_long, time_of_short;

KEEP void long_burst(double seconds) {
  double begin = thread_seconds();
  while (thread_seconds() - begin < seconds) { burn(20000); }
  time_of_long += thread_seconds() - begin;
}
KEEP void short_burst(void) {
  double begin = thread_seconds();
  while (thread_seconds() - begin < 0.0003) { burn(5000); }
  time_of_short += thread_seconds() - begin;
}

int main(int argc, char** argv) {
  prctl(PR_SET_TIMERSLACK, 200000);
  double end = thread_seconds() + number(argc, argv, 1, 1);
  while (thread_seconds() < end) {
    double before = time_of_short;
    for (int i = 0; i < 300; ++i) {
      double next = seconds_of(CLOCK_MONOTONIC) + 0.00085;
      short_burst();
      double pause = next - seconds_of(CLOCK_MONOTONIC);
      struct timespec rest = {0, (long)(pause * 1e9)};
      if (pause > 0) { nanosleep(&rest, NULL); }
    }
    long_burst(time_of_short - before);
  }
  printf("%.2f\n", 100 * time_of_long / (time_of_long + time_of_short));
  return 0;
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// two_bursts [SECONDS] [DEPTH]: half of the CPU time is in long_burst, without a pause, half in short_burst, in pieces of about 0.1
// ms with a pause of 60 µs after each, below DEPTH calls of 400 bytes each. A sampler that cannot catch short bursts must not give
// their time to the long one. Prints the share of long_burst in percent, as the thread's CPU clock measured it.

#include <unistd.h>

#include "work.h"

static double time_of_long, time_of_short;

KEEP void long_burst(double seconds) {
  double begin = thread_seconds();
  while (thread_seconds() - begin < seconds) { burn(20000); }
  time_of_long += thread_seconds() - begin;
}
KEEP void short_burst(void) {
  double begin = thread_seconds();
  change_pace();
  burn(100000);
  time_of_short += thread_seconds() - begin;
}

KEEP void deeper(int depth, double seconds) {
  volatile char room[400];
  room[0] = 1;
  if (depth > 0) {
    deeper(depth - 1, seconds);
  } else {
    double end = thread_seconds() + seconds;
    while (thread_seconds() < end) {
      double before = time_of_short;
      for (int i = 0; i < 18; ++i) {
        short_burst();
        usleep(60);
      }
      long_burst(time_of_short - before);
    }
  }
  room[1] = room[0];
}

int main(int argc, char** argv) {
  deeper((int)number(argc, argv, 2, 3), number(argc, argv, 1, 1));
  printf("%.2f\n", 100 * time_of_long / (time_of_long + time_of_short));
  return 0;
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// shares [SECONDS] [THREADS]: 60 % under heavy, 30 % under middle, 10 % under light, all of it in burn.
//   main | start > run > round > heavy | middle | light > burn
// Prints the CPU seconds it used, so that the number of samples can be checked.

#include <pthread.h>

#include "work.h"

KEEP void heavy(long n) { burn(6 * n); sink = sink + 1; }
KEEP void middle(long n) { burn(3 * n); sink = sink + 1; }
KEEP void light(long n) { burn(n); sink = sink + 1; }
KEEP void round_of_work(void) { heavy(60000); middle(60000); light(60000); sink = sink + 1; }
KEEP void run(double seconds) {
  double end = thread_seconds() + seconds;
  while (thread_seconds() < end) { change_pace(); round_of_work(); }
  sink = sink + 1;
}
KEEP void* start(void* seconds) { run(*(double*)seconds); sink = sink + 1; return NULL; }

int main(int argc, char** argv) {
  double seconds = number(argc, argv, 1, 1);
  int threads = (int)number(argc, argv, 2, 1);
  pthread_t other[64];
  for (int i = 0; i < threads - 1 && i < 64; ++i) { pthread_create(&other[i], NULL, start, &seconds); }
  run(seconds);
  for (int i = 0; i < threads - 1 && i < 64; ++i) { pthread_join(other[i], NULL); }
  printf("%.4f\n", seconds_of(CLOCK_PROCESS_CPUTIME_ID));
  return 0;
}

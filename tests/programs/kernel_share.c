// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
// Uses CPU time, a given share of it in the kernel, and prints that share as measured around the system calls.
// usage: kernel_share SECONDS SHARE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;
static char block[1 << 16];

static double used(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

__attribute__((noinline)) static void compute(void) {
  for (int i = 0; i < 20000; i++) { sink = sink * 6364136223846793005ul + 1; }
}

int main(int argc, char** argv) {
  double seconds = argc > 1 ? atof(argv[1]) : 1, share = argc > 2 ? atof(argv[2]) : 0.5;
  int zero = open("/dev/zero", O_RDONLY);
  double kernel = 0, now = used();
  while (now < seconds) {
    if (kernel < share * now) {
      double before = used();
      if (read(zero, block, sizeof block) < 0) { return 1; }
      kernel += used() - before;
    } else {
      compute();
    }
    now = used();
  }
  printf("%.4f\n", kernel / now);
  return 0;
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// changing ROUNDS ALPHA BETA GAMMA: each round takes the given units of work in each of three leaf functions.
//   main > run > alpha | beta | gamma_
// Two runs with different numbers act as two versions of a program with a known difference.

#include "work.h"

#define WORK(name)                                                                                                          \
  KEEP static void name(long units) {                                                                                       \
    uint64_t a = 1;                                                                                                         \
    for (long i = 0; i < units * pace; ++i) { a = a * 6364136223846793005ull + (uint64_t)i; __asm__ volatile("" : "+r"(a)); } \
    sink = a;                                                                                                               \
  }
WORK(alpha)
WORK(beta)
WORK(gamma_)

KEEP static void run(long rounds, long a, long b, long c) {
  for (long i = 0; i < rounds; ++i) { change_pace(); alpha(a); beta(b); gamma_(c); }
  sink = sink + 1;
}

int main(int argc, char** argv) {
  run((long)number(argc, argv, 1, 1000), (long)number(argc, argv, 2, 60), (long)number(argc, argv, 3, 30),
      (long)number(argc, argv, 4, 10));
  return 0;
}

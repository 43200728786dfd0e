// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// phases FIRST SECOND: FIRST seconds of wall time in first_phase, then SECOND seconds in second_phase.
//   main > first_phase | second_phase > burn

#include "work.h"

#define PHASE(name)                                          \
  KEEP static void name(double seconds) {                    \
    double end = seconds_of(CLOCK_MONOTONIC) + seconds;      \
    while (seconds_of(CLOCK_MONOTONIC) < end) { burn(200000); } \
    sink = sink + 1;                                         \
  }
PHASE(first_phase)
PHASE(second_phase)

int main(int argc, char** argv) {
  first_phase(number(argc, argv, 1, 1));
  second_phase(number(argc, argv, 2, 1));
  return 0;
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// bigframe [SECONDS]: a frame of 120 kB lies between the work and main:   main > outer > big > inner > burn_seconds > burn

#include "work.h"

KEEP void inner(double seconds) { burn_seconds(seconds); sink = sink + 1; }
KEEP void big(double seconds) {
  volatile char room[120 * 1024];
  memset((char*)room, 1, sizeof room);
  inner(seconds);
  sink = sink + (uint64_t)room[100000];
}
KEEP void outer(double seconds) { big(seconds); sink = sink + 1; }

int main(int argc, char** argv) { outer(number(argc, argv, 1, 1)); return 0; }

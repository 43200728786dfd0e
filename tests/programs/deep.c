// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// deep [LEVELS] [SECONDS] [one|two]: all time is at the bottom of a recursion, main > down × LEVELS > burn_seconds > burn.
// "two": mutual recursion with frames of different sizes (ping, pong).

#include "work.h"

KEEP void down(int n, double seconds) {
  volatile char room[48];
  room[0] = (char)n;
  if (n > 1) { down(n - 1, seconds); } else { burn_seconds(seconds); }
  sink = sink + (uint64_t)room[0];
}

void pong(int n, double seconds);
KEEP void ping(int n, double seconds) {
  volatile char room[16];
  room[0] = (char)n;
  if (n > 1) { pong(n - 1, seconds); } else { burn_seconds(seconds); }
  sink = sink + (uint64_t)room[0];
}
KEEP void pong(int n, double seconds) {
  volatile char room[208];
  room[0] = (char)n;
  if (n > 1) { ping(n - 1, seconds); } else { burn_seconds(seconds); }
  sink = sink + (uint64_t)room[0];
}

int main(int argc, char** argv) {
  int levels = (int)number(argc, argv, 1, 10000);
  double seconds = number(argc, argv, 2, 1);
  if (argc > 3 && strcmp(argv[3], "two") == 0) { ping(levels, seconds); } else { down(levels, seconds); }
  return 0;
}

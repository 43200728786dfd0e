// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// deep_exec LEVELS SECONDS PROGRAM [ARGUMENT…]: main > down × LEVELS > burn_seconds, then executes PROGRAM from there.

#include <unistd.h>

#include "work.h"

static char** next;
KEEP void down(int n, double seconds) {
  volatile char frame[200];
  frame[0] = 1;
  if (n > 1) {
    down(n - 1, seconds);
  } else {
    burn_seconds(seconds);
    execvp(next[0], next);
  }
  frame[199] = 2;
}
int main(int argc, char** argv) {
  next = argv + 3;
  down((int)number(argc, argv, 1, 2000), number(argc, argv, 2, 0.1));
  return 1;
}

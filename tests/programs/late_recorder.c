// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// late_recorder [LEVELS]: a deep recursion (0.5 s), then middle (1 s), then last (1 s). A second process stops the recorder, its
// parent's parent, during all of middle, as a busy machine might.

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "work.h"

KEEP void down(int n, double seconds) {
  volatile char room[48];
  room[0] = (char)n;
  if (n > 1) { down(n - 1, seconds); } else { burn_seconds(seconds); }
  sink = sink + (uint64_t)room[0];
}

KEEP void middle(void) { burn_seconds(1); sink = sink + 1; }
KEEP void last(void) { burn_seconds(1); sink = sink + 1; }

// If the recorder stopped the first process just before, that one waits for the recorder and says no more.
static void stop_recorder(pid_t recorder, int words) {
  char word;
  struct pollfd more = {words, POLLIN, 0};
  if (read(words, &word, 1) != 1) { return; }
  kill(recorder, SIGSTOP);
  poll(&more, 1, 4000);
  usleep(20000);
  kill(recorder, SIGCONT);
}

int main(int argc, char** argv) {
  int words[2];
  pid_t recorder = getppid();
  if (pipe(words) != 0) { return 1; }
  if (fork() == 0) {
    close(words[1]);
    stop_recorder(recorder, words[0]);
    return 0;
  }
  down((int)number(argc, argv, 1, 3000), 0.5);
  if (write(words[1], "m", 1) != 1) { return 1; }
  usleep(5000);
  middle();
  if (write(words[1], "l", 1) != 1) { return 1; }
  last();
  return 0;
}

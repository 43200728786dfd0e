// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// deep_signals MODE [SECONDS]: a thread with a stack of 200 kB, and the signals that a recorder might use to stop it.
// burn: all time is in burn. plain: half of the time in reads of /dev/zero, half in burn. Prints the system time of its work in percent.
// blocked: like burn, with all signals blocked from the start. later: from a third of the time on. caught: SIGURG and SIGWINCH have handlers.
// Fails if a handler ran.

#include "work.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

static volatile int handled;
static void count_signal(int number) { handled += number > 0; }
static void block_all(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
}

static double system_seconds(void) {
  struct rusage used;
  getrusage(RUSAGE_THREAD, &used);
  return (double)used.ru_stime.tv_sec + (double)used.ru_stime.tv_usec / 1e6;
}

KEEP void read_zeros(int file, double seconds) {
  static char room[1 << 16];
  double end = thread_seconds() + seconds;
  while (thread_seconds() < end) { sink = sink + (uint64_t)read(file, room, sizeof room); }
}

KEEP void down(int n, const char* mode, double seconds) {
  volatile char room[400];
  room[0] = (char)n;
  if (n > 1) {
    down(n - 1, mode, seconds);
  } else if (strcmp(mode, "plain") == 0) {
    int file = open("/dev/zero", O_RDONLY);
    double before = system_seconds(), begin = thread_seconds();
    for (int i = 0; i < 20; ++i) {
      read_zeros(file, seconds / 40);
      burn_seconds(seconds / 40);
    }
    printf("%.2f\n", 100 * (system_seconds() - before) / (thread_seconds() - begin));
  } else {
    burn_seconds(seconds / 3);
    if (strcmp(mode, "later") == 0) { block_all(); }
    burn_seconds(seconds * 2 / 3);
  }
  sink = sink + (uint64_t)room[0];
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "plain";
  if (strcmp(mode, "blocked") == 0) { block_all(); }
  if (strcmp(mode, "caught") == 0) {
    signal(SIGURG, count_signal);
    signal(SIGWINCH, count_signal);
  }
  down(450, mode, number(argc, argv, 2, 1));
  return handled > 0;
}

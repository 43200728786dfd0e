// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// ends HOW [ARG] [SECONDS]: ways to exit, after SECONDS (default 0.3) of CPU time in working.
//   exit N      with this code                       signal N   killed by this signal, sent to itself
//   ignore      ignores SIGINT; exits by itself with code 3
//   int N       counts SIGINT for SECONDS of real time; prints the count; code N
//   stdin       copies standard input to standard output
//   tty         prints one line read from the terminal (/dev/tty), in capitals
//   sleep       sleeps for SECONDS, using almost no CPU time
//   forever     until killed

#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "work.h"

static volatile sig_atomic_t interrupts;
static void count(int number_) { (void)number_; interrupts = interrupts + 1; }
KEEP void working(double seconds) { burn_seconds(seconds); sink = sink + 1; }

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "exit";
  int n = argc > 2 ? atoi(argv[2]) : 0;
  double seconds = number(argc, argv, 3, 0.3);
  if (strcmp(how, "exit") == 0) { working(seconds); return n; }
  if (strcmp(how, "signal") == 0) {
    working(seconds);
    signal(n, SIG_DFL);
    kill(getpid(), n);
    pause();
  }
  if (strcmp(how, "ignore") == 0) { signal(SIGINT, SIG_IGN); working(seconds); return 3; }
  if (strcmp(how, "int") == 0) {
    signal(SIGINT, count);
    double end = seconds_of(CLOCK_MONOTONIC) + seconds;
    while (seconds_of(CLOCK_MONOTONIC) < end) { burn(100000); }
    printf("interrupts %d\n", (int)interrupts);
    return n;
  }
  if (strcmp(how, "stdin") == 0) {
    working(seconds);
    int c;
    while ((c = getchar()) != EOF) { putchar(c); }
    return 0;
  }
  if (strcmp(how, "tty") == 0) {
    FILE* terminal = fopen("/dev/tty", "r+");
    char line[256];
    if (!terminal || !fgets(line, sizeof line, terminal)) { perror("/dev/tty"); return 1; }
    working(seconds);
    for (char* c = line; *c; ++c) { *c = (char)toupper((unsigned char)*c); }
    printf("%s", line);
    return 0;
  }
  if (strcmp(how, "sleep") == 0) { usleep((useconds_t)(seconds * 1e6)); return 0; }
  if (strcmp(how, "forever") == 0) { for (;;) { working(1); } }
  return 2;
}

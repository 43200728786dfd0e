// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// timers [SECONDS]: a timer interrupts `interrupted` anywhere, inside its loop and the prologue of leaf, after every 8 ms of CPU
// time; on_timer runs on an alternate stack and always appears under the code it interrupted:
//   main > called > interrupted > (trampoline) > on_timer > burn

#include <signal.h>

#include "work.h"

KEEP void on_timer(int number_) { burn(1000000); sink = sink + (uint64_t)number_; }
KEEP uint64_t leaf(uint64_t a) { return a * 6364136223846793005ull + sink; }
KEEP void interrupted(double seconds) {
  double end = thread_seconds() + seconds;
  while (thread_seconds() < end) {
    for (int i = 0; i < 20000; ++i) { sink = leaf(sink); }
  }
  sink = sink + 1;
}
KEEP void called(double seconds) { interrupted(seconds); sink = sink + 1; }

int main(int argc, char** argv) {
  stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
  sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_handler = on_timer, .sa_flags = SA_RESTART | SA_ONSTACK};
  sigaction(SIGALRM, &action, NULL);
  timer_t timer;
  timer_create(CLOCK_PROCESS_CPUTIME_ID, NULL, &timer);
  struct itimerspec often = {{0, 8000000}, {0, 8000000}};
  timer_settime(timer, 0, &often, NULL);
  called(number(argc, argv, 1, 1));
  return 0;
}

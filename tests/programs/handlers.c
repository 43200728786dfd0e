// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// handlers [alt|same|nested] [SECONDS]: half of the time is in handler, which interrupts interrupted; the stack of a handler
// continues with the interrupted code:   main > interrupted > (trampoline) > handler > burn
//   alt     the handler runs on an alternate stack
//   same    on the interrupted stack
//   nested  on an alternate stack, where another handler interrupts it:  … handler > (trampoline) > second_handler > burn

#include <signal.h>
#include <unistd.h>

#include "work.h"

KEEP void second_handler(int number_) { burn(1000000); sink = sink + (uint64_t)number_; }
static int nested;
KEEP void handler(int number_) {
  burn(500000);
  if (nested) { raise(SIGUSR1); }
  burn(500000);
  sink = sink + (uint64_t)number_;
}
// The time between two signals equals that of the handler: the work itself raises the signal, so shares do not depend on timers.
KEEP void interrupted(double seconds) {
  double end = thread_seconds() + seconds;
  pid_t self = getpid();
  while (thread_seconds() < end) {
    change_pace();
    burn(1000000);
    kill(self, SIGALRM);
  }
  sink = sink + 1;
}

int main(int argc, char** argv) {
  const char* way = argc > 1 ? argv[1] : "alt";
  int flags = SA_RESTART;
  nested = strcmp(way, "nested") == 0;
  if (strcmp(way, "same") != 0) {
    stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
    sigaltstack(&stack, NULL);
    flags |= SA_ONSTACK;
  }
  struct sigaction first = {.sa_handler = handler, .sa_flags = flags};
  struct sigaction second = {.sa_handler = second_handler, .sa_flags = flags};
  sigaction(SIGALRM, &first, NULL);
  sigaction(SIGUSR1, &second, NULL);
  interrupted(number(argc, argv, 2, 1));
  return 0;
}

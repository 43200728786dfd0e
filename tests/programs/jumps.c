// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// jumps [long|context] [SECONDS]
//   long     leaves a recursion with longjmp, again and again:   main > jumping > leap × 20 > burn
//   context  coroutines with swapcontext: their stacks start at the coroutine, so half of the time is under
//            main > weave > burn, and half under co_main > co_step > burn, without main

#include <setjmp.h>
#include <ucontext.h>

#include "work.h"

static jmp_buf back;
KEEP void leap(int n) {
  if (n > 1) { leap(n - 1); } else { burn(300000); if (sink != 0) { longjmp(back, 1); } }
  sink = sink + 1;
}
KEEP void jumping(double seconds) {
  double end = thread_seconds() + seconds;
  while (thread_seconds() < end) {
    if (!setjmp(back)) { leap(20); }
  }
  sink = sink + 1;
}

static ucontext_t main_context, co_context;
KEEP void co_step(void) { burn(300000); sink = sink + 1; }
KEEP void co_main(void) {
  for (;;) { co_step(); swapcontext(&co_context, &main_context); }
}
KEEP void weave(double seconds) {
  static char stack[1 << 16];
  getcontext(&co_context);
  co_context.uc_stack.ss_sp = stack;
  co_context.uc_stack.ss_size = sizeof stack;
  makecontext(&co_context, co_main, 0);
  double end = thread_seconds() + seconds;
  while (thread_seconds() < end) { burn(300000); swapcontext(&main_context, &co_context); }
  sink = sink + 1;
}

int main(int argc, char** argv) {
  double seconds = number(argc, argv, 2, 1);
  if (argc > 1 && strcmp(argv[1], "context") == 0) { weave(seconds); } else { jumping(seconds); }
  return 0;
}

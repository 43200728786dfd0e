// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// bare_calls [SECONDS]: two families of functions with frame pointers call bare_lib.c in turn. The frame pointer inside the library
// is that of its caller, so following it skips all functions in between:
//   main > first_outer > first_inner > bare_entry > bare_inner
//   main > second_outer > second_inner > bare_entry > bare_inner

#include "work.h"

long bare_entry(long rounds);

KEEP void first_inner(void) { sink = sink + (uint64_t)bare_entry(20000 + (long)(sink & 1)); }
KEEP void first_outer(void) { volatile char room[100]; room[0] = 1; first_inner(); room[1] = room[0]; }
KEEP void second_inner(void) { volatile char room[40]; room[0] = 1; sink = sink + (uint64_t)bare_entry(20000); room[1] = room[0]; }
KEEP void second_outer(void) { volatile char room[300]; room[0] = 1; second_inner(); room[1] = room[0]; }

int main(int argc, char** argv) {
  double end = thread_seconds() + number(argc, argv, 1, 1);
  while (thread_seconds() < end) { first_outer(); second_outer(); }
  return 0;
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// callbacks [SECONDS]: libc calls back, with its own frames in between (Debian builds it without frame pointers).
//   40 %  main > sorting > qsort … > compare > burn
//   30 %  main > searching > bsearch > look > burn
//   20 %  main > once > pthread_once … > first_time > burn_seconds > burn
//   10 %  exit … > at_end > burn_seconds > burn          (under main too, since main calls exit)

#include <pthread.h>

#include "work.h"

static double total;
KEEP int compare(const void* a, const void* b) { burn(40000); sink = sink + 1; return *(const int*)a - *(const int*)b; }
KEEP int look(const void* key, const void* b) { burn(40000); sink = sink + 1; return *(const int*)key - *(const int*)b; }
KEEP void sorting(double seconds) {
  double end = thread_seconds() + seconds;
  while (thread_seconds() < end) { int v[] = {3, 1, 2, 5, 4}; qsort(v, 5, sizeof v[0], compare); }
  sink = sink + 1;
}
KEEP void searching(double seconds) {
  static const int v[] = {1, 2, 3, 4, 5, 6, 7};
  double end = thread_seconds() + seconds;
  while (thread_seconds() < end) { int key = 3; sink = sink + (bsearch(&key, v, 7, sizeof v[0], look) != NULL); }
  sink = sink + 1;
}
KEEP void first_time(void) { burn_seconds(0.2 * total); sink = sink + 1; }
KEEP void once(void) { static pthread_once_t control = PTHREAD_ONCE_INIT; pthread_once(&control, first_time); sink = sink + 1; }
KEEP void at_end(void) { burn_seconds(0.1 * total); sink = sink + 1; }

int main(int argc, char** argv) {
  total = number(argc, argv, 1, 1);
  atexit(at_end);
  sorting(0.4 * total);
  searching(0.3 * total);
  once();
  exit(0);
}

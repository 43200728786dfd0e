// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// threads [COUNT] [SECONDS EACH]: COUNT concurrent threads, each using SECONDS of CPU time:
//   thread_main > job > burn_seconds > burn
// Thread i names itself "job-i" with prctl after it has started; main sleeps in pthread_join.

#include <pthread.h>
#include <sys/prctl.h>

#include "work.h"

static double each;
static pthread_barrier_t all_here;

KEEP void job(void) { burn_seconds(each); sink = sink + 1; }
KEEP void* thread_main(void* index) {
  char name[16];
  snprintf(name, sizeof name, "job-%d", (int)(intptr_t)index);
  prctl(PR_SET_NAME, name);
  pthread_barrier_wait(&all_here);
  job();
  sink = sink + 1;
  return NULL;
}

int main(int argc, char** argv) {
  int count = (int)number(argc, argv, 1, 200);
  each = number(argc, argv, 2, 0.01);
  pthread_t* threads = calloc((size_t)count, sizeof *threads);
  pthread_barrier_init(&all_here, NULL, (unsigned)count);
  for (int i = 0; i < count; ++i) {
    if (pthread_create(&threads[i], NULL, thread_main, (void*)(intptr_t)i) != 0) { perror("pthread_create"); return 1; }
  }
  for (int i = 0; i < count; ++i) { pthread_join(threads[i], NULL); }
  printf("%.4f\n", seconds_of(CLOCK_PROCESS_CPUTIME_ID));
  return 0;
}

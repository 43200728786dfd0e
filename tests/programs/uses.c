// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Uses a known amount of a resource, and prints what it used:
//   uses wait ROUNDS SECONDS   rounds of four threads that use SECONDS of CPU time each, on one CPU, so that three wait for it;
//                              prints the nanoseconds that ended threads waited, and the CPU time of the process
//   uses pages N               touches N new pages
//   uses sleeps N              sleeps N times
//   uses early SECONDS         uses CPU time, prints a line, and then waits for a signal
//   uses children N SECONDS    N processes that use SECONDS of CPU time, one after the other; prints their CPU time
//   uses fork                  uses CPU time for a moment, and then again in a forked child without exec

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

static double each;
static _Atomic unsigned long long waited_ns;

static void* burn_here(void* unused) {
  burn_seconds(each);
  unsigned long long run = 0, wait = 0;
  FILE* f = fopen("/proc/thread-self/schedstat", "r");
  if (f != NULL && fscanf(f, "%llu %llu", &run, &wait) == 2) { waited_ns += wait; }
  if (f != NULL) { fclose(f); }
  return unused;
}

static void wait_for_a_cpu(long rounds) {
  cpu_set_t allowed, one;
  sched_getaffinity(0, sizeof allowed, &allowed);
  int cpu = 0;
  while (!CPU_ISSET(cpu, &allowed)) { ++cpu; }
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  sched_setaffinity(0, sizeof one, &one);
  for (long i = 0; i < rounds; ++i) {
    pthread_t threads[4];
    for (int k = 0; k < 4; ++k) { pthread_create(&threads[k], NULL, burn_here, NULL); }
    for (int k = 0; k < 4; ++k) { pthread_join(threads[k], NULL); }
  }
  printf("%llu %.6f\n", waited_ns, seconds_of(CLOCK_PROCESS_CPUTIME_ID));
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  long n = (long)number(argc, argv, 2, 1);
  each = number(argc, argv, 3, 0.01);
  if (strcmp(what, "wait") == 0) {
    wait_for_a_cpu(n);
  } else if (strcmp(what, "pages") == 0) {
    size_t page = (size_t)getpagesize(), size = (size_t)n * page;
    char* memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(memory, size, MADV_NOHUGEPAGE);
    for (size_t at = 0; at < size; at += page) { memory[at] = 1; }
  } else if (strcmp(what, "sleeps") == 0) {
    for (long i = 0; i < n; ++i) { usleep(100); }
  } else if (strcmp(what, "early") == 0) {
    burn_seconds(number(argc, argv, 2, 0.3));
    puts("done");
    fflush(stdout);
    pause();
  } else if (strcmp(what, "children") == 0) {
    for (long i = 0; i < n; ++i) {
      if (fork() == 0) {
        burn_seconds(each);
        _exit(0);
      }
      wait(NULL);
    }
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    printf("%.6f\n", (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6);
  } else if (strcmp(what, "fork") == 0) {
    burn(100000);
    if (fork() == 0) {
      burn(100000);
      _exit(0);
    }
    wait(NULL);
  } else {
    return 2;
  }
  return 0;
}

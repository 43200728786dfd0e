// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the truth programs share. A truth program has an answer that is known beforehand: which function uses which share of
// the CPU time, and who calls whom. Work is measured in loop rounds, so shares do not depend on the machine, and the
// length of a run in CPU time, so they do not depend on the optimisation level either.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// A function that must stay one: never inlined, cloned or called by a jump (`sink` is touched after every call).
#ifdef __clang__
#define KEEP __attribute__((noinline, used))
#else
#define KEEP __attribute__((noipa, used))
#endif

static volatile uint64_t sink;

static inline double seconds_of(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
static inline double thread_seconds(void) { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

// The one place where time is spent; a tenth of a millisecond and more for 100,000, by whatever compiler: none may fold rounds.
KEEP static void burn(long rounds) {
  uint64_t a = 1;
  for (long i = 0; i < rounds; ++i) { a = a * 6364136223846793005ull + (uint64_t)i; __asm__ volatile("" : "+r"(a)); }
  sink = a;
}

// burn for a time of this thread's CPU clock.
KEEP static void burn_seconds(double seconds) {
  double end = thread_seconds() + seconds;
  while (thread_seconds() < end) { burn(200000); }
  sink = sink + 1;
}

static inline double number(int argc, char** argv, int i, double otherwise) { return argc > i ? atof(argv[i]) : otherwise; }

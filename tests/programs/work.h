// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shared by the truth programs. A truth program has a known answer: which function uses which share of the CPU time, and who
// calls whom. Work is measured in loop rounds, so shares do not depend on the machine, and the length of a run in CPU time, so
// they do not depend on the optimization level either.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Keeps a function separate: never inlined, cloned or tail-called (`sink` is modified after every call).
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

// Rounds of equal length could fall into step with the sampler: each round is randomly made longer or shorter.
static __thread uint64_t pace_state = 88172645463325252ull;
static __thread long pace = 1024;
KEEP static void change_pace(void) {
  pace_state ^= pace_state << 13;
  pace_state ^= pace_state >> 7;
  pace_state ^= pace_state << 17;
  pace = 512 + (long)(pace_state % 1024);
}

// The only place that spends time: 0.1 ms or more per 100,000 rounds with any compiler, since none can fold rounds.
KEEP static void burn(long rounds) {
  uint64_t a = 1;
  rounds = rounds * pace / 1024;
  for (long i = 0; i < rounds; ++i) { a = a * 6364136223846793005ull + (uint64_t)i; __asm__ volatile("" : "+r"(a)); }
  sink = a;
}

// Burns the given time of this thread's CPU clock.
KEEP static void burn_seconds(double seconds) {
  double end = thread_seconds() + seconds;
  while (thread_seconds() < end) { burn(200000); }
  sink = sink + 1;
}

static inline double number(int argc, char** argv, int i, double otherwise) { return argc > i ? atof(argv[i]) : otherwise; }

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The part of turns.cc without unwind tables: built with -fno-asynchronous-unwind-tables -fno-unwind-tables -fomit-frame-pointer.
// Nothing describes where the return addresses of these functions are. The frame pointer, if valid, is a caller's.

#include "work.h"

typedef void (*Step)(long);
struct job {
  Step next;
  long left;
};

// One value to keep across calls: compilers use another register than the frame pointer, which stays the caller's.
KEEP void bare_second(const struct job* job) {
  volatile char pad[72];
  pad[0] = 1;
  burn(20000);
  job->next(job->left);
  sink = sink + (uint64_t)pad[0];
}
KEEP void bare_first(const struct job* job) {
  volatile char pad[136];
  pad[0] = 1;
  burn(20000);
  bare_second(job);
  sink = sink + (uint64_t)pad[0];
}

#ifdef __x86_64__
#define FRAME_POINTER "rbp"
#else
#define FRAME_POINTER "x29"
#endif

// {next, function}, as in lists of callbacks, has the same shape as {caller's frame pointer, return address}.
struct callback {
  struct callback* next;
  Step call;
};
KEEP void bare_list(const struct job* job) {
  struct callback list[3] = {{&list[1], job->next}, {&list[2], job->next}, {NULL, job->next}};
  register struct callback* at __asm__(FRAME_POINTER) = list;
  for (int i = 0; i < 2; ++i) {
    __asm__ volatile("" : "+r"(at) : : "memory");
    at->call(job->left);
    __asm__ volatile("" : "+r"(at) : : "memory");
    at = at->next;
  }
  sink = sink + 1;
}

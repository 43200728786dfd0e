// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// A shared object for loader.c, built once per NAME. PAD bytes of code before it give two plugins different addresses.

#include "work.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#ifndef PAD
#define PAD 16
#endif

KEEP void padding(void) { __asm__ volatile(".skip " "%c0" : : "i"(PAD)); }
KEEP void JOIN(NAME, _work)(double seconds) {
  double end = thread_seconds() + seconds;
  while (thread_seconds() < end) {
    for (int i = 0; i < 100000; ++i) { sink = sink * 31 + (uint64_t)i; }
  }
  sink = sink + 1;
}
void plugin_run(double seconds) { JOIN(NAME, _work)(seconds); sink = sink + 1; }

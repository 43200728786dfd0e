// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// A shared object for guests.c, built once per NAME: same layout, different frame. It spends all its time in its callback.

#include "work.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

KEEP void JOIN(NAME, _guest)(void (*call_back)(double), double seconds) {
  volatile char frame[FRAME];
  frame[0] = 1;
  call_back(seconds);
  frame[FRAME - 1] = 2;
}
void guest_run(void (*call_back)(double), double seconds) { JOIN(NAME, _guest)(call_back, seconds); sink = sink + 1; }

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// bakery [SECONDS]: most of the time is spent in the line marked "hot" of stir(), which is inlined into knead(), which is inlined
// into mix_dough(). mix_batter() has it, too, for a tenth of the rounds. Both call rest(), which is not inlined.

#include "work.h"

#define INLINE static inline __attribute__((always_inline))

INLINE uint64_t stir(uint64_t a) {
  for (int i = 0; i < 5; ++i) {
    a = ((a ^ (a >> 29)) * 0xbf58476d1ce4e5b9ull) ^ 7; a = ((a ^ (a >> 27)) * 0x94d049bb133111ebull) ^ 9; a = ((a ^ (a >> 31)) * 0xbf58476d1ce4e5b9ull);  // hot
    __asm__ volatile("" : "+r"(a));
  }
  return a;
}

INLINE uint64_t knead(uint64_t a, long flour) {
  a += static_cast<uint64_t>(flour);
  a = stir(a);  // inlined
  return a ^ 0x55;
}

KEEP static void rest(long rounds) { burn(rounds); sink = sink + 1; }

KEEP static void mix_dough(long rounds) {
  uint64_t a = sink;
  for (long i = 0; i < rounds; ++i) {
    a = knead(a, i);  // outermost
  }
  sink = a;
  rest(20000);  // called
  sink = sink + 1;
}

KEEP static void mix_batter(long rounds) {
  uint64_t a = sink;
  for (long i = 0; i < rounds; ++i) { a = stir(a + 1); }
  sink = a;
  rest(1000);
  sink = sink + 1;
}

int main(int argc, char** argv) {
  double end = thread_seconds() + number(argc, argv, 1, 1);
  while (thread_seconds() < end) {
    change_pace();
    mix_dough(10 * pace);
    mix_batter(pace);
  }
  return 0;
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// relay LEVELS SECONDS: two families, Red and Blue, take turns and never call each other, as in turns.cc, but the levels
// alternate between two shared objects (-DUP, -DDOWN), so all calls go through PLT stubs or GOT pointers. Red ends in an
// exception, which runs a destructor at every level and takes most of the time:
//   main > take_turns > red_up > red_down > red_up > … > red_bottom   (same for blue; red_up only calls red_down, and vice versa)

#include <stdexcept>

#include "work.h"

extern "C" {
void red_up(long), red_down(long), blue_up(long), blue_down(long), red_bottom(), blue_bottom();
}

template <int>
struct Owned { KEEP ~Owned() { sink = sink + 1; } };

#define LEVEL(name, next, bottom, number, size)          \
  KEEP void name(long left) {                            \
    volatile char frame[size];                           \
    frame[0] = 1;                                        \
    Owned<number> owned;                                 \
    if (left > 1) { next(left - 1); } else { bottom(); } \
    frame[size - 1] = 2;                                 \
  }

#if defined UP
LEVEL(red_up, red_down, red_bottom, 1, 120)
LEVEL(blue_up, blue_down, blue_bottom, 2, 120)
#elif defined DOWN
LEVEL(red_down, red_up, red_bottom, 3, 200)
LEVEL(blue_down, blue_up, blue_bottom, 4, 200)
void red_bottom() { throw std::runtime_error("down"); }
void blue_bottom() { burn(20000); }
#else
KEEP void take_turns(long levels, double seconds) {
  double end = thread_seconds() + seconds;
  while (thread_seconds() < end) {
    for (int i = 0; i < 4; ++i) {
      try { red_up(levels); } catch (const std::exception&) { sink = sink + 1; }
      blue_up(levels);
    }
  }
}

int main(int argc, char** argv) {
  take_turns(static_cast<long>(number(argc, argv, 1, 40)), number(argc, argv, 2, 1));
  return 0;
}
#endif

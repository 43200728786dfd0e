// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// lambdas [SECONDS]: functions without a linkage name, all inlined into their enclosing function: three lambdas in two functions
// and a local class. Each of them calls burn().
//   main > shop::Till::ring > (lambda in ring): 40 %   shop::Till::ring > Bell::strike: 30 %   (lambdas in main): 20 % and 10 %

#include "work.h"

namespace shop {
struct Till {
  KEEP void ring(long n);
};
void Till::ring(long n) {
  auto coin = [n](long more) { burn(n * more); };
  struct Bell {
    static inline void strike(long rounds) { burn(rounds); sink = sink + 1; }
  };
  coin(4);
  sink = sink + 1;
  Bell::strike(3 * n);
  sink = sink + 1;
}
}  // namespace shop

int main(int argc, char** argv) {
  double end = thread_seconds() + number(argc, argv, 1, 1);
  while (thread_seconds() < end) {
    shop::Till().ring(100000);
    auto two = [&](long n) { burn(n); sink = sink + 1; };
    auto one = [&](long n) { burn(n); sink = sink + 2; };
    two(200000);
    one(100000);
  }
  return 0;
}

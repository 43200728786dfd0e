// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Computes each number once.

#include <cstdio>

static unsigned long fibonacci(unsigned n) {
  unsigned long a = 0, b = 1;
  for (; n > 0; --n) {
    unsigned long sum = a + b;
    a = b;
    b = sum;
  }
  return a;
}

int main() { std::printf("%lu\n", fibonacci(38)); }

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Computes the same numbers again and again.

#include <cstdio>

static unsigned long fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

int main() { std::printf("%lu\n", fibonacci(38)); }

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// bits32: a 32-bit program without a C library (-m32 -nostdlib -static), busy for some hundred milliseconds.

static volatile unsigned sink;

__attribute__((noinline)) static void busy(void) {
  for (unsigned i = 0; i < 400000000u; ++i) { sink = i; }
}

void _start(void) {
  busy();
  __asm__ volatile("int $0x80" : : "a"(1), "b"(0));  // exit(0)
}

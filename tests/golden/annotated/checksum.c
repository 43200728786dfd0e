// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
// A loop with a slow instruction, and an error path that gcc moves away from the loop (checksum.cold).

volatile unsigned long repairs;
unsigned char data[4096];

__attribute__((noinline, cold)) static unsigned long repair(unsigned long sum) {
  repairs++;
  return sum ^ repairs;
}

__attribute__((noinline)) static unsigned long checksum(const unsigned char* bytes, unsigned long size, unsigned long divisor) {
  unsigned long sum = 1;
  for (unsigned long i = 0; i < size; i++) {
    sum = sum * 31 + bytes[i];
    if (bytes[i] == 0xff) {
      sum = repair(sum) + i;
    }
    sum %= divisor;
  }
  return sum;
}

unsigned long start(unsigned long divisor) {
  return checksum(data, sizeof data, divisor) + 1;
}

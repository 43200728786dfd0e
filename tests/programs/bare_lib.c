// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// A library without unwind tables and without frame pointers; bare_calls.c calls it.

#define KEEP __attribute__((noinline))

KEEP long bare_inner(long rounds) {
  volatile long room[64];
  for (long i = 0; i < rounds; ++i) { room[i & 63] = i; }
  return room[5];
}
__attribute__((visibility("default"))) long bare_entry(long rounds) {
  volatile long pad[32];
  pad[1] = rounds;
  pad[2] = bare_inner(rounds);
  return pad[2] + pad[1];
}

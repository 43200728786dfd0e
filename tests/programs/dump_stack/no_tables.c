// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "dump_stack.h"

NOINLINE void without_table(void (*next)(void)) {
  next();
  sink++;
}

NOINLINE uint64_t leaf_without_table(uint64_t n) {
  TRAP_PLACE(leaf_without_table);
  return n * 3 + 1;
}

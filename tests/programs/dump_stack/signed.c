// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "dump_stack.h"

NOINLINE void with_signed_return(int n, void (*next)(void)) {
  if (n > 0) {
    with_signed_return(n - 1, next);
  } else {
    next();
  }
  sink++;
}

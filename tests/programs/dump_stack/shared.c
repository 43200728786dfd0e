// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "dump_stack.h"

static volatile int calls;

#define IN_SHARED_OBJECT(n)                        \
  void in_shared_object_##n(void (*next)(void)) {  \
    next();                                        \
    calls++;                                       \
  }
IN_SHARED_OBJECT(0)
IN_SHARED_OBJECT(1)
IN_SHARED_OBJECT(2)
IN_SHARED_OBJECT(3)
IN_SHARED_OBJECT(4)
IN_SHARED_OBJECT(5)

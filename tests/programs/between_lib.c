// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The library of between.c.

#include "work.h"

void lib_run(void (*generated)(void (*)(void)), void (*called)(void)) { generated(called); sink = sink + 1; }

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/random.h>

#include <cstdint>

#include "base/clock.h"

namespace wick {

// std::random_device would need arc4random() of glibc 2.36.
inline uint64_t random_seed() {
  uint64_t seed = 0;
  if (::getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed)) { seed = now_ns(); }
  return seed;
}

}  // namespace wick

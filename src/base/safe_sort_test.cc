// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "base/safe_sort.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace wick {
namespace {

TEST(SafeSort, Sorts) {
  std::vector<uint32_t> numbers(1000);
  uint32_t random = 1;
  for (uint32_t& n : numbers) { n = random = random * 1664525 + 1013904223; }
  std::vector<uint32_t> wanted = numbers;
  std::sort(wanted.begin(), wanted.end());
  safe_sort(numbers, std::less<>());
  EXPECT_EQ(numbers, wanted);
}

// With std::sort, ASan reports an overflow for some of these.
TEST(SafeSort, StaysInItsRangeIfComparisonsContradict) {
  uint32_t random = 1;
  for (int round = 0; round < 200; ++round) {
    std::vector<uint32_t> numbers(40);
    std::iota(numbers.begin(), numbers.end(), 0u);
    uint32_t limit = static_cast<uint32_t>(round) * 20000000u;
    safe_sort(numbers, [&](uint32_t, uint32_t) { return (random = random * 1664525 + 1013904223) > limit; });
    std::sort(numbers.begin(), numbers.end());
    for (uint32_t i = 0; i < 40; ++i) { ASSERT_EQ(numbers[i], i); }
  }
}

}  // namespace
}  // namespace wick

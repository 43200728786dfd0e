// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <gtest/gtest.h>
#include <tsl/robin_map.h>

namespace wick {
namespace {

// A thread above, the same frame below: as of a server with many threads.
TEST(NumberHash, SpreadsNumbersThatDifferInHighBits) {
  tsl::robin_map<uint64_t, int, NumberHash> map;
  constexpr uint64_t kKeys = 20'000;
  for (uint64_t i = 0; i < kKeys; ++i) { map[i << 32 | 7] = 1; }
  EXPECT_EQ(map.size(), kKeys);
  EXPECT_LE(map.bucket_count(), 4 * kKeys);
}

}  // namespace
}  // namespace wick

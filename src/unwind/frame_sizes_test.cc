// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "unwind/frame_sizes.h"

#include <gtest/gtest.h>

namespace wick {
namespace {

TEST(FrameSizes, OfAddressesThatShareAPlaceTheNewestStay) {
  std::vector<uint64_t> alike;
  for (uint64_t address = 0x401000; alike.size() <= FrameSizes::kTogether; ++address) {
    if (FrameSizes::index(address) == FrameSizes::index(0x401000)) { alike.push_back(address); }
  }
  FrameSizes sizes;
  EXPECT_EQ(sizes.find(alike[0]), 0u);
  for (size_t i = 0; i < FrameSizes::kTogether; ++i) { sizes.learn(alike[i], 16 * (i + 1)); }
  for (size_t i = 0; i < FrameSizes::kTogether; ++i) { EXPECT_EQ(sizes.find(alike[i]), 16 * (i + 1)) << i; }
  sizes.learn(alike[0], 48);  // seen anew, so it is not the oldest any more
  sizes.learn(alike.back(), 32);
  EXPECT_EQ(sizes.find(alike[0]), 48u);
  EXPECT_EQ(sizes.find(alike[1]), 0u);
  EXPECT_EQ(sizes.find(alike[2]), 48u);
  EXPECT_EQ(sizes.find(alike.back()), 32u);
}

}  // namespace
}  // namespace wick

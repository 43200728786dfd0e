// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/recording.h"

#include <gtest/gtest.h>

namespace wick {
namespace {

TEST(Recording, PartsOfAFunctionAreOneOfTheHottest) {
  std::vector<HotFunction> hot = compute_hottest({{{"f.part.0", "app"}, 30},
                                                  {{"f.constprop.0", "app"}, 40},
                                                  {{"f", "lib.so"}, 20},
                                                  {{"_Z1gv", "app"}, 50},
                                                  {{"a", "app"}, 3},
                                                  {{"b", "app"}, 2},
                                                  {{"c", "app"}, 1}});
  ASSERT_EQ(hot.size(), 5u);
  EXPECT_EQ(hot[0].name, "f");
  EXPECT_EQ(hot[0].weight, 70u);
  EXPECT_EQ(hot[1].name, "g()");
  EXPECT_EQ(hot[2].module, "lib.so");
}

}  // namespace
}  // namespace wick

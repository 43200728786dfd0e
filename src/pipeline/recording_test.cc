// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/recording.h"

#include <gtest/gtest.h>

namespace wick {
namespace {

TEST(Recording, MergesPartsOfAHotFunction) {
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

// Inlined standard library code counts toward the containing function, but never beyond the called one.
TEST(Recording, InlinedLibraryCodeBelongsToItsContainer) {
  auto own = [](std::vector<const char*> names) {
    std::vector<capture::SymbolFrame> chain;
    for (const char* name : names) { chain.push_back({.function = name, .file = {}}); }
    return find_own_function(chain).function;
  };
  EXPECT_EQ(own({"_mm_movemask_epi8", "_ZNSt6vectorIiSaIiEEixEm", "scan", "main"}), "scan");
  EXPECT_EQ(own({"helper", "_ZNSt6vectorIiSaIiEEixEm", "main"}), "helper");
  EXPECT_EQ(own({"_ZNSt6vectorIiSaIiEEixEm"}), "_ZNSt6vectorIiSaIiEEixEm");
  EXPECT_EQ(own({"_mm_movemask_epi8", "_ZSt4sortIPiEvT_S1_"}), "_ZSt4sortIPiEvT_S1_");
}

}  // namespace
}  // namespace wick

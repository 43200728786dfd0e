// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff_name.h"

#include <gtest/gtest.h>

namespace wick {
namespace {

TEST(DiffName, DropsHashes) {
  EXPECT_EQ(name_without_hash("app::run::h0123456789abcdef"), "app::run");
  EXPECT_EQ(name_without_hash("_ZN3app3run17h0123456789abcdefE"), "_ZN3app3runE");
  EXPECT_EQ(name_without_hash("run.llvm.1234567"), "run");
  EXPECT_EQ(name_without_hash("run.isra.0.constprop.12"), "run");
  EXPECT_EQ(name_without_hash("run(int) [clone .isra.0] [clone .part.1]"), "run(int)");
}

TEST(DiffName, KeepsOtherNames) {
  for (const char* name : {"main", "", "::h0123456789abcdef", "h0123456789abcdef", "a::h0123456789abcdeg", "a::h0123", "v.1.2",
                           ".part.0", "main.func1", "operator[]", "_ZN3app3runEv", " [clone .x]"}) {
    EXPECT_EQ(name_without_hash(name), name);
  }
}

TEST(DiffName, DropsAddressesOfPlaceholders) {
  EXPECT_EQ(name_without_address("[app+0x4710]"), "[app]");
  EXPECT_EQ(name_without_address("[a+0x1+0x2]"), "[a+0x1]");
  EXPECT_EQ(name_without_address("0x7f0012"), "[unknown]");
  for (const char* name : {"[app]", "[app+0x]", "[app+0xzz]", "f+0x12", "0x", "[unknown]", ""}) {
    EXPECT_EQ(name_without_address(name), name);
  }
}

TEST(DiffName, HexNumbers) {
  EXPECT_EQ(strip_hex("call 0x12aB then 0xff."), "call 0x... then 0x....");
  EXPECT_EQ(strip_hex("0x"), "0x");
  EXPECT_EQ(strip_hex("main"), "main");
  EXPECT_EQ(strip_hex("0x1"), "0x...");
  EXPECT_EQ(strip_hex("0x0x1"), "0x...x1");  // the first zero is a digit
}

}  // namespace
}  // namespace wick

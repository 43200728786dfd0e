// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "symbolize/code_names.h"

#include <gtest/gtest.h>

namespace wick {
namespace {

std::vector<std::string> functions(const CodeNames& names) {
  std::vector<std::string> out;
  for (const CodeNames::Name& name : names.names()) { out.emplace_back(name.function); }
  return out;
}

TEST(CodeNames, ReturnsNamesInRequestedOrder) {
  CodeNames names({{0x2000, 9}, {0x1000, 9}, {0x1fff, 9}, {0x3000, 9}});
  names.add({0x1000, 0x1000, 0, "low", {}, {}});
  names.add({0x2000, 0x10, 0, "high", {}, {}});
  EXPECT_EQ(functions(names), (std::vector<std::string>{"high", "low", "low", ""}));
}

TEST(CodeNames, IgnoresUnwantedCode) {
  CodeNames names({{0x1000, 9}});
  names.add({0x1001, 0x1000, 0, "behind", {}, {}});
  names.add({0xfff, 1, 0, "before", {}, {}});
  names.add({0x1000, 0, 0, "empty", {}, {}});
  EXPECT_EQ(names.size(), 0u);
  EXPECT_TRUE(names.wants(0xfff, 2));
  EXPECT_FALSE(names.wants(0xfff, 1));
  EXPECT_FALSE(names.wants(0x1001, UINT64_MAX)) << "a wrapping range does not extend below its start";
}

TEST(CodeNames, LaterFunctionOfSameTimeReplacesOverlap) {
  CodeNames names({{0x1000, 9}, {0x1010, 9}, {0x1020, 9}});
  names.add({0x1000, 0x30, 0, "old", {}, {}});
  names.add({0x1010, 0x8, 0, "new", {}, {}});
  EXPECT_EQ(functions(names), (std::vector<std::string>{"old", "new", "old"}));
}

TEST(CodeNames, ChoosesByTimeLastSeen) {
  CodeNames names({{0x1000, 50}, {0x1000, 150}, {0x1000, 250}, {0x1000, 100}});
  names.add({0x1000, 0x10, 200, "second", {}, {}});
  names.add({0x1000, 0x10, 100, "first", {}, {}});
  // Seen before all of them: the first, since code may run before it is logged.
  EXPECT_EQ(functions(names), (std::vector<std::string>{"first", "first", "second", "first"}));
}

TEST(CodeNames, LineAppliesFromItsOffset) {
  CodeNames names({{0x1000, 1}, {0x1004, 1}, {0x1007, 1}, {0x1008, 1}});
  names.add({0x1000, 0x10, 0, "f", {{4, 7, 2, 0}, {8, 9, 0, 1}}, {"a.js", "b.js"}});
  std::vector<CodeNames::Name> found = names.names();
  EXPECT_EQ(found[0].function, "f");
  EXPECT_EQ(found[0].line, 0u);
  EXPECT_EQ(found[1].line, 7u);
  EXPECT_EQ(found[1].column, 2u);
  EXPECT_EQ(found[2].file, "a.js");
  EXPECT_EQ(found[3].line, 9u);
  EXPECT_EQ(found[3].file, "b.js");
}

TEST(CodeNames, HandlesEndBeyondAddressSpace) {
  CodeNames names({{UINT64_MAX, 1}, {UINT64_MAX - 5, 1}});
  names.add({UINT64_MAX - 5, UINT64_MAX, 0, "last", {}, {}});
  EXPECT_EQ(functions(names), (std::vector<std::string>{"last", "last"}));
}

// A program that compiles the same function again and again must not exhaust memory.
TEST(CodeNames, DropsReplacedFunctions) {
  CodeNames names({{0x1000, 1}, {0x2000, 1}});
  names.add({0x2000, 1, 0, "other", {}, {}});
  for (int i = 0; i < 100'000; ++i) { names.add({0x1000, 0x10, 0, std::string(1000, 'x') + std::to_string(i), {}, {}}); }
  EXPECT_LT(names.size(), 50'000u);
  EXPECT_EQ(functions(names), (std::vector<std::string>{std::string(1000, 'x') + "99999", "other"}));
}

TEST(CodeNames, TruncatesEndlessNames) {
  CodeNames names({{0x1000, 1}});
  names.add({0x1000, 1, 0, std::string(100'000, 'x'), {}, {}});
  EXPECT_EQ(names.names()[0].function.size(), CodeNames::kMaxNameBytes);
}

}  // namespace
}  // namespace wick

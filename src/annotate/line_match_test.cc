// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "annotate/line_match.h"

#include <gtest/gtest.h>

#include <random>

namespace wick {
namespace {

using Lines = std::vector<std::string>;

// One letter per line: the lines of `before` that match, as the letters of `after`; "-" for those that are gone.
std::string matched(const std::string& before, const std::string& after) {
  Lines b, a;
  for (char c : before) { b.emplace_back(1, c); }
  for (char c : after) { a.emplace_back(1, c); }
  std::string out;
  uint32_t next = 0;
  for (uint32_t i : match_lines(b, a)) {
    EXPECT_TRUE(i == kNoLine || i >= next) << "lines are out of order";
    if (i != kNoLine) { next = i + 1; }
    out += i == kNoLine ? '-' : after.at(i);
  }
  EXPECT_EQ(out.size(), before.size());
  return out;
}

TEST(LineMatch, FindsMovedLines) {
  EXPECT_EQ(matched("", ""), "");
  EXPECT_EQ(matched("abc", ""), "---");
  EXPECT_EQ(matched("", "abc"), "");
  EXPECT_EQ(matched("abc", "abc"), "abc");
  EXPECT_EQ(matched("abc", "xabc"), "abc");
  EXPECT_EQ(matched("abc", "abcx"), "abc");
  EXPECT_EQ(matched("abc", "axbxc"), "abc");
  EXPECT_EQ(matched("abc", "ac"), "a-c");
  EXPECT_EQ(matched("abc", "axc"), "a-c");
}

TEST(LineMatch, RepeatedLinesKeepTheirNeighbors) {
  std::vector<uint32_t> found = match_lines({"{", "one", "}", "{", "two", "}", "end"}, {"{", "two", "}", "end"});
  EXPECT_EQ(std::vector<uint32_t>(found.begin() + 4, found.end()), (std::vector<uint32_t>{1, 2, 3}));
  EXPECT_EQ(found[2], kNoLine) << "the first brace is not the one behind \"two\"";
  EXPECT_EQ(match_lines({"x", "x", "x"}, {"x", "y", "x", "x"}), (std::vector<uint32_t>{0, 2, 3}));
}

TEST(LineMatch, IgnoresIndentation) {
  EXPECT_EQ(match_lines({"f();", "  g();"}, {"if (x) {", "\tf();", "\tg();", "}"}), (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(match_lines({"a b"}, {"ab"}), (std::vector<uint32_t>{kNoLine}));
}

TEST(LineMatch, SwappedPartsMatchOnce) {
  Lines before = {"a", "b", "c", "d"}, after = {"c", "d", "a", "b"};
  std::vector<uint32_t> found = match_lines(before, after);
  EXPECT_EQ(std::count(found.begin(), found.end(), kNoLine), 2);
}

// Whatever was inserted and removed: matched lines have equal text, and lines that were never touched are found.
TEST(LineMatch, RandomEdits) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    Lines before, after;
    std::vector<uint32_t> kept;
    for (uint32_t i = 0; i < 300; ++i) {
      std::string line = random() % 3 == 0 ? "}" : "line " + std::to_string(i);
      before.push_back(line);
      if (random() % 20 == 0) { after.push_back("new " + std::to_string(i)); }
      bool is_removed = random() % 20 == 0;
      kept.push_back(is_removed ? kNoLine : static_cast<uint32_t>(after.size()));
      if (!is_removed) { after.push_back(line); }
    }
    std::vector<uint32_t> found = match_lines(before, after);
    for (uint32_t i = 0; i < before.size(); ++i) {
      if (found[i] != kNoLine) { ASSERT_EQ(before[i], after[found[i]]); }
      if (before[i] != "}") { ASSERT_EQ(found[i], kept[i]) << "round " << round << ", line " << i; }
    }
  }
}

TEST(LineMatch, HugeFilesWithoutUniqueLinesEnd) {
  Lines before(30'000, "x"), after(30'000, "x");
  for (uint32_t i = 0; i < 30'000; i += 2) { after[i] = "y"; }
  before.front() = "z";
  before.back() = "z";
  EXPECT_EQ(match_lines(before, after).size(), before.size());
}

}  // namespace
}  // namespace wick

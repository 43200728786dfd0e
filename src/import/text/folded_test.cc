// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/text/folded.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "base/text.h"
#include "import/common/testing.h"
#include "import/import.h"

namespace wick {
namespace {

using testing_import::PiecesOf;
using testing_import::stacks_of;
using Stacks = std::map<std::string, int64_t>;

Result<Profile> read_text(std::string_view text, bool merge = false) {
  Input input(make_memory_pieces(as_bytes(text)));
  return read_folded(input, {.merge = merge});
}
Profile good(std::string_view text, bool merge = false) {
  Result<Profile> p = read_text(text, merge);
  EXPECT_TRUE(p.ok()) << p.error().message();
  return *std::move(p);
}

// Whole lines are read by the same rules.
TEST(ReadFolded, LinesAsTheyAre) {
  constexpr std::string_view kText =
      "# a comment\nmain;a b;c 3\n  main;frame 12 1.5\r\n\nnothing\nmain;a b;c 4\nmain -1\nmain 0\n";
  WholeInput whole;
  whole.bytes = as_bytes(kText);
  Result<std::optional<FoldedText>> text = read_folded_text(std::move(whole));
  ASSERT_TRUE(text.ok() && text->has_value());
  Profile p = good(kText);
  Stacks stacks;
  for (const CountedStack& row : (*text)->rows) { stacks[std::string(row.stack)] += row.weight; }
  EXPECT_EQ(stacks, (Stacks{{"main;a b;c", 7'000'000}, {"main;frame 12", 1'500'000}}));
  EXPECT_EQ(stacks, stacks_of(p));
  EXPECT_EQ((*text)->divisor, p.events()[0].divisor);
  EXPECT_EQ((*text)->warnings, p.warnings());
  EXPECT_EQ(p.warnings().size(), 2u);
  whole = {};
  whole.bytes = as_bytes("a;b 1 2\na;c 3 4\n");
  EXPECT_FALSE(read_folded_text(std::move(whole))->has_value());
}

TEST(ReadFolded, EqualLinesInARowAreOneRow) {
  std::string lines;
  for (int i = 0; i < 1000; ++i) { lines += "a;b 0.7\n"; }
  lines += "a;b 9223372036854\na;c 1\na;c 2\na;b 1\n";
  WholeInput whole;
  whole.bytes = as_bytes(lines);
  Result<std::optional<FoldedText>> text = read_folded_text(std::move(whole));
  ASSERT_TRUE(text.ok() && text->has_value());
  ASSERT_LE((*text)->rows.size(), 3u);
  EXPECT_EQ((*text)->warnings.size(), 1u) << "the sum does not fit: callers then read frames";
  lines = lines.substr(0, 8000) + "a;c 1\na;c 2\na;b 1\n";
  whole = {};
  whole.bytes = as_bytes(lines);
  text = read_folded_text(std::move(whole));
  ASSERT_TRUE(text.ok() && text->has_value());
  Stacks stacks;
  for (const CountedStack& row : (*text)->rows) { stacks[std::string(row.stack)] += row.weight; }
  EXPECT_EQ((*text)->rows.size(), 3u);
  EXPECT_EQ(stacks, (Stacks{{"a;b", 701'000'000}, {"a;c", 3'000'000}}));
  EXPECT_EQ(stacks, stacks_of(good(lines)));
}

TEST(ReadFolded, CountsAreSamples) {
  Profile p = good("# a comment\nmain;a b;c 3\nmain;a b 1\r\n\nmain;a b;c 4\nmain 9\n");
  EXPECT_EQ(p.imported_from(), "folded stacks");
  EXPECT_FALSE(p.has_times());
  EXPECT_TRUE(p.warnings().empty());
  EXPECT_EQ(p.events()[0].divisor, 1u);
  EXPECT_EQ(stacks_of(p), (Stacks{{"main;a b;c", 7}, {"main;a b", 1}, {"main", 9}}));
  for (const Sample& s : p.samples()) { EXPECT_EQ(s.count, static_cast<uint64_t>(s.weight)); }
  EXPECT_EQ(p.samples().size(), 4u);
  EXPECT_EQ(good("main;a 3\nmain;a 4\n", true).samples().size(), 1u);
}

TEST(ReadFolded, Decimals) {
  Profile p = good("a 0.5\nb 12.25\nc 3\nd .000001\ne 7.0\n");
  EXPECT_EQ(p.events()[0].divisor, 1'000'000u);
  EXPECT_EQ(stacks_of(p), (Stacks{{"a", 500'000}, {"b", 12'250'000}, {"c", 3'000'000}, {"d", 1}, {"e", 7'000'000}}));
  EXPECT_EQ(good("a 12.0\nb 3.\n").events()[0].divisor, 1u);
}

TEST(ReadFolded, Difference) {
  Profile p = good("main;a 1 2\nmain;b 0 5\nmain;c 7 0\n");
  EXPECT_TRUE(p.is_difference());
  ASSERT_EQ(p.events().size(), 2u);
  EXPECT_EQ(p.text(p.events()[0].name), "before");
  EXPECT_EQ(p.text(p.events()[1].name), "after");
  std::map<std::string, std::pair<int64_t, int64_t>> got;
  for (const Sample& s : p.samples()) {
    auto& row = got[std::string(p.text(p[p[p[s.stack].frame].function].name))];
    (s.event.value == 0 ? row.first : row.second) += s.weight;
  }
  EXPECT_EQ(got, (std::map<std::string, std::pair<int64_t, int64_t>>{{"a", {1, 2}}, {"b", {0, 5}}, {"c", {7, 0}}}));
}

TEST(ReadFolded, NamesThatEndInANumberAreNoCounts) {
  Profile p = good("main;frame 12 5\nmain;frame 13 6\nmain;other 7\n");
  EXPECT_FALSE(p.is_difference());
  EXPECT_EQ(stacks_of(p), (Stacks{{"main;frame 12", 5}, {"main;frame 13", 6}, {"main;other", 7}}));
  // However late it is told, and also where not all is there at once.
  std::string text;
  for (int i = 0; i < 20000; ++i) { text += "main;frame 12 5\n"; }
  text += "main;other 7\n";
  Input input(std::make_unique<PiecesOf>(as_bytes(text), 1000));
  Result<Profile> late = read_folded(input, {});
  ASSERT_TRUE(late.ok());
  EXPECT_EQ(stacks_of(*late), (Stacks{{"main;frame 12", 100000}, {"main;other", 7}}));
}

TEST(ReadFolded, WarnsAboutSkippedLines) {
  Profile p = good("a 1\nb -5\nno count\nc 99999999999999999999\nd 9223372036854775808\ne 9223372036854775807\n");
  EXPECT_EQ(stacks_of(p), (Stacks{{"a", 1}, {"e", INT64_MAX}}));
  EXPECT_EQ(p.warnings(), (std::vector<std::string>{"skipped 1 line that is not a folded stack (first: line 3)",
                                                    "skipped 3 lines whose counts are negative or too large (first: line 2)"}));
  p = good("a 0.5\nb 9223372036854775807\n");
  EXPECT_EQ(stacks_of(p), (Stacks{{"a", 500'000}}));
  EXPECT_EQ(p.warnings().size(), 1u);
  Result<Profile> nothing = read_text("hello\nworld\n");
  ASSERT_FALSE(nothing.ok());
  EXPECT_EQ(nothing.error().message(), "line 1 is not a folded stack (expected \"root;caller;leaf COUNT\")");
}

TEST(ReadFolded, LinesOfOneStackAreOneRowUnlessTheirOrderMatters) {
  for (bool merge : {false, true}) {
    Profile p = good("a;b 1\nc 2\na;b 3\na;b 0.5\na;b 9223372036854775807\n", merge);
    EXPECT_EQ(p.samples().size(), merge ? 2u : 4u);  // the last does not fit in millionths
    EXPECT_EQ(stacks_of(p), (Stacks{{"a;b", 4'500'000}, {"c", 2'000'000}}));
  }
  EXPECT_EQ(good("a 9223372036854775807\na 1\n", true).samples().size(), 2u);
}

// Its count is not among the bytes that tell the format.
TEST(ReadFolded, AFirstLineOfManyFrames) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) { text += "frame;"; }
  EXPECT_TRUE(is_folded({std::string_view(text).substr(0, kHeadBytes), false}));
  EXPECT_FALSE(is_folded({std::string_view(text).substr(0, kHeadBytes), true}));
  std::string code = "function f(a){return a;};" + text;
  EXPECT_FALSE(is_folded({std::string_view(code).substr(0, kHeadBytes), false}));
}

TEST(ReadFolded, BytesThatAreNoText) {
  Profile p = good(std::string_view("a\xff\xfe;b\0c 2\n", 10));
  EXPECT_EQ(stacks_of(p), (Stacks{{std::string("a\xff\xfe;b\0c", 7), 2}}));
}

TEST(ReadFolded, OneLineOfAHundredMegabytes) {
  std::string text = "main;a 1\n";
  text.append(size_t{100} << 20, 'x');
  text += " 5\nmain;b 2\n";
  Input input(std::make_unique<PiecesOf>(as_bytes(text), 1 << 20));
  Result<Profile> p = read_folded(input, {});
  ASSERT_TRUE(p.ok());
  EXPECT_EQ(stacks_of(*p), (Stacks{{"main;a", 1}, {"main;b", 2}}));
  EXPECT_EQ(p->warnings().size(), 1u);
}

// Against a plain reading of the same text: what lines have in common with the line before must not matter.
TEST(ReadFolded, AnyOrderOfLines) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    std::string text;
    Stacks want;
    for (int i = 0; i < 30; ++i) {
      std::string stack;
      for (uint32_t depth = 1 + random() % 5; depth > 0; --depth) {
        const char* names[] = {"a", "ab", "abc", "a b", "", "abcdefghijkl"};
        stack += (stack.empty() ? "x" : ";") + std::string(names[random() % 6]);
      }
      if (stack.ends_with(' ') || stack.ends_with(';')) { stack += "e"; }
      int64_t count = 1 + random() % 5;
      text += stack + " " + std::to_string(count) + "\n";
      want[stack] += count;
    }
    EXPECT_EQ(stacks_of(good(text, round % 2 == 0)), want) << text;
  }
}

TEST(ReadFolded, CutAnywhereAndFlipped) {
  constexpr std::string_view kText = "# x\nmain;a b;c 3\nmain;a 1.5\nmain;f 12 5\n\nmain;\xc3\xa9 7\n";
  for (size_t n = 0; n <= kText.size(); ++n) {
    std::string exact(kText.substr(0, n));
    (void)read_text(exact);
    (void)is_folded(head_of(as_bytes(exact)));
  }
  std::mt19937 random(5);
  for (int i = 0; i < 3000; ++i) {
    std::string text(kText);
    for (uint32_t flips = 1 + random() % 4; flips > 0; --flips) { text[random() % text.size()] = static_cast<char>(random()); }
    (void)read_text(text, i % 2 == 0);
  }
}

}  // namespace
}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/text/folded_wide.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/text.h"
#include "import/common/testing.h"
#include "import/text/folded.h"
#include "model/profile_builder.h"

namespace wick {
namespace {

// Copied, so that sanitizers see a step beyond the end.
std::optional<Profile> read(const std::string& text, double least_share = 0) {
  std::vector<uint8_t> exact(text.begin(), text.end());
  ImportOptions options;
  options.merge = true;
  options.least_share = least_share;
  return read_wide_folded(Bytes(exact.data(), exact.size()), options);
}

using testing_import::stacks_of;
using Stacks = std::map<std::string, int64_t>;

TEST(WideFolded, KeepsWideStacksWholeAndCutsNarrowOnes) {
  std::string text = "# comment\nmain;a;b 60\nmain;c;d;e 3\n\nmain;c;d;f 2\nmain 30\n  main;a;b 5 \n";
  std::optional<Profile> p = read(text, 0.1);
  ASSERT_TRUE(p.has_value());
  EXPECT_EQ(stacks_of(*p), (Stacks{{"main", 30}, {"main;a;b", 65}, {"main;c;e", 3}, {"main;c;f", 2}}));
  EXPECT_EQ(stacks_of(*read(text)), (Stacks{{"main", 30}, {"main;a;b", 65}, {"main;c;d;e", 3}, {"main;c;d;f", 2}}));
}

TEST(WideFolded, LeavesWhatIsUnusualToTheOtherReader) {
  for (const char* text : {"", "\n# x\n", "main;a 3.5\n", "main;a 3 4\n", "main;a\n", "main;a x\n", "3\n", "main;a 1\nnonsense\n",
                           "a -3\n", "a 9999999999999999999\n", "a 4000000000000000000\nb 4000000000000000000\n"}) {
    EXPECT_FALSE(read(text).has_value()) << text;
  }
  EXPECT_TRUE(read("frame 12 5\n").has_value() == false);  // may be a difference
  EXPECT_TRUE(read("a 1\nframe 12 5\n").has_value());
}

// Any order, names that sort between a frame and its callees, empty names.
TEST(WideFolded, SaysWhatTheOtherReaderSays) {
  std::mt19937 random(3);
  const char* names[] = {"a", "a b", "a!", "ab", "b", "", "main", "zz~"};
  for (int round = 0; round < 50; ++round) {
    std::string text;
    for (int i = 0; i < 60; ++i) {
      text += "x";
      for (unsigned depth = random() % 6; depth > 0; --depth) { text += std::string(";") + names[random() % 8]; }
      text += strf(" %u\n", 1 + static_cast<unsigned>(random() % 20));
    }
    Input input(make_memory_pieces(Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size())));
    Result<Profile> want = read_folded(input, {.merge = true});
    ASSERT_TRUE(want.ok());
    Stacks whole = stacks_of(*want);
    int64_t divisor = static_cast<int64_t>(want->events()[0].divisor);
    for (auto& [stack, weight] : whole) { weight /= divisor; }
    std::optional<Profile> got = read(text);
    ASSERT_TRUE(got.has_value());
    ASSERT_EQ(stacks_of(*got), whole) << text;
    int64_t sum = 0, cut_sum = 0;
    for (const auto& [stack, weight] : whole) { sum += weight; }
    for (const auto& [stack, weight] : stacks_of(*read(text, 0.2))) { cut_sum += weight; }
    ASSERT_EQ(cut_sum, sum);
  }
}

TEST(WideFolded, TruncatedAndFlippedTextsDoNoHarm) {
  std::string text = "main;a;b 60\nmain;c;d;e 3\n# c\n\nmain;c;d;f 2\nmain 30\n";
  for (size_t n = 0; n < text.size(); ++n) { read(text.substr(0, n), 0.1); }
  std::mt19937 random(5);
  for (int i = 0; i < 3000; ++i) {
    std::string bad = text;
    for (int k = 0; k < 3; ++k) { bad[random() % bad.size()] ^= static_cast<char>(1u << random() % 8); }
    if (std::optional<Profile> p = read(bad, 0.1)) { check_profile(*p); }
  }
}

}  // namespace
}  // namespace wick

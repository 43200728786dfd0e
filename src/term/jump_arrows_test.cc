// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "term/jump_arrows.h"

#include <gtest/gtest.h>

namespace wick {
namespace {

std::string text(size_t rows, const std::vector<std::pair<size_t, size_t>>& jumps, size_t lanes = 4, bool unicode = true) {
  std::string out;
  for (const std::string& row : draw_jumps(rows, jumps, lanes, unicode)) { out += row + "\n"; }
  return out;
}

TEST(JumpArrows, ALoop) {
  EXPECT_EQ(text(4, {{2, 1}}), "  \n╭▸\n╰─\n  \n");
  EXPECT_EQ(text(4, {{2, 1}}, 4, false), "  \n+>\n+-\n  \n");
}

TEST(JumpArrows, LongerJumpsAreFurtherOut) {
  EXPECT_EQ(text(4, {{3, 0}, {1, 2}}),
            "╭─▸\n"
            "│╭─\n"
            "│╰▸\n"
            "╰──\n");
}

TEST(JumpArrows, JumpsToTheSamePlaceShareAnArrow) {
  EXPECT_EQ(text(3, {{0, 2}, {1, 2}}),
            "╭─\n"
            "├─\n"
            "╰▸\n");
}

TEST(JumpArrows, WithoutRoomThereIsNoArrow) {
  EXPECT_EQ(text(4, {{3, 0}, {1, 2}}, 1), "  \n╭─\n╰▸\n  \n") << "the shorter one";
  EXPECT_EQ(text(2, {}), "\n\n");
  EXPECT_EQ(text(1, {{0, 0}}), "\n") << "to itself";
}

// Comparing each arrow with each other one would take minutes.
TEST(JumpArrows, ManyJumps) {
  constexpr size_t kLoops = 100'000;
  std::vector<std::pair<size_t, size_t>> jumps;
  for (size_t i = 0; i < kLoops; ++i) { jumps.push_back({3 * i + 2, 3 * i}); }
  std::vector<std::string> drawn = draw_jumps(3 * kLoops, jumps, 6, true);
  for (size_t i : {size_t{0}, kLoops - 1}) {
    EXPECT_EQ(drawn.at(3 * i) + "\n" + drawn.at(3 * i + 1) + "\n" + drawn.at(3 * i + 2), "╭▸\n│ \n╰─");
  }
}

}  // namespace
}  // namespace wick

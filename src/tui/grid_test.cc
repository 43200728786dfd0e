// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "tui/grid.h"

#include <gtest/gtest.h>

#include "tui/screen.h"

namespace wick::tui {
namespace {

TEST(Grid, CutsTextAtItsEdges) {
  Grid grid(5, 2, true);
  EXPECT_EQ(grid.put(2, 0, "abcdef"), 5);
  EXPECT_EQ(grid.put(0, 1, "abcdef", {}, 3), 3);
  grid.put(0, 2, "below");
  grid.put(-2, 1, "xyz");
  EXPECT_EQ(grid.text(), "  abc\nzbc\n");
}

TEST(Grid, WideCharactersNeverStandHalf) {
  Grid grid(5, 1, true);
  grid.put(0, 0, "漢字漢");
  EXPECT_EQ(grid.text(), "漢字\n");
  EXPECT_EQ(grid.at(1, 0).text, 0u);
  EXPECT_EQ(grid.at(4, 0).text, U' ');
}

TEST(Grid, NoControlCharacterGetsThrough) {
  Grid grid(40, 1, true);
  grid.put(0, 0,
           std::string_view("a\x1b]0;t\x07\r\n\x00\x7f\xc2\x9b"
                            "31mb\xff\xe2\x80\xae",
                            22));
  for (int x = 0; x < grid.width(); ++x) {
    char32_t c = grid.at(x, 0).text;
    EXPECT_FALSE(c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x202e) << x;
  }
  EXPECT_EQ(grid.text().substr(0, 7), "a?]0;t?");
}

TEST(Grid, WithoutUnicodeAllIsAscii) {
  Grid grid(8, 1, false);
  grid.put(0, 0, "é漢…x");
  EXPECT_EQ(grid.text(), "????x\n");
}

TEST(Grid, UnderstandsThePaintOfReports) {
  Style style{.terminal = true, .color = true, .unicode = true, .width = 0};
  Grid grid(10, 1, true);
  grid.put_painted(0, 0, paint(style, Paint::kHot, "42%") + " " + paint(style, Paint::kDim, "x"));
  EXPECT_EQ(grid.text(), "42% x\n");
  EXPECT_EQ(grid.at(0, 0).look.paint, Paint::kHot);
  EXPECT_EQ(grid.at(3, 0).look.paint, Paint::kPlain);
  EXPECT_EQ(grid.at(4, 0).look.paint, Paint::kDim);
}

TEST(Grid, MayBeEmpty) {
  Grid grid(0, 0, true);
  grid.put(0, 0, "x");
  grid.fill(0, 0, 3, {});
  grid.add_look(0, 0, 3, {});
  EXPECT_EQ(grid.text(), "");
}

TEST(Screen, FindsTheNearestOf256Colors) {
  EXPECT_EQ(nearest_color({255, 0, 0}), 196);
  EXPECT_EQ(nearest_color({0, 0, 0}), 16);
  EXPECT_EQ(nearest_color({255, 255, 255}), 231);
  EXPECT_EQ(nearest_color({128, 128, 128}), 244);
  EXPECT_EQ(nearest_color({250, 212, 90}), 221);
}

}  // namespace
}  // namespace wick::tui

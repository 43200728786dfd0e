// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/picture.h"

#include <gtest/gtest.h>

#include "view/picture_files.h"
#include "view/picture_words.h"
#include "view/view_testing.h"

namespace wick {
namespace {

using testing_view::Folder;
using testing_view::request_of;

TEST(Picture, OnlyStacksFromTheBaseOn) {
  Folder folder;
  std::string file = folder.file("a.folded", "main;run;hot 6\nmain;left_out 4\n");
  Result<View> view = load_picture(request_of({file}), {.bases = {"run"}});
  ASSERT_TRUE(view.ok()) << view.error().message();
  EXPECT_EQ(view->selection.weight, 6);
  std::string svg = draw_picture(*view, {});
  EXPECT_NE(svg.find("hot"), std::string::npos);
  EXPECT_EQ(svg.find("left_out"), std::string::npos);
}

TEST(Picture, ReportsATotalThatIsTooSmall) {
  Folder folder;
  Result<View> view = load_picture(request_of({folder.file("a.folded", "main;hot 10\n")}), {});
  ASSERT_TRUE(view.ok());
  EXPECT_EQ(describe_small_total(*view, {.total = 2}), "2, less than the actual total of 10");
  EXPECT_EQ(describe_small_total(*view, {.total = 10}), "");
  EXPECT_EQ(describe_small_total(*view, {}), "");
}

TEST(PictureWords, BecomeOptionsOrErrors) {
  FlamegraphOptions o;
  EXPECT_EQ(set_colors("java", o), "");
  EXPECT_EQ(o.painting, Painting::kPalette);
  EXPECT_EQ(o.palette, NamedPalette::kJava);
  EXPECT_EQ(set_colors("blue-orange", o), "");
  EXPECT_EQ(o.hues, DifferenceHues::kBlueOrange);
  EXPECT_EQ(set_colors("jvaa", o), "unknown palette \"jvaa\"; did you mean java?");
  EXPECT_EQ(set_least("2%", o), "");
  EXPECT_EQ(o.least_percent, 2);
  EXPECT_EQ(o.least_px, 0);
  EXPECT_NE(set_least("wide", o), "");
  EXPECT_EQ(set_font("Verdana", o), "");
  EXPECT_EQ(o.font, "\"Verdana\",sans-serif");
  EXPECT_NE(set_font("a;b", o), "");
  EXPECT_EQ(set_color("rgb(1,2,3)", o.search_color), "");
  EXPECT_NE(set_color("url(x)", o.search_color), "");
  EXPECT_EQ(o.search_color, "rgb(1,2,3)");
  EXPECT_EQ(set_background("blue", o), "");
  EXPECT_TRUE(o.background.has_value());
  EXPECT_NE(set_encoding("UTF-16", o), "") << "not what ASCII can be written in";
}

TEST(PictureFiles, PaletteAndAttributes) {
  PaletteMap palette = parse_palette_map("hot->rgb(205,0,0)\nno color\nbad->url(x)\n");
  EXPECT_EQ(palette, (PaletteMap{{"hot", "rgb(205,0,0)"}}));
  EXPECT_EQ(write_palette_map(palette), "hot->rgb(205,0,0)\n");
  std::string ignored;
  Result<NameAttributes> attributes = parse_name_attributes("hot\thref=\"/hot\"\tonclick=x\n", ignored);
  ASSERT_TRUE(attributes.ok());
  EXPECT_EQ((*attributes)["hot"]["href"], "/hot");
  EXPECT_EQ(ignored, "line 1: onclick");
  EXPECT_FALSE(parse_name_attributes("hot\thref=javascript:alert(1)\n", ignored).ok());
}

}  // namespace
}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "term/fit.h"

#include <gtest/gtest.h>

#include "base/utf8.h"
#include "term/table.h"

namespace wick {
namespace {

const Style kUnicode{.terminal = true, .color = false, .unicode = true, .width = 80};
const Style kAscii{.terminal = true, .color = false, .unicode = false, .width = 80};

TEST(Fit, OmitsMiddle) {
  EXPECT_EQ(fit_middle(kUnicode, "abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(fit_middle(kUnicode, "abcdefghijk", 10), "abc…fghijk");
  EXPECT_EQ(fit_middle(kAscii, "abcdefghijk", 10), "ab...ghijk");
  EXPECT_EQ(fit_middle(kUnicode, "abc", 1), "…");
  EXPECT_EQ(fit_middle(kAscii, "abcd", 2), "..");
  EXPECT_EQ(fit_middle(kUnicode, "abc", 0), "…");
}

TEST(Fit, OmitsEnd) {
  EXPECT_EQ(fit_start(kUnicode, "abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(fit_start(kUnicode, "abcdefghijk", 10), "abcdefghi…");
  EXPECT_EQ(fit_start(kAscii, "abcdefghijk", 10), "abcdefg...");
  EXPECT_EQ(fit_start(kAscii, "abcd", 2), "..");
  EXPECT_EQ(fit_start(kUnicode, "函数函数", 4), "函…");
  EXPECT_EQ(fit_start(kUnicode, "a\x1b[2mbcd\x1b[0mef", 6), "a\x1b[2mbcd\x1b[0mef");
  EXPECT_EQ(fit_start(kUnicode, "a\x1b[2mbcd\x1b[0mef", 3), "a\x1b[2mb…\x1b[0m");
  EXPECT_EQ(fit_start(kUnicode, "a\x1b[2mbcd\x1b[0mef", 5), "a\x1b[2mbcd\x1b[0m…");
}

TEST(Fit, NeverExceedsWidth) {
  for (const char* text : {"函数函数函数函数函数", "größeäöü and more of it", "\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8\xf7\xf6\xf5\xf4",
                           "🔥🔥🔥🔥🔥🔥🔥"}) {
    for (int width = 1; width < 12; ++width) {
      EXPECT_LE(display_width(fit_middle(kUnicode, text, width)), width) << text << " " << width;
      EXPECT_LE(display_width(fit_name(kUnicode, text, width)), width);
      EXPECT_LE(display_width(fit_start(kUnicode, text, width)), width);
    }
  }
}

TEST(Fit, OmitsParametersThenTemplatesThenMiddle) {
  const char* name = "ns::Map<std::string, int>::insert(std::string const&, int)";
  EXPECT_EQ(fit_name(kUnicode, name, 80), name);
  EXPECT_EQ(fit_name(kUnicode, name, 40), "ns::Map<std::string, int>::insert(…)");
  EXPECT_EQ(fit_name(kUnicode, name, 30), "ns::Map<…>::insert(…)");
  EXPECT_EQ(fit_name(kUnicode, name, 15), "ns::M…insert(…)");
  EXPECT_EQ(fit_name(kUnicode, "<alloc::vec::Vec<T, A> as core::ops::Drop>::drop", 45),
            "<alloc::vec::Vec<…> as core::ops::Drop>::drop");
  EXPECT_EQ(fit_name(kUnicode, "(anonymous namespace)::f(int, int)", 28), "(anonymous namespace)::f(…)");
  EXPECT_EQ(fit_name(kUnicode, "operator<<(std::ostream&, int)", 20), "operator<<(…)");
}

TEST(Table, AlignsAndShrinks) {
  Table t({{"N", Align::kRight}, {"FUNCTION", Align::kLeft, Shrink::kName}, {"MODULE", Align::kLeft, Shrink::kMiddle}});
  t.add({{"1"}, {"short"}, {"a.so"}});
  t.add({{"100"}, {"a_rather_long_name_of_a_function"}, {"libsomething.so.1"}});
  t.add({{"7"}, {"函数"}, {""}});
  EXPECT_EQ(t.render(Style{}),
            "  N  FUNCTION                          MODULE\n"
            "  1  short                             a.so\n"
            "100  a_rather_long_name_of_a_function  libsomething.so.1\n"
            "  7  函数\n");
  std::string narrow = t.render(Style{.terminal = true, .color = false, .unicode = true, .width = 30});
  EXPECT_EQ(narrow,
            "  N  FUNCTION     MODULE\n"
            "  1  short        a.so\n"
            "100  a_ra…nction  libs…ng.so.1\n"
            "  7  函数\n");
  std::string narrowest = t.render(Style{.terminal = true, .color = false, .unicode = true, .width = 1});
  EXPECT_NE(narrowest.find("100  a_…ction  li….so.1\n"), std::string::npos) << narrowest;  // the minimum
}

TEST(Table, ColorsHaveNoWidth) {
  Table t({{"", Align::kRight}, {""}});
  t.add({{"9%", Paint::kHot}, {"x"}});
  t.add({{"10%", Paint::kDim}, {"y"}});
  EXPECT_EQ(t.render(Style{.terminal = true, .color = true, .unicode = true, .width = 80}),
            " \x1b[1;31m9%\x1b[0m  x\n\x1b[2m10%\x1b[0m  y\n");
}

}  // namespace
}  // namespace wick

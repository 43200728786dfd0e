// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "term/table.h"

#include <gtest/gtest.h>

namespace wick {
namespace {

std::string render(int width) {
  Table table({{"SELF", Align::kRight},
               {"TIME", Align::kRight, Shrink::kNever, 2},
               {"FUNCTION", Align::kLeft, Shrink::kName},
               {"MODULE", Align::kLeft, Shrink::kMiddle, 1}});
  table.add({{"42.1%"}, {"100 ms"}, {"a_function_of_some_length"}, {"libsomething.so.6"}});
  Style style;
  style.width = width;
  style.unicode = true;
  return table.render(style);
}

TEST(Table, ShrinksThenDropsColumns) {
  EXPECT_EQ(render(0),
            " SELF    TIME  FUNCTION                   MODULE\n"
            "42.1%  100 ms  a_function_of_some_length  libsomething.so.6\n");
  EXPECT_EQ(render(55),
            " SELF    TIME  FUNCTION               MODULE\n"
            "42.1%  100 ms  a_functi…_some_length  libsomething.so.6\n");
  EXPECT_EQ(render(48),
            " SELF  FUNCTION                MODULE\n"
            "42.1%  a_functi…f_some_length  libsomething.so.6\n");
  EXPECT_EQ(render(40),
            " SELF  FUNCTION\n"
            "42.1%  a_function_of_some_length\n");
  EXPECT_EQ(render(20),
            " SELF  FUNCTION\n"
            "42.1%  a_fu…e_length\n");
}

}  // namespace
}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "tui/carry.h"

#include <gtest/gtest.h>

#include "tui/testing.h"

namespace wick::tui {
namespace {

// Shows another profile with the state of the player.
Player follow(Player& before, const std::vector<std::string>& lines) {
  auto next = std::make_shared<const Profile>(testing_profile::profile_of(lines));
  next = with_chosen(next, before.state, before.data);
  Player now(Player::source_of(Profile(*next)), before.size);
  now.state = carry_over(before.state, before.data, now.data, before.size, before.unicode);
  return now;
}

const std::vector<std::string> kFirst = {"app;main;run;parse;read 30", "app;main;run;draw 25", "worker;start;work 10"};
// The same functions with other numbers and costs.
const std::vector<std::string> kSecond = {"worker;start;work 50", "worker;start;pause 20", "app;main;run;draw 9",
                                          "app;main;run;parse;read 4"};

TEST(Carry, SelectionFollowsItsFunction) {
  Player a(kFirst);
  a.type("j");
  ASSERT_EQ(a.function(), "draw");
  Player b = follow(a, kSecond);
  EXPECT_EQ(b.function(), "draw");
  EXPECT_NE(a.state.function, b.state.function) << "the numbers must differ for this test to say anything";
  EXPECT_EQ(b.data.reading(b.state.query).functions[b.data.function_rows(b.state)[b.state.functions.row]].function,
            b.state.function);
}

TEST(Carry, UnlessNothingWasChosenTheHottestIsSelected) {
  Player a(kFirst);
  ASSERT_EQ(a.function(), "read");
  Player b = follow(a, kSecond);
  EXPECT_EQ(b.function(), "work");
  EXPECT_EQ(b.state.functions.row, 0u);
}

TEST(Carry, SelectedRowStaysOnItsLine) {
  std::vector<std::string> first, second;
  for (int i = 0; i < 60; ++i) {
    first.push_back("app;f" + std::to_string(i) + " " + std::to_string(100 - i));
    second.push_back("app;f" + std::to_string(i) + " " + std::to_string(10 + i));
  }
  Player a(first);
  for (int i = 0; i < 30; ++i) { a.type("j"); }
  a.type("kk");
  ASSERT_EQ(a.function(), "f28");
  size_t line = a.state.functions.row - a.state.functions.top;
  Player b = follow(a, second);
  EXPECT_EQ(b.function(), "f28");
  EXPECT_EQ(b.state.functions.row, 31u);
  EXPECT_EQ(b.state.functions.row - b.state.functions.top, line);
}

TEST(Carry, NodesOfTheTreeStayOpenAndSelected) {
  Player a(kFirst);
  a.type("3*");
  while (a.function() != "draw") { a.type("j"); }
  Player b = follow(a, kSecond);
  EXPECT_EQ(b.function(), "draw");
  EXPECT_NE(b.line_with("draw"), "");
  EXPECT_NE(b.line_with("read"), "") << "its caller was open";
}

TEST(Carry, TransformsMeanTheSameFunctions) {
  Player a(kFirst);
  a.type("jf");
  ASSERT_NE(a.line_with("focus on draw"), "");
  Player b = follow(a, kSecond);
  EXPECT_NE(b.line_with("focus on draw"), "");
  EXPECT_NE(b.line_with("9 samples"), "");
  b.type("u");
  EXPECT_NE(b.line_with("83 samples"), "");
}

TEST(Carry, FocusOnAFunctionWithoutSamplesShowsNone) {
  Player a(kFirst);
  a.type("jf");
  Player b = follow(a, {"worker;start;work 50"});
  EXPECT_NE(b.line_with("focus on draw"), "");
  EXPECT_NE(b.line_with("0 samples"), "");
  EXPECT_EQ(b.line_with("work"), "");
  Player c = follow(b, kSecond);
  EXPECT_NE(c.line_with("9 samples"), "") << c.screen();
}

TEST(Carry, ASelectedThreadWithoutSamplesStaysSelected) {
  Player a(kFirst);
  a.type("2j\r");
  ASSERT_NE(a.line_with("thread worker"), "") << a.screen();
  Player b = follow(a, {"app;main;run;draw 9"});
  EXPECT_NE(b.line_with("thread worker"), "") << b.screen();
  b.type("4");
  EXPECT_EQ(b.line_with("draw"), "") << b.screen();
}

TEST(Carry, CollapsedLibrariesAreFoundAgain) {
  Player a({"app;main;libc.so.6`memcpy 15", "app;main;libc.so.6`malloc;libc.so.6`mmap 10", "app;main 3"});
  a.type("C");
  a.press(key::kHome);
  std::string collapsed = a.function();
  a.type("m");
  ASSERT_EQ(a.state.query.transforms.size(), 2u);
  Player b = follow(a, {"app;start 3", "app;main;libc.so.6`malloc;libc.so.6`mmap 10"});
  EXPECT_EQ(b.line_with(collapsed + " "), "") << b.screen();
  EXPECT_EQ(b.line_with("mmap"), "") << b.screen();
  EXPECT_NE(b.line_with("main"), "") << b.screen();
}

}  // namespace
}  // namespace wick::tui

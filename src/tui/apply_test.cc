// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "tui/apply.h"

#include <gtest/gtest.h>

#include <set>

#include "tui/testing.h"

namespace wick::tui {
namespace {

const std::vector<std::string> kLines = {"app;main;run;parse;read 30", "app;main;run;parse 20", "app;main;run;draw 25",
                                         "worker;start;work;libc.so.6`memcpy 15", "worker;start;work 10"};

TEST(Keys, EachHasOneMeaning) {
  for (bool live : {false, true}) {
    std::set<Key> seen;
    for (const Binding& b : key_map()) {
      EXPECT_EQ(b.section == nullptr, b.text == nullptr);
      if (b.is_for(live)) { EXPECT_TRUE(seen.insert(b.key).second) << static_cast<uint32_t>(b.key) << ", live: " << live; }
    }
  }
}

TEST(Keys, OnlyLiveViewsPauseAndSave) {
  EXPECT_EQ(find_action('p', true), Action::kPause);
  EXPECT_EQ(find_action('s', true), Action::kSave);
  EXPECT_EQ(find_action('p'), std::nullopt);
  EXPECT_EQ(find_action('s'), Action::kSwitch);
  EXPECT_EQ(find_action('o'), Action::kSwitch);
  EXPECT_EQ(find_action('o', true), Action::kSwitch);
}

TEST(Keys, TransformsHaveTheViewersLetters) {
  // web/src/app/actions.ts: kTransformKeys.
  const Action actions[] = {Action::kFocusFunction,   Action::kFocusSubtree,      Action::kFocusSelf,
                            Action::kMergeFunction,   Action::kMergeNode,         Action::kDropFunction,
                            Action::kCollapseSubtree, Action::kCollapseRecursion, Action::kCollapseDirectRecursion,
                            Action::kCollapseModule};
  std::string_view letters = "fFSmMdcrRC";
  for (size_t i = 0; i < letters.size(); ++i) { EXPECT_EQ(find_action(static_cast<Key>(letters[i])), actions[i]) << letters[i]; }
}

TEST(Apply, BeginsWithTheHottestFunction) {
  Player p(kLines);
  EXPECT_EQ(p.state.view, ViewKind::kFunctions);
  EXPECT_EQ(p.function(), "read");
}

TEST(Apply, MovesAndStopsAtTheEnds) {
  Player p(kLines);
  p.type("j");
  EXPECT_EQ(p.function(), "draw");
  p.type("kkk");
  EXPECT_EQ(p.function(), "read");
  p.press(key::kEnd);
  std::string last = p.function();
  p.type("jj");
  EXPECT_EQ(p.function(), last);
  p.press(key::kHome);
  EXPECT_EQ(p.function(), "read");
}

TEST(Apply, SortKeepsEveryRow) {
  Player p(kLines);
  p.type("s");
  EXPECT_EQ(p.function(), "main") << "by total";
  p.type("s");
  EXPECT_EQ(p.function(), "draw") << "by name";
  EXPECT_EQ(p.data.function_rows(p.state).size(), 8u);
}

TEST(Apply, SelectedFunctionFollowsIntoOtherViews) {
  Player p(kLines);
  p.type("jj");
  ASSERT_EQ(p.function(), "parse");
  p.type("3");
  EXPECT_EQ(p.function(), "parse");
  const Tree& tree = p.data.tree(p.state.query, false);
  EXPECT_EQ(tree.nodes[tree.find(p.state.node)].total.weight, 50'000'000);
  p.press(key::kLeft);
  p.press(key::kLeft);
  EXPECT_EQ(p.function(), "run");
  p.type("1");
  EXPECT_EQ(p.function(), "run");
  p.press(key::kUp);
  EXPECT_EQ(p.function(), "main");
}

TEST(Apply, TransformsCanBeUndone) {
  Player p(kLines);
  auto total = [&] { return p.data.reading(p.state.query).now.weight / 1'000'000; };
  p.type("f");
  EXPECT_EQ(total(), 30);
  p.type("u");
  EXPECT_EQ(total(), 100);
  p.type("U");
  EXPECT_EQ(total(), 30);
  p.type("uu");
  EXPECT_EQ(total(), 100);
  EXPECT_EQ(p.state.message, "nothing to undo");
  p.type("d");
  EXPECT_EQ(total(), 70);
  EXPECT_NE(p.function(), "read") << "it is gone";
  p.type("U");
  EXPECT_EQ(p.state.message, "nothing to redo") << "another change ended that";
}

TEST(Apply, SubtreesNeedANode) {
  Player p(kLines);
  p.type("F");
  EXPECT_TRUE(p.state.query.transforms.empty());
  EXPECT_NE(p.state.message, "");
  p.type("jk3F");
  ASSERT_EQ(p.state.query.transforms.size(), 1u);
  EXPECT_EQ(p.data.reading(p.state.query).now.weight, 30'000'000);
}

// A stack below two programs counts for each; only its own program's part is in a subtree's total.
TEST(Apply, TotalsAddUpAfterEveryTransform) {
  for (char letter : std::string_view("fSmdcrRC")) {
    Player p(kLines);
    p.type("jjj");
    p.press(static_cast<Key>(letter));
    const Reading& r = p.data.reading(p.state.query);
    int64_t self = 0;
    for (const FunctionRow& f : r.functions) { self += f.self.after.weight; }
    EXPECT_EQ(self, r.now.weight) << letter;
    for (bool inverted : {false, true}) {
      const Tree& tree = p.data.tree(p.state.query, inverted);
      EXPECT_EQ(tree.nodes[0].total.weight, r.now.weight) << letter;
      for (uint32_t i = 0; i < tree.nodes.size(); ++i) { EXPECT_EQ(tree.hidden(i).size(), 0) << letter; }
    }
  }
}

TEST(Apply, SearchFiltersFunctionsAndTellsTheirShare) {
  Player p(kLines);
  p.type("/READ");
  EXPECT_EQ(p.data.function_rows(p.state).size(), 0u) << "upper case is case-sensitive";
  for (int i = 0; i < 4; ++i) { p.press(key::kBackspace); }
  p.type("^(read|draw)$");
  p.press(key::kEnter);
  EXPECT_EQ(p.data.function_rows(p.state).size(), 2u);
  EXPECT_EQ(p.data.found(p.state.query, p.state.search).cost.weight, 55'000'000);
  p.type("g");
  EXPECT_EQ(p.data.reading(p.state.query).now.weight, 55'000'000);
  p.press(key::kEscape);
  EXPECT_EQ(p.state.search, "");
}

TEST(Apply, WrongPatternIsToldAndLeavesTheOldOne) {
  Player p(kLines);
  p.type("/read");
  p.press(key::kEnter);
  p.type("/(");
  p.press(key::kEnter);
  EXPECT_EQ(p.state.search, "read");
  EXPECT_NE(p.state.message.find("regular expression"), std::string::npos) << p.state.message;
  p.type("/x");
  p.press(key::kEscape);
  EXPECT_EQ(p.state.search, "read");
}

TEST(Apply, NextMatchOpensTheTree) {
  Player p(kLines);
  p.type("3/memcpy");
  p.press(key::kEnter);
  EXPECT_EQ(p.function(), "memcpy");
  EXPECT_NE(p.line_with("memcpy"), "");
  p.type("n");
  EXPECT_EQ(p.function(), "memcpy") << "the only one";
}

TEST(Apply, TimeAndThreadsSelectForAllViews) {
  Player p(kLines, {100, 16});
  p.type("2");
  int columns = timeline_columns(100);
  p.type(" ");
  for (int i = 0; i < columns / 2 - 1; ++i) { p.press(key::kRight); }
  p.press(key::kEnter);
  // 100 samples, a millisecond apart; the first is at 1 ms.
  EXPECT_EQ(p.data.reading(p.state.query).now.count, 49u);
  p.press(key::kEnter);  // the busiest thread
  EXPECT_EQ(p.data.reading(p.state.query).now.count, 49u);
  p.type("j");
  p.press(key::kEnter);
  EXPECT_EQ(p.data.reading(p.state.query).now.count, 0u) << "the other one works later";
  p.type("x");
  EXPECT_EQ(p.data.reading(p.state.query).now.count, 100u);
  p.type("t");
  EXPECT_EQ(p.data.reading(p.state.query).now.count, 25u);
}

TEST(Apply, RangesAreHalfOpenAndComplete) {
  Player p(kLines, {100, 16});
  p.type("2");
  int columns = timeline_columns(100);
  uint64_t sum = 0;
  for (int part = 0; part < 3; ++part) {
    p.state.mark = part * columns / 3;
    p.state.column = (part + 1) * columns / 3 - 1;
    p.press(key::kEnter);
    sum += p.data.reading(p.state.query).now.count;
    p.type("u");
  }
  EXPECT_EQ(sum, 100u);
}

TEST(Apply, MouseSelectsAndOpens) {
  Player p(kLines);
  Layout at = lay_out(p.state, p.data, p.size);
  p.click(20, at.body + 1);
  EXPECT_EQ(p.function(), "draw");
  p.click(20, at.body + 1);
  EXPECT_EQ(p.state.view, ViewKind::kAround);
  std::array<Tab, kViews> tabs = lay_out_tabs(p.state, p.size.width);
  p.click(tabs[0].begin + 1, at.tabs);
  EXPECT_EQ(p.state.view, ViewKind::kFlame);
  p.click(0, 0, Mouse::What::kWheelDown);
  p.click(500, 500);
  p.click(-1, -1);
}

TEST(Apply, DraggingOnThreadsChoosesARange) {
  Player p(kLines, {100, 16});
  p.type("2");
  Layout at = lay_out(p.state, p.data, p.size);
  int x = label_width(100);
  p.click(x, at.body);
  p.click(x + 10, at.body, Mouse::What::kDrag);
  EXPECT_TRUE(p.state.query.all_times()) << "not before the button is released";
  p.click(x + timeline_columns(100) / 2 - 1, at.body, Mouse::What::kRelease);
  EXPECT_EQ(p.data.reading(p.state.query).now.count, 49u);
}

// The callers of a function, and what it calls, each count a sample once.
TEST(Apply, CallersAndCalleesOfRecursiveFunctions) {
  Player p({"app;main;a;f;f;b 3", "app;main;c;f 2"});
  while (p.function() != "f") { p.type("j"); }
  p.press(key::kEnter);
  const Around& around = p.data.around(p.state.query, p.state.function);
  EXPECT_EQ(around.callers.nodes[0].total.weight, 5'000'000);
  EXPECT_EQ(around.callees.nodes[1].total.weight, 5'000'000);
  EXPECT_EQ(side_rows(p.state, p.data, false).size(), 2u);
  p.press(key::kTab);
  EXPECT_TRUE(p.state.callees);
}

TEST(Apply, EscapeLeadsBackThroughCallers) {
  Player p(kLines);
  p.type("\r");
  p.press(key::kEnter);  // read's caller
  EXPECT_EQ(p.function(), "parse");
  p.press(key::kEnter);
  EXPECT_EQ(p.function(), "run");
  p.press(key::kEscape);
  EXPECT_EQ(p.function(), "parse");
  p.press(key::kEscape);
  EXPECT_EQ(p.function(), "read");
  EXPECT_EQ(p.state.view, ViewKind::kAround);
}

TEST(Apply, ComparesTwoFiles) {
  Player p(Player::compared({"app;main;fast 500", "app;main;same 500"}, {"app;main;fast 1500", "app;main;same 500"}), {100, 16});
  EXPECT_EQ(p.function(), "fast") << "the largest change comes first";
  EXPECT_NE(p.line_with("fast").find("+1.00 s"), std::string::npos) << p.screen();
  p.type("%");
  EXPECT_NE(p.line_with("same").find("-25.0 pp"), std::string::npos) << p.screen();
  p.type("3");
  EXPECT_NE(p.line_with("fast").find("+25.0 pp"), std::string::npos) << p.screen();
}

TEST(Apply, EveryKeyInEveryViewAndSize) {
  std::vector<Key> keys;
  for (const Binding& b : key_map()) {
    if (b.action != Action::kQuit) { keys.push_back(b.key); }
  }
  for (bool compares : {false, true}) {
    for (Size size : {Size{1, 1}, Size{2, 2}, Size{20, 5}, Size{0, 0}, Size{200, 60}}) {
      Player p(compares ? Player::compared(kLines, kLines) : Player::source_of(testing_profile::profile_of(kLines)), size);
      for (char view : std::string_view("1234567")) {
        for (Key key : keys) {
          p.press(static_cast<Key>(view));
          p.press(key);
          Grid grid = p.grid();
          EXPECT_EQ(grid.width(), size.width);
          p.press(key::kEscape);
          p.press(key::kEscape);
          if (p.state.past.size() > 3) { p.type("uuu"); }
        }
      }
    }
  }
}

TEST(Apply, EmptyProfile) {
  ProfileBuilder b;
  b.event("cpu-clock", "ns", 1000);
  Player p(std::move(b).build());
  for (char key : std::string_view("1234567fFmMdcCijk \r*nN%ext")) { p.press(static_cast<unsigned char>(key)); }
  EXPECT_NE(p.screen(), "");
}

TEST(Apply, NoEvents) {
  Player p(std::move(ProfileBuilder()).build());
  for (char key : std::string_view("1234567fFmMdcCijk \r*nN%ext")) { p.press(static_cast<unsigned char>(key)); }
  EXPECT_NE(p.screen(), "");
}

// Two programs with the same stack: each has its own part, whoever is sampled first.
TEST(Apply, ProgramsWithTheSameStackStayApart) {
  ProfileBuilder b;
  EventId event = b.event("cpu-clock", "ns", 1000);
  StackId stack = b.stack(b.frame({.function = b.function("main", {}, b.module("/bin/x"))}), {});
  ThreadId threads[] = {b.add_thread(b.add_process(1, "one"), 1, "one"), b.add_thread(b.add_process(2, "two"), 2, "two"),
                        b.add_thread(b.add_process(3, "one"), 3, "one")};
  for (uint64_t i = 0; i < 60; ++i) {
    size_t which = i % 6 == 0 ? 0 : i % 6 <= 3 ? 1 : 2;
    b.add_sample({.time_ns = i, .thread = threads[which], .stack = stack, .event = event, .weight = 1});
  }
  Player p(std::move(b).build());
  const Tree& tree = p.data.tree(p.state.query, false);
  ASSERT_EQ(tree.nodes.size(), 5u);
  EXPECT_EQ(tree.nodes[1].total.weight, 30);
  EXPECT_EQ(tree.nodes[3].total.weight, 30);
  p.type("2");
  p.press(key::kEnd);
  p.press(key::kEnter);  // one thread: no level for programs
  EXPECT_EQ(p.data.tree(p.state.query, false).nodes.size(), 2u);
  EXPECT_EQ(p.data.reading(p.state.query).now.weight, 10);
}

TEST(Apply, DeepRecursion) {
  std::string stack = "app;main";
  for (int i = 0; i < 20'000; ++i) { stack += ";f"; }
  Player p({stack + " 3", "app;main;f;g 2"});
  for (char key : std::string_view("1G3G*fu3rui31567")) { p.press(static_cast<unsigned char>(key)); }
  EXPECT_EQ(p.data.reading(p.state.query).now.count, 5u);
}

TEST(Apply, ResizingKeepsTheSelection) {
  Player p(kLines);
  p.type("jjj");
  std::string selected = p.function();
  for (Size size : {Size{20, 5}, Size{1, 1}, Size{3, 2}, Size{80, 16}}) { p.resize(size); }
  EXPECT_EQ(p.function(), selected);
  EXPECT_NE(p.line_with(selected), "");
}

}  // namespace
}  // namespace wick::tui

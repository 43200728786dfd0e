// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "tui/draw.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tui/testing.h"

namespace wick::tui {
namespace {

const std::vector<std::string> kLines = {"app;main;run;parse;read 30", "app;main;run;parse 20", "app;main;run;draw 25",
                                         "worker;start;work;libc.so.6`memcpy 15", "worker;start;work 10"};

TEST(Draw, Functions) {
  Player p(kLines, {80, 10});
  EXPECT_EQ(p.screen(), R"( 1 Flame  2 Threads  3 Tree  4 Functions  5 Callers  6 Source  7 Recording
./app --size 10  100 samples of cpu-clock, 100 ms
  SELF  TOTAL      TIME FUNCTION                                MODULE
 30.0%  30.0%   30.0 ms read                                    app
 25.0%  25.0%   25.0 ms draw                                    app
 20.0%  50.0%   20.0 ms parse                                   app
 15.0%  15.0%   15.0 ms memcpy                                  libc.so.6
 10.0%  25.0%   10.0 ms work                                    app
        75.0%           main                                    app
Enter callers  6 source  s sort: self  / search                   ? help  q quit
)");
}
TEST(Draw, CallTree) {
  Player p(kLines, {80, 12});
  p.type("3");
  EXPECT_EQ(p.screen(), R"( 1 Flame  2 Threads  3 Tree  4 Functions  5 Callers  6 Source  7 Recording
./app --size 10  100 samples of cpu-clock, 100 ms
 TOTAL   SELF      TIME FUNCTION, callees below                 MODULE
 75.0%          75.0 ms ▾ main                                  app
 75.0%          75.0 ms ▾ run                                   app
 50.0%  20.0%   50.0 ms   ▾ parse                               app
 30.0%  30.0%   30.0 ms     read                                app
 25.0%  25.0%   25.0 ms     draw                                app
 25.0%          25.0 ms ▸ start                                 app


right open  left close  * all  i invert  / search  f focus        ? help  q quit
)");
}
TEST(Draw, InvertedTree) {
  Player p(kLines, {60, 10});
  p.type("3i");
  EXPECT_EQ(p.screen(), R"( 1  2  3 Tree  4  5  6  7
./app --size 10  100 samples of cpu-clock, 100 ms
 TOTAL      TIME FUNCTION, callers below
 30.0%   30.0 ms ▾ read
 30.0%   30.0 ms ▾ parse
 30.0%   30.0 ms ▾ run
 30.0%   30.0 ms   main
 25.0%   25.0 ms ▸ draw
 20.0%   20.0 ms ▸ parse
right open  left close  * all  i invert  / …  ? help  q quit
)");
}
TEST(Draw, FlameGraph) {
  Player p(kLines, {60, 11});
  p.type("1");
  EXPECT_EQ(p.screen(), R"( 1 Flame  2  3  4  5  6  7
./app --size 10  100 samples of cpu-clock, 100 ms
all  100.0% total, 0.0% self, 100 ms
|all
|main                                        |start
|run                                         |work
|parse                        |draw          |memcpy
|read


arrows move  Enter zoom  Esc out  i invert …  ? help  q quit
)");
}
TEST(Draw, ZoomedFlameGraphWithoutUnicode) {
  Player p(kLines, {40, 11});
  p.unicode = false;
  p.type("1");
  p.press(key::kDown);
  p.press(key::kRight);
  p.press(key::kDown);
  ASSERT_EQ(p.function(), "work");
  p.press(key::kEnter);
  EXPECT_EQ(p.screen(), R"( 1 Flame  2  3  4  5  6  7
./app --size 1...es of cpu-clock, 100 ms
work  25.0% total, 10.0% self, 25.0 ms
|all
|start
|work
|memcpy



arrows move  Enter zoom  Esc out  i i...
)");
}
TEST(Draw, CallersAndCallees) {
  Player p(kLines, {80, 9});
  p.type("jj\r");
  EXPECT_EQ(p.screen(), R"( 1 Flame  2 Threads  3 Tree  4 Functions  5 Callers  6 Source  7 Recording
./app --size 10  100 samples of cpu-clock, 100 ms
 TOTAL      TIME CALLERS OF parse      │ TOTAL   SELF CALLED BY parse
 50.0%   50.0 ms ▸ run                 │ 30.0%  30.0%   read
                                       │
                                       │
                                       │
                                       │
Tab other side  Enter go there  right open                        ? help  q quit
)");
}
TEST(Draw, Threads) {
  Player p(kLines, {60, 9});
  p.type("2");
  EXPECT_EQ(p.screen(), R"( 1  2 Threads  3  4  5  6  7
./app --size 10  100 samples of cpu-clock, 100 ms
at 0.000 s      ╷0.000 s    ╷0.027 s    ╷0.055 s
  app 100       ▇▇▇█▇▇▇█▇▇█▇▇▇█▇▇▇█▇▇█▇▇▇█▇▇▇█▇▇█
  app…orker 101                                  ▇▇▇█▇▇▇█▇▇█



Space begin range  Enter choose  t add thre…  ? help  q quit
)");
  p.unicode = false;
  p.type("j\r");
  EXPECT_EQ(p.screen(), R"( 1  2 Threads  3  4  5  6  7
./app --size 10  25 samples of cpu-clock, 25.0 ms = 25.0%
thread worker 101
at 0.000 s      '0.000 s    '0.027 s    '0.055 s
  app 100       %%%#%%%#%%#%%%#%%%#%%#%%%#%%%#%%#
* ap...rker 101                                  %%%#%%%#%%#


Space begin range  Enter choose  t add th...  ? help  q quit
)");
}
TEST(Draw, Comparison) {
  Player p(Player::compared({"app;main;fast 500", "app;main;same 500"},
                            {"app;main;fast 1500", "app;main;same 500", "app;main;fresh 100"}),
           {90, 10});
  EXPECT_EQ(p.screen(), R"( 1 Flame  2 Threads  3 Tree  4 Functions  5 Callers  6 Source  7 Recording
before.wick -> after.wick  1.00 s -> 2.10 s (+110.0%), comparing costs (%)
     SELF   BEFORE    AFTER     TOTAL FUNCTION                          MODULE
  +1.00 s   500 ms   1.50 s   +1.00 s fast                              app
  +100 ms            100 ms   +100 ms fresh                             app
                              +1.10 s main                              app
        0   500 ms   500 ms         0 same                              app


Enter callers  6 source  s sort: change  / search                           ? help  q quit
)");
  p.type("3");
  EXPECT_EQ(p.screen(), R"( 1 Flame  2 Threads  3 Tree  4 Functions  5 Callers  6 Source  7 Recording
before.wick -> after.wick  1.00 s -> 2.10 s (+110.0%), comparing costs (%)
    TOTAL   BEFORE    AFTER      SELF FUNCTION, callees below           MODULE
  +1.10 s   1.00 s   2.10 s           ▾ main                            app
  +1.00 s   500 ms   1.50 s   +1.00 s     fast                          app
        0   500 ms   500 ms         0     same                          app
  +100 ms            100 ms   +100 ms     fresh                         app


right open  left close  * all  i invert  / search  f focus                  ? help  q quit
)");
}
TEST(Draw, ComparisonOfCallers) {
  // One caller did not change, one grew, one is only before and one only after.
  std::vector<std::string> before = {"app;main;one;work 500", "app;main;two;work;leaf 300", "app;main;old;work 200"};
  std::vector<std::string> after = {"app;main;one;work 500", "app;main;two;work;leaf 700", "app;main;fresh;work 100"};
  Player p(Player::compared(before, after), {160, 10});
  p.type("/work$\r5");
  EXPECT_NE(p.line_with(" one").find("        0   500 ms   500 ms"), std::string::npos) << p.screen();
  EXPECT_NE(p.line_with(" two").find("  +400 ms   300 ms   700 ms"), std::string::npos) << p.screen();
  EXPECT_NE(p.line_with(" old").find("  -200 ms   200 ms         "), std::string::npos) << p.screen();
  EXPECT_NE(p.line_with(" fresh").find("  +100 ms            100 ms"), std::string::npos) << p.screen();

  // A profile differs nowhere from itself, not even in branches too small to show.
  std::vector<std::string> same = {"app;main;one;work 200000", "app;main;tiny;work 3", "app;main;two;work 300"};
  Player q(Player::compared(same, same), {160, 12});
  q.type("/work$\r5");
  std::string rest = q.line_with("smaller branches");
  EXPECT_NE(rest.find("        0   3.0 ms   3.0 ms"), std::string::npos) << q.screen();
  EXPECT_EQ(q.screen().find('+', q.screen().find("CALLERS")), std::string::npos) << q.screen();
}
TEST(Draw, ComparisonOfRecordings) {
  // The recording before is shorter, and of another command.
  Profile before = testing_profile::edited(testing_profile::profile_of({"app;main;work 50"}),
                                           [](ProfileBuilder& b) { b.set_command({"./old"}); });
  Profile after = testing_profile::edited(testing_profile::profile_of({"app;main;work 2000", "other;main;work 1"}),
                                          [](ProfileBuilder& b) { b.add_loss("lost.ring_full", 12, true); });
  Player p(Player::compared(before, after), {100, 13});
  p.type("7");
  EXPECT_EQ(p.screen(), R"( 1 Flame  2 Threads  3 Tree  4 Functions  5 Callers  6 Source  7 Recording
before.wick -> after.wick  50.0 ms -> 2.00 s (+3902.0%), comparing costs (%)  after 12 lost
before: before.wick
  ./old
  50 samples of cpu-clock at 1,000 Hz in 49.0 ms, 1 thread, none lost
after:  after.wick
  ./app --size 10
  2,001 samples of cpu-clock at 1,000 Hz in 2.00 s, 2 threads
  12 samples lost (ring full: 12)



% compare shares or costs                                                             ? help  q quit
)");
}
TEST(Draw, ComparisonOfThreads) {
  // Two programs of other names; the one after has two threads of the same name.
  auto program = [](const std::string& name, int work, int in_worker) {
    std::vector<std::string> lines = {name + ";main;work " + std::to_string(work),
                                      "worker;main;work " + std::to_string(in_worker)};
    return testing_profile::edited(testing_profile::profile_of(lines, {.module = "/opt/" + name}),
                                   [&](ProfileBuilder& b) { b.set_command({"/opt/" + name}); });
  };
  Profile before = program("fast", 50, 20);
  Profile after = testing_profile::edited(program("slow", 60, 30), [](ProfileBuilder& b) {
    Sample s = b.so_far().samples().back();
    s.thread = b.add_thread(b.so_far().threads()[0].process, 150, "worker");
    for (int i = 0; i < 5; ++i) { b.add_sample(s); }
  });
  Player p(Player::compared(before, after), {100, 12});
  p.type("2");
  for (const char* label :
       {"after slow 100 ", "before fast 100 ", "after slow/worker 101 ", "before fast/worker 101 ", "after slow/worker 150 "}) {
    EXPECT_NE(p.line_with(label), "") << label << "\n" << p.screen();
  }
  auto select = [&](size_t row) { p.type("kkkkk" + std::string(row, 'j')); };
  auto totals = [&] {
    const Reading& r = p.data.reading(p.state.query);
    return std::to_string(r.before.count) + " -> " + std::to_string(r.now.count);
  };
  select(4);
  p.type("\r");
  EXPECT_NE(p.line_with("threads named fast/worker and slow/worker (1 before, 2 after)"), "") << p.screen();
  EXPECT_EQ(totals(), "20 -> 35");
  EXPECT_NE(p.line_with("● before fast/worker 101"), "") << p.screen();
  EXPECT_NE(p.line_with("● after slow/worker 101"), "") << p.screen();
  EXPECT_EQ(p.line_with("● after slow 100"), "") << p.screen();
  // All of a name are removed and added together.
  select(0);
  p.type("t");
  EXPECT_NE(p.line_with("threads of 4 names (2 before, 3 after)"), "") << p.screen();
  EXPECT_EQ(totals(), "70 -> 95");
  select(3);
  p.type("t");
  EXPECT_NE(p.line_with("threads named fast and slow (1 before, 1 after)"), "") << p.screen();
  EXPECT_EQ(totals(), "50 -> 60");
}
TEST(Draw, ComparisonOfCode) {
  Source source = Player::compared({"app;main;work 50", "app;main;gone 20"}, {"app;main;work 90"});
  source.read_code = [](FunctionId) {
    FunctionCode code;
    code.name = "work";
    return code;
  };
  const Profile& p = *source.view.profile;
  source.is_only_before = [&p](FunctionId f) { return p.text(p[f].name) == "gone"; };
  Player player(std::move(source), {120, 12});
  player.type(
      "/^work$\r\x1b"
      "6");
  EXPECT_NE(player.line_with("only costs after"), "")
      << player.screen();
  EXPECT_NE(player.line_with("100.0% self"), "") << player.screen();
  player.type(
      "4/^gone$\r\x1b"
      "6");
  EXPECT_NE(player.line_with("costs before: there are no samples of this function after"), "") << player.screen();
  EXPECT_NE(player.line_with("28.6% self"), "") << player.screen();
}
TEST(Draw, ComparisonOfLines) {
  // The source before has one line less, so the hot line moved from 2 to 3. `work` calls `leaf` in both.
  static const std::vector<std::string> kBefore = {"int work() {", "  spin();", "}"};
  static const std::vector<std::string> kAfter = {"int work() {", "  prepare();", "  spin();", "}"};
  auto profile = [](uint32_t line, const char* build, uint64_t count) {
    ProfileBuilder b;
    EventId event = b.event("cpu-clock", "ns", 1000);
    FunctionId work = b.function("work", {}, b.module("/usr/bin/app", build, false));
    StackId stack = b.stack(b.frame({.function = work, .file = b.string("work.c"), .line = line}), {});
    ThreadId thread = b.add_thread(b.add_process(1, "app"), 1, "app");
    int64_t weight = static_cast<int64_t>(count) * 1'000'000;
    b.add_sample({.thread = thread, .stack = stack, .event = event, .weight = weight, .count = count});
    return std::move(b).build();
  };
  Source source = Player::compared(profile(2, "aa", 400), profile(3, "bb", 1000));
  source.read_code = [](FunctionId) { return FunctionCode{}; };
  source.find_lines = [](FunctionId, bool is_before, const std::string& file) {
    EXPECT_EQ(file, "work.c");
    return VersionedLines{is_before ? &kBefore : &kAfter, true};
  };
  source.compare_builds = [](FunctionId) { return Builds::kDifferent; };
  Player p(std::move(source), {110, 14});
  p.type("6");
  EXPECT_EQ(p.screen(), R"( 1 Flame  2 Threads  3 Tree  4 Functions  5 Callers  6 Source  7 Recording
before.wick -> after.wick  400 ms -> 1.00 s (+150.0%), comparing costs (%)
work  app  ▲ +600 ms self (400 ms -> 1.00 s), ▲ +600 ms total (400 ms -> 1.00 s)
the builds differ: lines are matched by their text
      SELF  BEFORE   AFTER    TOTAL  LINE
                                           work.c
                                        1    int work() {
                                        2  +   prepare();
▲  +600 ms  400 ms  1.00 s  +600 ms     3      spin();
                                        4    }



s source, assembly  % compare shares or costs  arrows scroll                                    ? help  q quit
)");
  EXPECT_EQ(p.state.lines.row, 5u);  // the line that changed is selected
  // Costs and line numbers stay when the source scrolls.
  p.press(key::kRight);
  EXPECT_NE(p.line_with("  1.00 s  +600 ms     3"), "") << p.screen();
  EXPECT_EQ(p.line_with("spin();"), "") << p.screen();
  p.type("s");
  EXPECT_NE(p.line_with("only costs after; s shows the source with both"), "") << p.screen();
  p.type("s");
  EXPECT_NE(p.line_with("400 ms  1.00 s"), "") << p.screen();
}
TEST(Draw, SmallScreens) {
  Player p(kLines, {20, 5});
  EXPECT_EQ(p.screen(), R"( 1  2  3  4 Function
  SELF FUNCTION
 30.0% read
 25.0% draw
Enter callers  6 so…
)");
  p.resize({1, 1});
  EXPECT_EQ(p.screen(), R"(…
)");
}
TEST(Draw, Losses) {
  Profile profile = testing_profile::edited(testing_profile::profile_of(kLines), [](ProfileBuilder& b) {
    b.add_loss("lost.ring_full", 12, true);
    b.add_warning("the file is damaged");
  });
  Player p(std::move(profile), {80, 10});
  EXPECT_EQ(p.line_with("lost"), "./app --size 10  100 samples of cpu-clock, 100 ms  12 lost  1 warning");
  p.type("7");
  EXPECT_EQ(p.screen(), R"( 1 Flame  2 Threads  3 Tree  4 Functions  5 Callers  6 Source  7 Recording
./app --size 10  100 samples of cpu-clock, 100 ms  12 lost  1 warning
profile.wick
./app --size 10
100 samples of cpu-clock at 1,000 Hz in 99.0 ms, 2 threads
12 samples lost (ring full: 12)
warning: the file is damaged


e next event                                                      ? help  q quit
)");
}

TEST(Draw, SourceAndAssembly) {
  ProfileBuilder b;
  EventId event = b.event("cpu-clock", "ns", 1000);
  ThreadId thread = b.add_thread(b.add_process(1, "app"), 1, "app");
  FunctionId work = b.function("work", {}, b.module("/bin/app"));
  for (uint32_t line : {2, 3, 3, 3}) {
    Frame frame{.function = work, .address = 0x1000 + 4 * line, .file = b.string("work.c"), .line = line};
    b.add_sample({.thread = thread, .stack = b.stack(b.frame(frame), {}), .event = event, .weight = 1'000'000});
  }
  Source source = Player::source_of(std::move(b).build());
  source.read_code = [](FunctionId) {
    FunctionCode code;
    code.name = "work";
    code.module = "app";
    code.lines = {{"work.c", 2}, {"work.c", 3}};
    code.sources = {{"work.c", 1, {"void work() {", "\tfirst();", "\tsecond(\"\x1b[2J\");", "}"}}};
    for (uint32_t line : {2, 3}) {
      CodeInstruction i;
      i.machine.address = 0x1000 + 4 * line;
      i.machine.size = 4;
      i.machine.text = line == 2 ? "nop" : "ret";
      i.file = "work.c";
      i.line = line;
      code.instructions.push_back(i);
    }
    return code;
  };
  Player p(std::move(source), {60, 14});
  p.type("6");
  EXPECT_EQ(p.screen(), R"( 1  2  3  4  5  6 Source  7
app (pid 1)  4 samples of cpu-clock, 4.0 ms
work  app  100.0% self, 100.0% total
  SELF  TOTAL  cpu-clock has skid: a cost may belong to an e
               work.c
                    1  void work() {
 25.0%  25.0%       2          first();
 25.0%  25.0%              1008  nop
 75.0%  75.0%       3          second("\x1b[2J");
 75.0%  75.0%            ▶ 100c  ret
                    4  }


s source, assembly, both  arrows scroll       ? help  q quit
)");
  p.type("ss");
  EXPECT_EQ(p.screen(), R"( 1  2  3  4  5  6 Source  7
app (pid 1)  4 samples of cpu-clock, 4.0 ms
work  app  100.0% self, 100.0% total
  SELF  TOTAL  cpu-clock has skid: a cost may belong to an e
               work.c:2
 25.0%  25.0%     1008  nop
               work.c:3
 75.0%  75.0%   ▶ 100c  ret





s source, assembly, both  arrows scroll       ? help  q quit
)");
}

TEST(Draw, SearchIsUnderlined) {
  Player p(kLines, {80, 12});
  p.type("3/parse\r");
  Grid grid = p.grid();
  bool found = false;
  for (int y = 0; y < grid.height(); ++y) {
    for (int x = 0; x + 5 < grid.width(); ++x) {
      if (grid.at(x, y).look.underline) {
        found = true;
        EXPECT_EQ(grid.at(x, y).look.bold, true);
      }
    }
  }
  EXPECT_TRUE(found);
  EXPECT_NE(p.line_with("/parse/: 1 function, 50.0%"), "");
}

TEST(Draw, BoxesHaveTheColorsOfTheirCode) {
  Player p(kLines, {80, 12});
  p.colors = true;
  p.type("1");
  Grid grid = p.grid();
  std::set<Fill::Basic> seen;
  for (int y = 0; y < grid.height(); ++y) {
    for (int x = 0; x < grid.width(); ++x) { seen.insert(grid.at(x, y).look.fill.basic); }
  }
  EXPECT_TRUE(seen.count(Fill::Basic::kYellow)) << "the program";
  EXPECT_TRUE(seen.count(Fill::Basic::kBlue)) << "libc";
}

TEST(Draw, NamesNeverControlTheTerminal) {
  Player p({"app;main;\x1b]0;owned\x07 3",
            "app;main;\xe2\x80\xae"
            "evil 2",
            "app;main;\xff\xfe 1"},
           {80, 12});
  for (char view : std::string_view("1234567")) {
    p.press(static_cast<Key>(view));
    Grid grid = p.grid();
    for (int y = 0; y < grid.height(); ++y) {
      for (int x = 0; x < grid.width(); ++x) {
        char32_t c = grid.at(x, y).text;
        EXPECT_FALSE((c != 0 && c < 0x20) || (c >= 0x7f && c < 0xa0) || c == 0x202e) << view;
      }
    }
  }
}

// Boxes on one level never overlap, and lie within their callers.
TEST(Layout, BoxesNest) {
  std::vector<std::string> lines;
  for (int i = 0; i < 60; ++i) {
    lines.push_back("app;main;f" + std::to_string(i % 7) + ";g" + std::to_string(i) + " " + std::to_string(1 + i * i % 50));
  }
  Player p(lines);
  const Tree& tree = p.data.tree(p.state.query, false);
  for (int width : {1, 2, 10, 33, 80, 500}) {
    std::map<int, int> ends;
    std::vector<Box> boxes = lay_out_boxes(tree, 0, width);
    std::map<uint32_t, Box> by_node;
    for (const Box& box : boxes) {
      EXPECT_LT(box.begin, box.end);
      EXPECT_GE(box.begin, ends[box.level]) << width;
      ends[box.level] = box.end;
      if (box.node == Tree::kNone) { continue; }
      by_node[box.node] = box;
      uint32_t parent = tree.nodes[box.node].parent;
      if (parent == Tree::kNone) { continue; }
      ASSERT_TRUE(by_node.count(parent));
      EXPECT_GE(box.begin, by_node[parent].begin);
      EXPECT_LE(box.end, by_node[parent].end);
    }
  }
}

}  // namespace
}  // namespace wick::tui

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "term/report_view.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analyze/find_function.h"
#include "base/utf8.h"
#include "model/testing.h"
#include "term/tree_view.h"

namespace wick {
namespace {

using testing_profile::add_lines;
using testing_profile::profile_of;

const Style kPlain{};

TEST(ReportView, HeadingReportsLosses) {
  ProfileBuilder b;
  b.set_command({"./app"});
  add_lines(b, {"main;f 150"});
  b.add_loss("lost.ring_full", 3, true);
  b.add_loss("stacks.cut", 2, false);
  b.add_warning("the file is damaged\x1b");
  Profile p = std::move(b).build();
  EXPECT_EQ(render_heading(p, *select_samples(p), {}, kPlain),
            "./app\n"
            "150 samples of cpu-clock at 1,000 Hz in 149 ms, 1 thread\n"
            "3 samples lost (ring full: 3)\n"
            "2 stacks (1.3%) truncated (longer than the copy: 2)\n"
            "warning: the file is damaged\\x1b\n");
  Filter f{.focus = "^f$"};
  EXPECT_NE(render_heading(p, *select_samples(p, f), f, kPlain).find("showing 150 samples (100.0%), with /^f$/\n"),
            std::string::npos);
}

TEST(ReportView, RendersFunctions) {
  Profile p = profile_of({"main;start;libc.so.6`memcpy 30", "main;start 10", "worker;start 60"});
  CostTable t = compute_table(p, *select_samples(p));
  EXPECT_EQ(render_table(p, t, {"ns"}, 0, kPlain),
            " SELF     TIME   TOTAL     TIME  FUNCTION  MODULE\n"
            "70.0%  70.0 ms  100.0%   100 ms  start     app\n"
            "30.0%  30.0 ms   30.0%  30.0 ms  memcpy    libc.so.6\n");
}

TEST(ReportView, CountsHiddenRows) {
  Profile p = profile_of({"t;a 50", "t;b 30", "t;c 15", "t;d 5"});
  CostTable t = compute_table(p, *select_samples(p));
  std::string text = render_table(p, t, {"ns"}, 2, kPlain);
  EXPECT_NE(text.find("... 2 more functions with 20.0% self (--limit 0 shows all)\n"), std::string::npos) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
}

TEST(ReportView, ShowsPathsOfModulesWithSameName) {
  Profile p = profile_of({"t;/opt/one/libfoo.so`f 50", "t;/opt/two/libfoo.so`f 30", "t;main 20"});
  EXPECT_EQ(render_table(p, compute_table(p, *select_samples(p), GroupBy::kModule), {"ns"}, 0, kPlain),
            " SELF     TIME  TOTAL     TIME  MODULE\n"
            "50.0%  50.0 ms  50.0%  50.0 ms  /opt/one/libfoo.so\n"
            "30.0%  30.0 ms  30.0%  30.0 ms  /opt/two/libfoo.so\n"
            "20.0%  20.0 ms  20.0%  20.0 ms  app\n");
}

TEST(ReportView, RendersThreadsAndProcesses) {
  Profile p = profile_of({"main;f 40", "worker;f 60"});
  Selection all = *select_samples(p);
  EXPECT_EQ(render_table(p, compute_table(p, all, GroupBy::kThread), {"ns"}, 0, kPlain),
            "SHARE     TIME  TID  THREAD  PROCESS\n"
            "60.0%  60.0 ms  101  worker  main (100)\n"
            "40.0%  40.0 ms  100  main    main (100)\n");
  EXPECT_EQ(render_table(p, compute_table(p, all, GroupBy::kProcess), {"ns"}, 0, kPlain),
            " SHARE    TIME  PID  PROCESS\n"
            "100.0%  100 ms  100  main\n");
}

TEST(ReportView, FitsTerminalWidth) {
  std::string longest(300, 'x');
  Profile p = profile_of({"main;a::" + longest + "<int>;b(" + longest +
                          ");libaverylongmodulename.so.1.2.3.4.5.6`函数函数函数函数函数函数函数函数函数函数函数 200"});
  Selection all = *select_samples(p);
  for (int width : {48, 60, 80, 120, 200}) {
    Style style{.terminal = true, .color = false, .unicode = true, .width = width};
    std::string text = render_table(p, compute_table(p, all), {"ns"}, 0, style) +
                       render_tree(p, compute_call_tree(p, all), {}, all.weight, style);
    size_t begin = 0;
    for (size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
      EXPECT_LE(display_width(std::string_view(text).substr(begin, end - begin)), width) << text.substr(begin, end - begin);
    }
  }
}

std::string tree(const Profile& p, TreeViewOptions options = {}, bool unicode = true) {
  Selection all = *select_samples(p);
  return render_tree(p, compute_call_tree(p, all), options, all.weight,
                     Style{.terminal = false, .color = false, .unicode = unicode, .width = 0});
}

TEST(TreeView, IndentsOnlyBranches) {
  Profile p =
      profile_of({"t;start;main;a;x 500", "t;start;main;b;libc.so.6`memcpy 300", "t;start;main;b 197", "t;start;main;c 3"});
  EXPECT_EQ(tree(p),
            " TOTAL    SELF  FUNCTION\n"
            "100.0%          start  app\n"
            "100.0%          main\n"
            " 50.0%          ├─ a\n"
            " 50.0%   50.0%  │  x\n"
            " 49.7%   19.7%  ├─ b\n"
            " 30.0%   30.0%  │  memcpy  libc.so.6\n"
            "  0.3%          └─ … 1 more\n");
  EXPECT_NE(tree(p, {}, false).find(" 50.0%          |- a\n"), std::string::npos);
  EXPECT_NE(tree(p, {.callee = "", .callee_self = 0, .least_share = 0, .limit = 0}).find("  0.3%    0.3%  └─ c\n"),
            std::string::npos);
  EXPECT_NE(tree(p, {.callee = "", .callee_self = 0, .least_share = 0.005, .limit = 1}).find(" 50.0%          └─ … 2 more\n"),
            std::string::npos);
}

Profile inlined_profile() {
  ProfileBuilder b;
  EventId event = b.event("cpu-clock", "ns");
  ThreadId thread = b.add_thread(b.add_process(1, "p"), 1, "p");
  ModuleId app = b.module("/app");
  StackId main = b.stack(b.frame({.function = b.function("main", "", app)}), {});
  FrameId frame = b.frame({.function = b.function("ns::inlined_function<int>(int)", "", app), .inlined = true});
  for (int i = 0; i < 200; ++i) {
    b.add_sample({.time_ns = 1, .thread = thread, .stack = b.stack(frame, main), .event = event, .weight = 1'000'000});
  }
  return std::move(b).build();
}

TEST(ReportView, MarksInlinedFunctions) {
  Profile p = inlined_profile();
  Selection all = *select_samples(p);
  CostTable table = compute_table(p, all);
  EXPECT_NE(render_table(p, table, {"ns"}, 0, {}).find("ns::inlined_function<int>(int) (inlined)  app"), std::string::npos);
  std::string narrow = render_table(p, table, {"ns"}, 0, {.terminal = true, .unicode = true, .width = 60});
  EXPECT_NE(narrow.find(" (inlined)"), std::string::npos) << narrow;
  EXPECT_EQ(render_table(p, table, {"ns"}, 0, {.terminal = true, .unicode = true, .width = 25}).find("inlined)"),
            std::string::npos);
  std::string tree = render_tree(p, compute_call_tree(p, all), {}, all.weight, {});
  EXPECT_NE(tree.find("ns::inlined_function<int>(int) (inlined)\n"), std::string::npos) << tree;
  FoundFunction f = *find_function(p, all, "inlined_function");
  std::string callers = render_tree(p, compute_callers(p, all, f.functions), {.callee = f.name}, all.weight, {});
  EXPECT_NE(callers.find("ns::inlined_function<int>(int) (inlined)\n"), std::string::npos) << callers;
}

TEST(TreeView, CallersHaveNoSelfCost) {
  Profile p = profile_of({"t;start;main;a;f 60", "t;start;main;b;f;g 40"});
  Selection all = *select_samples(p);
  FoundFunction f = *find_function(p, all, "f");
  EXPECT_EQ(render_tree(p, compute_callers(p, all, f.functions), {.callee = f.name, .callee_self = 60'000'000}, all.weight,
                        Style{.terminal = false, .color = false, .unicode = true, .width = 0}),
            " TOTAL    SELF  FUNCTION AND ITS CALLERS\n"
            "100.0%   60.0%  f\n"
            " 60.0%          ├─ a  app\n"
            " 60.0%          │  main\n"
            " 60.0%          │  start\n"
            " 40.0%          └─ b  app\n"
            " 40.0%             main\n"
            " 40.0%             start\n");
}

TEST(TreeView, CallersShowStacksThatStartAtFunction) {
  Profile p = profile_of({"t;f 70", "t;main;f 20", "t;start;f 10"});
  Selection all = *select_samples(p);
  FoundFunction f = *find_function(p, all, "f");
  EXPECT_EQ(
      render_tree(p, compute_callers(p, all, f.functions), {.callee = f.name, .callee_self = 100'000'000, .least_share = 0.15},
                  all.weight, Style{.terminal = false, .color = false, .unicode = true, .width = 0}),
      " TOTAL    SELF  FUNCTION AND ITS CALLERS\n"
      "100.0%  100.0%  f\n"
      " 20.0%          ├─ main  app\n"
      " 10.0%          ├─ … 1 more\n"
      " 70.0%          └─ no caller\n");
}

TEST(TreeView, RendersSeveralRootsAndRecursion) {
  std::string deep = "t;main";
  for (int i = 0; i < 5000; ++i) { deep += ";descend"; }
  Profile p = profile_of({deep + ";leaf 70", "t;clone;run 30"});
  EXPECT_EQ(tree(p),
            " TOTAL    SELF  FUNCTION\n"
            " 70.0%          ┌─ main  app\n"
            " 70.0%          │  descend ×5,000\n"
            " 70.0%   70.0%  │  leaf\n"
            " 30.0%          └─ clone  app\n"
            " 30.0%   30.0%     run\n");
}

// Each level's own call is negligible; together they are everything.
std::vector<std::string> recursion_with_dust(const std::string& caller, const std::vector<std::string>& cycle) {
  std::vector<std::string> lines;
  std::string path = "t;" + caller;
  for (size_t i = 0; i < 300; ++i) {
    path += ";" + cycle[i % cycle.size()];
    lines.push_back(path + ";compare 1");
  }
  return lines;
}

TEST(TreeView, MergesCalleesOfRecursion) {
  Profile p = profile_of(recursion_with_dust("main", {"walk"}));
  EXPECT_EQ(tree(p),
            " TOTAL    SELF  FUNCTION\n"
            "100.0%          main  app\n"
            "100.0%          walk ×300\n"
            "100.0%  100.0%  compare\n");
  Selection all = *select_samples(p);
  FoundFunction f = *find_function(p, all, "compare");
  EXPECT_EQ(render_tree(p, compute_callers(p, all, f.functions), {.callee = f.name, .callee_self = f.self.weight}, all.weight,
                        Style{.terminal = false, .color = false, .unicode = true, .width = 0}),
            " TOTAL    SELF  FUNCTION AND ITS CALLERS\n"
            "100.0%  100.0%  compare\n"
            "100.0%          walk ×300  app\n"
            "100.0%          main\n");
}

TEST(TreeView, ShowsBranchesFoldedAlongChain) {
  Profile p = profile_of(recursion_with_dust("main", {"even", "odd"}));
  std::string text = tree(p);
  EXPECT_TRUE(
      text.starts_with(" TOTAL    SELF  FUNCTION\n"
                       "100.0%          main  app\n"
                       "100.0%          even\n"
                       " 99.7%          odd\n"
                       "  0.7%          ├─ … 2 more\n"
                       " 99.3%          even\n"))
      << text;
  size_t folded = 0;
  for (size_t at = 0; (at = text.find("… 2 more", at)) != std::string::npos; ++at) { ++folded; }
  EXPECT_EQ(folded, 150u);  // of 300 samples, two each
}

TEST(TreeView, LimitsIndentation) {
  std::vector<std::string> lines;
  std::string path = "t";
  for (int i = 0; i < 200; ++i) {
    path += strf(";f%d", i);
    lines.push_back(path + ";side 100");
  }
  std::string text = tree(profile_of(lines), {.callee = "", .callee_self = 0, .least_share = 0, .limit = 0});
  EXPECT_LT(text.size(), 40'000u);
  EXPECT_NE(text.find("… 2 more"), std::string::npos);
}

}  // namespace
}  // namespace wick

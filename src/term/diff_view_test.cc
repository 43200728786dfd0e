// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "term/diff_view.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "base/utf8.h"
#include "model/testing.h"

namespace wick {
namespace {

using testing_profile::profile_of;

const Style kPlain{};

struct Shown {
  std::string heading, table;
  std::vector<std::string> regressions;
};
Shown show(const Profile& a, const Profile& b, bool normalized = false, const Style& style = kPlain,
           GroupBy by = GroupBy::kFunction, size_t limit = 0) {
  Selection x = *select_samples(a), y = *select_samples(b);
  Result<Profile> both = combine_profiles(a, x, b, y);
  DiffTable table = compute_diff(*both, *select_sides(*both), normalized, by);
  Shown out{render_diff_heading({"a.wick", a, x}, {"b.wick", b, y}, {}, *both, table, "so it is", style),
            render_diff_table(*both, table, limit, {}, style),
            {}};
  for (const Regression& r : find_regressions(table, 0)) { out.regressions.push_back(describe_regression(*both, table, r)); }
  return out;
}

const std::vector<std::string> kBefore = {"app;main;parse 60", "app;main;libx.so`render 40", "app;main;vanished 20"};
const std::vector<std::string> kAfter = {"app;main;parse 60", "app;main;libx.so`render 140", "app;main;fresh 1"};

TEST(DiffView, ComparesCostsAsRecorded) {
  Shown s = show(profile_of(kBefore), profile_of(kAfter));
  EXPECT_EQ(s.heading,
            "        PROFILE  SAMPLES  RECORDED    TIME  COMMAND\n"
            "before  a.wick       120    119 ms  120 ms  ./app --size 10\n"
            "after   b.wick       201    200 ms  201 ms  ./app --size 10\n"
            "+67.5% overall; comparing costs: so it is (--normalize compares shares)\n"
            "3 of 5 functions changed beyond noise (+ -), 1 of them only in its callees\n");
  EXPECT_EQ(s.table,
            "       SELF   BEFORE   AFTER     SHARE       TOTAL     SHARE  FUNCTION         MODULE\n"
            "+   +100 ms  40.0 ms  140 ms  +36.3 pp     +100 ms  +36.3 pp  render           libx.so\n"
            "-  -20.0 ms  20.0 ms     0 s  -16.7 pp    -20.0 ms  -16.7 pp  vanished (gone)  app\n"
            "                                        + +81.0 ms    0.0 pp  main             app\n"
            "    +1.0 ms      0 s  1.0 ms   +0.5 pp     +1.0 ms   +0.5 pp  fresh (new)      app\n"
            "... 1 function unchanged\n");
  EXPECT_EQ(s.regressions, (std::vector<std::string>{"render: 33.3% -> 69.7% of the total (+36.3 pp)"}));
}

TEST(DiffView, ComparesShares) {
  Shown s = show(profile_of(kBefore), profile_of(kAfter), true);
  EXPECT_EQ(s.table,
            "       SELF  BEFORE  AFTER      TIME     TOTAL      TIME  FUNCTION         MODULE\n"
            "+  +36.3 pp   33.3%  69.7%  +73.0 ms  +36.3 pp  +73.0 ms  render           libx.so\n"
            "-  -20.1 pp   50.0%  29.9%  -40.5 ms  -20.1 pp  -40.5 ms  parse            app\n"
            "-  -16.7 pp   16.7%   0.0%  -33.5 ms  -16.7 pp  -33.5 ms  vanished (gone)  app\n"
            "    +0.5 pp    0.0%   0.5%   +1.0 ms   +0.5 pp   +1.0 ms  fresh (new)      app\n"
            "... 1 function unchanged\n");
  EXPECT_NE(s.heading.find("comparing shares (before scaled by 1.675): so it is (--no-normalize compares costs)\n"),
            std::string::npos)
      << s.heading;
}

TEST(DiffView, ReportsNoDifference) {
  Profile p = profile_of({"t;f 200"});
  Shown s = show(p, p);
  EXPECT_EQ(s.table, "no differences\n");
  EXPECT_NE(s.heading.find("none of 1 function changed beyond noise\n"), std::string::npos) << s.heading;
  ProfileBuilder builder;
  Profile none = std::move(builder).build();
  EXPECT_EQ(show(none, none).table, "");
  EXPECT_NE(show(none, none).heading.find("both have no samples to compare\n"), std::string::npos);
  EXPECT_NE(show(p, none).heading.find("after has no samples to compare\n"), std::string::npos);
}

TEST(DiffView, ReportsUniformChange) {
  std::string heading = show(profile_of({"t;f 1000", "t;g 500"}), profile_of({"t;f 2000", "t;g 1000"})).heading;
  EXPECT_NE(heading.find("no share changed beyond noise: everything grew by the same factor"), std::string::npos) << heading;
  heading = show(profile_of({"t;f 1000", "t;g 500"}), profile_of({"t;f 1000", "t;g 1500"})).heading;
  EXPECT_EQ(heading.find("same factor"), std::string::npos) << heading;
}

// A program whose only hot function became slower looks the same.
TEST(DiffView, DoesNotExplainAChangeByTheMachineIfOneFunctionDominates) {
  std::string heading = show(profile_of({"t;f 1990", "t;g 10"}), profile_of({"t;f 4378", "t;g 22"})).heading;
  EXPECT_NE(heading.find("no share changed beyond noise, but the total grew by 120%: with one function that dominates"),
            std::string::npos)
      << heading;
  EXPECT_EQ(heading.find("(a slower machine?)"), std::string::npos) << heading;
}

TEST(DiffView, UnrelatedProgramsDidNotChangeUniformly) {
  std::vector<std::string> before, after;
  for (int i = 0; i < 600; ++i) { before.push_back(strf("t;main;old%d 1", i)); }
  for (int i = 0; i < 300; ++i) { after.push_back(strf("t;main;new%d 1", i)); }
  std::string heading = show(profile_of(before), profile_of(after)).heading;
  EXPECT_NE(heading.find("few functions in common"), std::string::npos) << heading;
  EXPECT_EQ(heading.find("same factor"), std::string::npos) << heading;
}

TEST(DiffView, CountsHiddenRows) {
  Profile a = profile_of({"t;f 10", "t;g 20", "t;h 30", "t;same 5"}), b = profile_of({"t;f 11", "t;g 22", "t;h 33", "t;same 5"});
  std::string table = show(a, b, false, kPlain, GroupBy::kFunction, 2).table;
  EXPECT_NE(table.find("... 1 more function (--limit 0 shows all), 1 function unchanged\n"), std::string::npos) << table;
}

TEST(DiffView, UsesColors) {
  Style style;
  style.color = true;
  std::string table = show(profile_of(kBefore), profile_of(kAfter), false, style).table;
  EXPECT_NE(table.find("\x1b[1;31m+100 ms\x1b[0m"), std::string::npos) << table;
  EXPECT_NE(table.find("\x1b[1;34m-20.0 ms\x1b[0m"), std::string::npos) << table;
  EXPECT_NE(table.find("\x1b[2mfresh\x1b[0m"), std::string::npos) << table;
}

TEST(DiffView, FitsTerminalWidth) {
  std::string longest(300, 'x');
  Profile a = profile_of({"t;main;libsomething.so.6`" + longest + "(int, std::vector<int>) 60", "t;main;b 40"});
  Profile b = profile_of({"t;main;libsomething.so.6`" + longest + "(int, std::vector<int>) 10", "t;main;c 400"});
  for (GroupBy by : {GroupBy::kFunction, GroupBy::kModule, GroupBy::kThread}) {
    for (bool normalized : {false, true}) {
      for (int width : {40, 60, 80, 120, 200}) {
        Style style;
        style.terminal = true;
        style.width = width;
        std::string table = show(a, b, normalized, style, by).table;
        for (std::string_view line : split(table, '\n')) { EXPECT_LE(display_width(line), width) << line; }
      }
    }
  }
}

}  // namespace
}  // namespace wick

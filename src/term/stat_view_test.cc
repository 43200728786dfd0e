// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "term/stat_view.h"

#include <gtest/gtest.h>

namespace wick {
namespace {

using stat::Bound;
using stat::Scope;
using stat::Unit;

stat::Row row(const char* name, Unit unit, double value, Scope scope = Scope::kTarget) {
  stat::Row out;
  out.figure.name = name;
  out.figure.unit = unit;
  out.figure.value = value;
  out.figure.scope = scope;
  return out;
}

TEST(StatView, FormatsFigures) {
  EXPECT_EQ(format_figure(1234567, Unit::kCount), "1,234,567");
  EXPECT_EQ(format_figure(3.5, Unit::kCount), "3.5") << "a mean of runs";
  EXPECT_EQ(format_figure(1.2345, Unit::kRatio), "1.23");
  EXPECT_EQ(format_figure(0.042, Unit::kShare), "4.2%");
  EXPECT_EQ(format_figure(12.3e6, Unit::kNanoseconds), "12.3 ms");
  EXPECT_EQ(format_figure(-1, Unit::kBytes), "0 B");
}

TEST(StatView, ShowsMeaningsBoundsAndWhatWasScaled) {
  stat::Report report;
  report.title = "./app";
  report.runs = 1;
  stat::Row ipc = row("ipc", Unit::kRatio, 0.5);
  ipc.meaning = "below 1";
  ipc.next = "wick record -- ./app";
  ipc.figure.counted = 0.4;
  stat::Row wait = row("run-queue-wait", Unit::kNanoseconds, 5e6);
  wait.figure.bound = Bound::kAtLeast;
  wait.figure.note = "of some threads";
  report.rows = {ipc, wait, row("major-faults", Unit::kCount, 0), row("steal", Unit::kNanoseconds, 1e6, Scope::kMachine)};
  report.missing = "no PMU";
  EXPECT_EQ(render_stat(report, {}),
            "./app\n"
            "\n"
            "  ipc                        0.50  below 1; scaled: counted 40% of the time\n"
            "      $ wick record -- ./app\n"
            "  run queue wait  at least 5.0 ms  of some threads\n"
            "\n"
            "  the whole machine meanwhile:\n"
            "  steal                    1.0 ms\n"
            "\n"
            "  no PMU\n");
}

TEST(StatView, KeepsTargetsFromWritingToTheTerminal) {
  stat::Report report;
  report.title = "./a\x1b[2J";
  EXPECT_EQ(render_stat(report, {}).find('\x1b'), std::string::npos);
}

TEST(StatView, NamesTheVerdict) {
  stat::CompareReport report;
  report.commands[0] = "./a";
  report.commands[1] = "./b";
  report.rows = stat::compare_runs(std::vector<stat::Figures>(6, {row("elapsed", Unit::kNanoseconds, 1e9).figure}),
                                   std::vector<stat::Figures>(6, {row("elapsed", Unit::kNanoseconds, 2e9).figure}));
  std::string text = render_comparison(report, {});
  EXPECT_NE(text.find("elapsed of B: slower (B takes 2.000 times as long as A, 96.9% interval 2.000 to 2.000, 6 pairs of runs)"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace wick

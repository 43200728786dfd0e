// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Meanings, readings of /proc, cachegrind's files, and figures of several runs.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "stat/cachegrind.h"
#include "stat/machine_use.h"
#include "stat/meaning.h"
#include "stat/report.h"

namespace wick::stat {
namespace {

Figure figure(const char* name, double value, Unit unit = Unit::kCount, Bound bound = Bound::kExact) {
  return {name, "", unit, Scope::kTarget, value, 1, bound};
}

std::string meaning_of(const Figures& figures, std::string_view name) {
  for (const Meaning& m : find_meanings(figures, "-- ./app", true)) {
    if (m.figure == name) { return m.text + " | " + m.command; }
  }
  return "";
}

TEST(Meaning, OfInstructionsPerCycle) {
  EXPECT_TRUE(meaning_of({figure("ipc", 0.4, Unit::kRatio)}, "ipc").ends_with("memory | wick record -e cache-misses -- ./app"));
  EXPECT_EQ(meaning_of({figure("ipc", 1.5, Unit::kRatio)}, "ipc"), "");
  EXPECT_TRUE(meaning_of({figure("ipc", 2.4, Unit::kRatio)}, "ipc").starts_with("above 2"));
}

TEST(Meaning, ComparesWithTheTime) {
  auto with_wait = [](double wait) {
    return Figures{figure("task-clock", 1e9, Unit::kNanoseconds), figure("run-queue-wait", wait, Unit::kNanoseconds)};
  };
  EXPECT_EQ(meaning_of(with_wait(5e7), "run-queue-wait"), "");
  EXPECT_TRUE(meaning_of(with_wait(2e8), "run-queue-wait").ends_with("| sudo wick top -a"));
  auto with_switches = [](double n) { return Figures{figure("task-clock", 2e9, Unit::kNanoseconds), figure("context-switches", n)}; };
  EXPECT_EQ(meaning_of(with_switches(9000), "context-switches"), "");
  EXPECT_NE(meaning_of(with_switches(11000), "context-switches"), "");
}

// A program that waits for a CPU all the time is not idle, though it uses little of one.
TEST(Meaning, DoesNotCallAStarvedProgramAsleep) {
  Figures figures{figure("elapsed", 1e9, Unit::kNanoseconds), figure("task-clock", 1e8, Unit::kNanoseconds),
                  figure("cpus-used", 0.1, Unit::kRatio), figure("run-queue-wait", 8e8, Unit::kNanoseconds)};
  EXPECT_EQ(meaning_of(figures, "cpus-used"), "");
  figures.back().value = 0;
  EXPECT_NE(meaning_of(figures, "cpus-used"), "");
  figures[0].value = 1e6;
  EXPECT_EQ(meaning_of(figures, "cpus-used"), "") << "a run of a millisecond says nothing";
}

TEST(Meaning, OfABoundOnlyIfItProvesIt) {
  EXPECT_EQ(meaning_of({figure("ipc", 0.5, Unit::kRatio, Bound::kAtLeast)}, "ipc"), "");
  EXPECT_NE(meaning_of({figure("ipc", 2.5, Unit::kRatio, Bound::kAtLeast)}, "ipc"), "");
}

TEST(Meaning, EveryRuleHasATextAndACommand) {
  for (const Rule& rule : rules()) {
    Figures figures{figure("elapsed", 1e9, Unit::kNanoseconds), figure("task-clock", 1e9, Unit::kNanoseconds)};
    bool is_time = rule.per != nullptr && rule.limit < 1;
    figures.push_back(figure(rule.figure, rule.above ? (is_time ? 1e9 : 1e8) : 0, is_time ? Unit::kNanoseconds : Unit::kCount));
    std::string found = meaning_of(figures, rule.figure);
    EXPECT_FALSE(found.empty()) << rule.figure;
    EXPECT_EQ(found.find('{'), found.npos) << found;
  }
}

TEST(Machine, ParsesPressureAndBusyTime) {
  EXPECT_EQ(parse_pressure("some avg10=0.00 avg60=1.00 avg300=2.00 total=1234\nfull avg10=0.00 avg60=0 avg300=0 total=7\n"), 1'234'000u);
  EXPECT_EQ(parse_pressure("full total=7\n"), std::nullopt);
  EXPECT_EQ(parse_pressure("some total=99999999999999999999\n"), std::nullopt);
  EXPECT_EQ(parse_pressure(""), std::nullopt);
  EXPECT_EQ(parse_busy_ticks("cpu  100 20 30 4000 50 6 7 8 0 0\ncpu0 1\n"), 163u);
  EXPECT_EQ(parse_busy_ticks("intr 1 2 3"), 0u);
}

constexpr char kFile[] =
    "desc: I1 cache:         32768 B, 64 B, 8-way associative\ncmd: ./f 1\nevents: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw Bc Bcm Bi Bim\n"
    "fl=f.c\nfn=main\n3 5 0 0 0 0 0 0 0 0 0 0 0 0\nsummary: 1000 10 5 300 30 3 100 10 1 200 20 50 5\n";

TEST(Cachegrind, ReadsTheSummary) {
  Result<CachegrindTotals> totals = parse_cachegrind(kFile);
  ASSERT_TRUE(totals.ok()) << totals.error().message();
  EXPECT_EQ(totals->command, "./f 1");
  Figures figures = simulated_figures(*totals);
  EXPECT_EQ(find_figure(figures, "simulated-instructions")->value, 1000);
  EXPECT_EQ(find_figure(figures, "simulated-instructions")->scope, Scope::kSimulated);
  EXPECT_DOUBLE_EQ(find_figure(figures, "simulated-d1-miss-share")->value, 0.1);
  EXPECT_EQ(find_figure(figures, "simulated-ll-misses")->value, 9);
  EXPECT_DOUBLE_EQ(find_figure(figures, "simulated-branch-miss-share")->value, 0.1);
  CachegrindTotals sum;
  ASSERT_TRUE(add_totals(sum, *totals).ok());
  ASSERT_TRUE(add_totals(sum, *totals).ok());
  EXPECT_EQ(sum.totals[0], 2000u);
}

TEST(Cachegrind, RefusesOtherFiles) {
  EXPECT_FALSE(parse_cachegrind("").ok());
  EXPECT_FALSE(parse_cachegrind("events: Ir\nfn=main\n1 2\n").ok()) << "without a summary it is incomplete";
  EXPECT_FALSE(parse_cachegrind("events: Ir Dr\nsummary: 1\n").ok());
  EXPECT_FALSE(parse_cachegrind("events: Ir\nsummary: -1\n").ok());
  EXPECT_EQ(parse_valgrind_parent("==7== Command: x\n==7== Parent PID: 4711\n"), 4711u);
  EXPECT_EQ(parse_valgrind_parent("Parent PID: "), 0u);
}

TEST(Report, PrefersCompleteCountsToScaledOnes) {
  Figure scaled = figure("cycles", 900), complete = figure("cycles", 1000);
  scaled.counted = 0.5;
  std::vector<Row> rows = combine({{scaled}, {complete}, {}, {complete}});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].figure.value, 1000);
  EXPECT_EQ(rows[0].figure.counted, 1);
  EXPECT_EQ(rows[0].runs.runs, 2u);
  rows = combine({{scaled}, {scaled}});
  EXPECT_EQ(rows[0].figure.counted, 0.5) << "stays marked";
}

TEST(Report, SaysWhatIsMissingAndWhereItWouldBe) {
  CounterPlan plan;
  plan.hardware_error = ENOENT;
  Missing missing = explain_missing(plan, {}, PerfCall::kReaches, "-- ./app");
  EXPECT_NE(missing.why.find("no PMU"), std::string::npos);
  EXPECT_EQ(missing.next, "wick stat --exact -- ./app");
  EXPECT_EQ(explain_missing(plan, {}, PerfCall::kReaches, "-p 1").next, "") << "--exact needs a command";
  plan.hardware_error = EACCES;
  EXPECT_NE(explain_missing(plan, {}, PerfCall::kReaches, "-- x").why.find("perf_event_paranoid"), std::string::npos);
  EXPECT_NE(explain_missing(plan, {}, PerfCall::kFiltered, "-- x").why.find("seccomp"), std::string::npos);
  plan.hardware_error = 0;
  EXPECT_EQ(explain_missing(plan, {}, PerfCall::kReaches, "-- x").why, "");
}

}  // namespace
}  // namespace wick::stat

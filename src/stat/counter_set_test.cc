// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "stat/counter_set.h"

#include <gtest/gtest.h>

#include "stat/fake_counters_testing.h"

namespace wick::stat {
namespace {

CounterGroup group_of(const std::vector<std::string>& names, const std::string& core = "", std::vector<uint32_t> cpus = {}) {
  CounterGroup group;
  group.core = core;
  group.cpus = std::move(cpus);
  group.hardware = true;
  for (const std::string& name : names) { group.counters.push_back({name, {}}); }
  return group;
}

double value_of(const Figures& figures, const char* name, const char* core = "") {
  const Figure* figure = find_figure(figures, name, core);
  EXPECT_NE(figure, nullptr) << name;
  return figure == nullptr ? -1 : figure->value;
}

TEST(CountFigures, KeepsCountsOfAGroupThatAlwaysRan) {
  CounterGroup group = group_of({"cycles", "instructions", "branches", "branch-misses"});
  Figures out = count_figures({{&group, {1000, 2500, 400, 8}, 100, 100}}, false);
  EXPECT_EQ(value_of(out, "cycles"), 1000);
  EXPECT_DOUBLE_EQ(value_of(out, "ipc"), 2.5);
  EXPECT_DOUBLE_EQ(value_of(out, "branch-miss-share"), 0.02);
  EXPECT_EQ(find_figure(out, "ipc")->counted, 1);
}

// Two groups took turns: each is scaled to the complete time and says so. The ratios are those of the time that was counted.
TEST(CountFigures, ScalesCountersThatTookTurns) {
  CounterGroup first = group_of({"cycles", "instructions"}), second = group_of({"stalled-cycles-backend", "cycles"});
  Figures out = count_figures({{&first, {600, 300}, 1000, 600}, {&second, {100, 400}, 1000, 400}}, false);
  EXPECT_DOUBLE_EQ(value_of(out, "instructions"), 500);
  EXPECT_DOUBLE_EQ(find_figure(out, "instructions")->counted, 0.6);
  EXPECT_DOUBLE_EQ(value_of(out, "ipc"), 0.5);
  EXPECT_DOUBLE_EQ(value_of(out, "stalled-cycles-backend"), 250);
  EXPECT_DOUBLE_EQ(value_of(out, "backend-stalls"), 0.25) << "of the cycles of its own group, not of the other";
  EXPECT_DOUBLE_EQ(value_of(out, "cycles"), 1000) << "once, from the first group";
}

// On a hybrid machine a counter rests while the program runs on other cores. That is no multiplexing, and scaling it would
// multiply the count.
TEST(CountFigures, DoesNotScaleForTimeOnOtherCores) {
  CounterGroup core = group_of({"cycles", "instructions"}, "cpu_core"), atom = group_of({"cycles", "instructions"}, "cpu_atom");
  Figures out = count_figures({{&core, {750, 1500}, 1000, 750}, {&atom, {250, 125}, 1000, 250}}, false);
  EXPECT_EQ(value_of(out, "cycles", "cpu_core"), 750);
  EXPECT_EQ(value_of(out, "cycles", "cpu_atom"), 250);
  EXPECT_DOUBLE_EQ(value_of(out, "ipc", "cpu_core"), 2);
  EXPECT_DOUBLE_EQ(value_of(out, "ipc", "cpu_atom"), 0.5);
  EXPECT_EQ(find_figure(out, "cycles", "cpu_atom")->counted, 1);
}

TEST(CountFigures, ScalesWhatTookTurnsOnOneTypeOfCores) {
  CounterGroup core = group_of({"cycles"}, "cpu_core"), more = group_of({"branches"}, "cpu_core"), atom = group_of({"cycles"}, "cpu_atom");
  Figures out = count_figures({{&core, {750}, 1000, 750}, {&more, {100}, 1000, 250}, {&atom, {250}, 1000, 250}}, false);
  EXPECT_EQ(find_figure(out, "cycles", "cpu_core")->counted, 1);
  EXPECT_DOUBLE_EQ(value_of(out, "branches", "cpu_core"), 300);
  EXPECT_DOUBLE_EQ(find_figure(out, "branches", "cpu_core")->counted, 1.0 / 3);
}

TEST(CountFigures, NamesCountersThatNeverRan) {
  CounterGroup first = group_of({"cycles"}), second = group_of({"cache-misses"});
  std::vector<std::string> never;
  Figures out = count_figures({{&first, {10}, 1000, 1000}, {&second, {0}, 1000, 0}}, false, &never);
  EXPECT_EQ(find_figure(out, "cache-misses"), nullptr) << "not 0, but unknown";
  EXPECT_EQ(never, (std::vector<std::string>{"cache-misses"}));
}

TEST(CountFigures, ComputesTopDownShares) {
  CounterGroup intel = group_of({"slots", "topdown-retiring", "topdown-bad-spec", "topdown-fe-bound", "topdown-be-bound"});
  Figures out = count_figures({{&intel, {1000, 400, 100, 200, 300}, 10, 10}}, false);
  EXPECT_DOUBLE_EQ(value_of(out, "retiring"), 0.4);
  EXPECT_DOUBLE_EQ(value_of(out, "backend-bound"), 0.3);
  CounterGroup arm = group_of({"topdown-cycles", "stall-slot-frontend", "stall-slot-backend", "op-retired", "op-spec"});
  arm.slots = 8;
  out = count_figures({{&arm, {100, 80, 240, 432, 480}, 10, 10}}, false);
  EXPECT_DOUBLE_EQ(value_of(out, "frontend-bound"), 0.1);
  EXPECT_DOUBLE_EQ(value_of(out, "backend-bound"), 0.3);
  EXPECT_DOUBLE_EQ(value_of(out, "retiring"), 0.54);
  EXPECT_DOUBLE_EQ(value_of(out, "bad-speculation"), 0.06);
}

TEST(CounterSet, OpensOnlyOnTheCpusOfAPmu) {
  CounterPlan plan;
  plan.groups = {group_of({"cycles"}, "cpu_core", {0}), group_of({"cycles"}, "cpu_atom", {1, 2})};
  FakeCounters port;
  {
    Result<CounterSet> set = CounterSet::open(plan, {{-1, 0}, {-1, 1}, {-1, 2}}, port, false);
    ASSERT_TRUE(set.ok());
    EXPECT_EQ(port.opened.size(), 3u);
  }
  EXPECT_TRUE(port.opened.empty());
}

TEST(CounterSet, CanOpenOneGroupOfEachTypeOfCores) {
  CounterPlan plan;
  plan.groups = {group_of({"a"}, "p"), group_of({"b"}, "p"), group_of({"c"}, "e"), group_of({"d"}, "e")};
  FakeCounters port;
  port.reads = [](const FakeCounters::Opened&, size_t size) { return GroupReading{100, 50, std::vector<uint64_t>(size, 7)}; };
  Result<CounterSet> set = CounterSet::open(plan, {{1, -1}}, port, true, 1);
  ASSERT_TRUE(set.ok());
  Figures out = count_figures(set->read(), false);
  EXPECT_EQ(value_of(out, "b", "p"), 7) << "half of the time on each type is no multiplexing";
  EXPECT_EQ(value_of(out, "d", "e"), 7);
  EXPECT_EQ(find_figure(out, "a", "p"), nullptr);
}

// A task counted on each CPU is enabled on all of them all the time; the sum must not be scaled by the number of CPUs.
TEST(CounterSet, AddsUpATaskOnAllCpus) {
  CounterPlan plan;
  plan.groups = {group_of({"cycles"})};
  FakeCounters port;
  port.reads = [](const FakeCounters::Opened& leader, size_t) {
    return leader.cpu == 0 ? GroupReading{1000, 900, {90}} : GroupReading{1000, 100, {10}};
  };
  Result<CounterSet> set = CounterSet::open(plan, {{1, 0}, {1, 1}}, port, true);
  ASSERT_TRUE(set.ok());
  Figures out = count_figures(set->read(), false);
  EXPECT_EQ(value_of(out, "cycles"), 100);
  EXPECT_EQ(find_figure(out, "cycles")->counted, 1);
}

TEST(CounterSet, CountersOfAGroupStartWithItsLeader) {
  CounterPlan plan;
  plan.groups = {group_of({"cycles", "instructions"})};
  FakeCounters port;
  Result<CounterSet> set = CounterSet::open(plan, {{1, -1}}, port, true);
  ASSERT_TRUE(set.ok());
  ASSERT_EQ(port.opened.size(), 2u);
  const auto& leader = port.opened.begin()->second;
  const auto& other = port.opened.rbegin()->second;
  EXPECT_TRUE(leader.attr.disabled && leader.attr.enable_on_exec && leader.attr.inherit && leader.leader == -1);
  EXPECT_TRUE(!other.attr.disabled && !other.attr.enable_on_exec && other.attr.inherit);
  EXPECT_EQ(other.leader, port.opened.begin()->first);
}

}  // namespace
}  // namespace wick::stat

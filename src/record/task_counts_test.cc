// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/task_counts.h"

#include <gtest/gtest.h>

namespace wick {
namespace {

constexpr uint64_t kPeriod = 1000;

PerfSwitch in(uint32_t tid, uint64_t time_ns) { return {1, tid, time_ns, false}; }
PerfSwitch out(uint32_t tid, uint64_t time_ns) { return {1, tid, time_ns, true}; }

TEST(TaskCounts, AddsUpTimeOnEachCpu) {
  TaskCounts counts(kPeriod);
  counts.on_fork({100, 1, 1, 7, 1});
  counts.on_switch(in(7, 200), 0);
  counts.on_switch(out(7, 900), 0);
  counts.on_switch(in(7, 2000), 1);
  std::optional<CountEvent> count = counts.on_exit({3600, 1, 7});
  ASSERT_TRUE(count);
  EXPECT_EQ(count->counted, 700 + 1600);
  EXPECT_EQ(count->tail, 700u + 600u) << "each CPU has its own clock";
  EXPECT_FALSE(counts.on_exit({3600, 1, 7})) << "reported twice";
}

TEST(TaskCounts, ExecSplitsTime) {
  TaskCounts counts(kPeriod);
  counts.on_fork({100, 7, 1, 7, 1});
  counts.on_switch(in(7, 200), 0);
  std::optional<CountEvent> before = counts.on_exec({500, 7, 7, true, "next"});
  ASSERT_TRUE(before);
  EXPECT_EQ(before->counted, 300);
  std::optional<CountEvent> after = counts.on_exit({1500, 7, 7});
  ASSERT_TRUE(after);
  EXPECT_EQ(after->counted, 1000);
}

TEST(TaskCounts, TimeBeforeTheCommandIsNotCounted) {
  TaskCounts counts(0);
  counts.begin(7, 7, 0);
  counts.begin_command(7, 300);
  EXPECT_FALSE(counts.on_exit({1500, 7, 7}));
  counts.begin_command(7, 200);  // less than is known already
  std::optional<CountEvent> count = counts.on_end(7, 7, 1000, 1600);
  ASSERT_TRUE(count);
  EXPECT_EQ(count->counted, 700);
}

TEST(TaskCounts, LostSwitchesGiveNoWrongCount) {
  TaskCounts counts(kPeriod);
  counts.on_fork({100, 1, 1, 7, 1});
  counts.on_switch(in(7, 200), 0);
  counts.on_lost();
  EXPECT_FALSE(counts.on_exit({3600, 1, 7}));
  counts.on_fork({4000, 1, 1, 8, 1});
  counts.on_switch(in(8, 4000), 0);
  EXPECT_TRUE(counts.on_exit({4500, 1, 8})) << "a task created later is known";
  EXPECT_EQ(counts.way_out_ns(100'000), 0u) << "the sum is unknown now";
}

TEST(TaskCounts, ExitTimeIsSharedByEndedTasks) {
  TaskCounts counts(kPeriod);
  for (uint32_t tid : {7u, 8u}) {
    counts.on_fork({100, tid, 1, tid, 1});
    counts.on_switch(in(tid, 200), 0);
    ASSERT_TRUE(counts.on_exit({1200, tid, tid}));
  }
  EXPECT_EQ(counts.way_out_ns(2060), 30u);
  EXPECT_EQ(counts.way_out_ns(1999), 0u) << "less than the sum of the counts: some tasks were not waited for";
}

// If the clock continues across tasks, the count comes from the end itself.
TEST(TaskCounts, EndsAreCorrectedByProcessTotal) {
  TaskCounts counts(0);
  for (uint32_t tid : {7u, 8u}) {
    counts.on_fork({100, 5, 5, tid, 5});
    EXPECT_FALSE(counts.on_exit({1000, 5, tid}));
  }
  EXPECT_EQ(counts.awaited_ends(), 2u);
  EXPECT_FALSE(counts.on_end(5, 99, 1, 1000)) << "of another process";
  std::optional<CountEvent> end = counts.on_end(5, 7, 50'010, 2000);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->counted, 50'010);
  ASSERT_TRUE(counts.on_end(5, 8, 50'010, 2000));
  EXPECT_EQ(counts.awaited_ends(), 0u);
  EXPECT_EQ(counts.afterwards_ns(5, 100'000), 10u);
  EXPECT_EQ(counts.afterwards_ns(6, 100'000), 0u);
}

TEST(TaskCounts, MissingEndsShareRest) {
  TaskCounts counts(0);
  for (uint32_t tid : {7u, 8u, 9u}) {
    counts.on_fork({100, 5, 5, tid, 5});
    EXPECT_FALSE(counts.on_exit({1000, 5, tid}));
  }
  ASSERT_TRUE(counts.on_end(5, 7, 40'000, 2000));
  EXPECT_TRUE(counts.share_rest(40'000, 3000).empty());
  std::vector<CountEvent> shared = counts.share_rest(100'000, 3000);
  ASSERT_EQ(shared.size(), 2u);
  EXPECT_EQ(shared[0].counted + shared[1].counted, 60'000);
  EXPECT_EQ(counts.awaited_ends(), 0u);
  counts.on_fork({100, 5, 5, 10, 5});
  counts.on_fork({100, 5, 5, 11, 5});
  counts.on_exit({1000, 5, 10});
  EXPECT_TRUE(counts.share_rest(200'000, 3000).empty()) << "one still runs";
}

// Equal parts would give a thread that only waited as much as one that worked.
TEST(TaskCounts, LongLivedTasksDoNotShareRest) {
  TaskCounts counts(0);
  for (uint32_t tid : {7u, 8u}) {
    counts.on_fork({100, 5, 5, tid, 5});
    counts.on_exit({tid == 7 ? 500'000'000u : 1000u, 5, tid});
  }
  EXPECT_TRUE(counts.share_rest(100'000, 500'000'100).empty());
  EXPECT_EQ(counts.awaited_ends(), 2u);
}

}  // namespace
}  // namespace wick

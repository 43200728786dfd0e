// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/time_balance.h"

#include <gtest/gtest.h>

namespace wick {
namespace {

constexpr uint64_t kPeriod = 1'000'000;

ThreadTime thread(int64_t counted, uint64_t samples, uint64_t tail = 0, uint32_t name = 1) {
  return {
      .process_name = 1, .thread_name = name, .counted = counted, .tail = tail, .sampled = samples * kPeriod, .samples = samples};
}

std::vector<ThreadBalance> balance(std::vector<ThreadTime> threads, BalanceRules rules) { return balance_times(threads, rules); }

TimeTotals totals(std::vector<ThreadTime> threads, BalanceRules rules) {
  std::vector<ThreadBalance> balances = balance_times(threads, rules);
  return add_up(threads, balances);
}

TEST(TimeBalance, WithoutACountSamplesStayAsTheyAre) {
  ThreadTime t = thread(0, 3);
  t.counted.reset();
  for (bool shared : {false, true}) {
    std::vector<ThreadBalance> out = balance_times({&t, 1}, {.shared_clock = shared, .period = kPeriod});
    EXPECT_EQ(out[0].sampled, 3 * kPeriod);
    EXPECT_EQ(out[0].unsampled, 0u);
  }
}

// A task that becomes one program after another is counted once, at its end: what each of them was sampled with is taken from
// that.
TEST(TimeBalance, ProgramsThatATaskHasLeftAddUpToItsCount) {
  std::vector<ThreadTime> threads(10, thread(0, 2));
  for (ThreadTime& t : threads) { t.counted.reset(); }
  int64_t period = static_cast<int64_t>(kPeriod);
  threads.push_back(thread(0, 1));
  threads.back().counted = 18 * period - 20 * period;
  TimeTotals all = totals(threads, {.shared_clock = true, .period = kPeriod});
  EXPECT_EQ(all.counted, 18 * kPeriod);
  EXPECT_NEAR(static_cast<double>(all.sampled + all.unsampled), 18.0 * static_cast<double>(kPeriod), 100);
}

TEST(TimeBalance, AThreadShorterThanAPeriodOfItsOwnIsUnsampled) {
  std::vector<ThreadTime> threads(100, thread(300'000, 0, 300'000));
  TimeTotals all = totals(threads, {.period = kPeriod});
  EXPECT_EQ(all.counted, 30'000'000u);
  EXPECT_EQ(all.sampled, 0u);
  EXPECT_EQ(all.unsampled, 30'000'000u);
}

TEST(TimeBalance, TheTimeAfterTheLastSampleIsUnsampled) {
  std::vector<ThreadBalance> out = balance({thread(20'500'000, 20, 500'000)}, {.period = kPeriod});
  EXPECT_EQ(out[0].sampled, 20 * kPeriod);
  EXPECT_EQ(out[0].unsampled, 500'000u);
}

// Samples that stand for more than the thread used took over another thread's clock.
TEST(TimeBalance, SamplesStandForNoMoreThanWasCounted) {
  std::vector<ThreadBalance> out = balance({thread(100'000, 1)}, {.period = kPeriod});
  EXPECT_EQ(out[0].sampled, 100'000u);
  EXPECT_EQ(out[0].unsampled, 0u);
}

TEST(TimeBalance, TimeInTheKernelIsNoPartOfAUserProfile) {
  BalanceRules rules{.user_only = true, .period = kPeriod};
  std::vector<ThreadBalance> out = balance({thread(100'500'000, 40, 500'000)}, rules);
  EXPECT_EQ(out[0].sampled, 40 * kPeriod);
  EXPECT_LE(out[0].unsampled, 4 * kPeriod);
  // Nothing says where a short task was.
  out = balance({thread(2'300'000, 0, 300'000)}, rules);
  EXPECT_EQ(out[0].unsampled, 2'300'000u);
  out = balance({thread(500'000'000, 0, 300'000)}, rules);
  EXPECT_EQ(out[0].unsampled, 4 * kPeriod) << "but of a long one all samples were due in the kernel";
}

// One in three threads of a third of a period is hit; its sample stands for all three.
TEST(TimeBalance, UnderASharedClockShortThreadsAreBalancedTogether) {
  std::vector<ThreadTime> threads;
  for (int i = 0; i < 300; ++i) { threads.push_back(thread(333'333, i % 3 == 0 ? 1 : 0)); }
  TimeTotals all = totals(threads, {.shared_clock = true});
  EXPECT_NEAR(static_cast<double>(all.sampled), static_cast<double>(all.counted), 1000);
  EXPECT_LT(all.unsampled, 1000u);
}

TEST(TimeBalance, ThreadsOfOtherNamesDoNotStandForEachOther) {
  std::vector<ThreadTime> threads(10, thread(100'000, 0, 0, 7));
  threads.push_back(thread(1'000'000, 1, 0, 8));
  std::vector<ThreadBalance> out = balance(threads, {.shared_clock = true});
  for (int i = 0; i < 10; ++i) { EXPECT_EQ(out[static_cast<size_t>(i)].unsampled, 100'000u); }
  EXPECT_EQ(out[10].sampled, 1'000'000u);
}

TEST(TimeBalance, FewSamplesDoNotStandForEverything) {
  std::vector<ThreadTime> threads(100, thread(500'000, 0));
  threads[0] = thread(500'000, 1);
  TimeTotals all = totals(threads, {.shared_clock = true});
  EXPECT_EQ(all.sampled, 2 * kPeriod);
  EXPECT_NEAR(static_cast<double>(all.sampled + all.unsampled), static_cast<double>(all.counted), 1000);
}

TEST(TimeBalance, ALongThreadIsBalancedByItself) {
  std::vector<ThreadTime> threads = {thread(100'000'000, 90), thread(300'000, 1)};
  std::vector<ThreadBalance> out = balance(threads, {.shared_clock = true});
  EXPECT_EQ(out[0].sampled, 100'000'000u);
  EXPECT_EQ(out[1].sampled, 300'000u);
  out = balance({thread(200'000'000, 100)}, {.shared_clock = true});
  EXPECT_EQ(out[0].sampled, 125'000'000u) << "a quarter more at most";
  EXPECT_EQ(out[0].unsampled, 75'000'000u);
}

// All of a gap may be one function.
TEST(TimeBalance, SamplesDoNotRepresentGaps) {
  for (bool shared_clock : {false, true}) {
    std::vector<ThreadBalance> out = balance({thread(120'000'000, 100)}, {.shared_clock = shared_clock, .has_gaps = true});
    EXPECT_EQ(out[0].sampled, 102'000'000u);
    EXPECT_EQ(out[0].unsampled, 18'000'000u);
  }
}

TEST(TimeBalance, ManySamplesThatComeNearStayAsTheyAre) {
  for (bool shared : {false, true}) {
    for (int64_t counted : {100'900'000, 99'100'000}) {
      ThreadTime t = thread(counted, 100);
      std::vector<ThreadBalance> out = balance_times({&t, 1}, {.shared_clock = shared, .period = kPeriod});
      EXPECT_EQ(out[0].sampled, 100 * kPeriod);
      EXPECT_EQ(out[0].unsampled, 0u);
    }
  }
}

TEST(TimeBalance, ATraceOfUnsampledTimeIsNotShown) {
  std::vector<ThreadTime> threads = {thread(1'000'000'000, 1000), thread(900'000, 0, 900'000)};
  EXPECT_EQ(totals(threads, {.period = kPeriod}).unsampled, 0u);
  threads.push_back(thread(19'000'000, 0, 19'000'000));
  EXPECT_EQ(totals(threads, {.period = kPeriod}).unsampled, 19'900'000u);
}

// Whatever a file says, nothing overflows.
TEST(TimeBalance, SenselessValuesAreBounded) {
  for (bool shared : {false, true}) {
    std::vector<ThreadTime> threads(4, thread(INT64_MAX, 3, UINT64_MAX));
    threads[1].counted = INT64_MIN;
    threads[2].sampled = UINT64_MAX;
    threads[3].samples = UINT64_MAX;
    for (ThreadTime& t : threads) { t.ended = true; }
    TimeTotals all =
        totals(threads, {.shared_clock = shared, .period = UINT64_MAX, .way_out = UINT64_MAX, .afterwards = UINT64_MAX});
    EXPECT_LT(all.counted, uint64_t{1} << 60);
  }
}

// Each ended thread has used a little more than was counted, or a little less.
TEST(TimeBalance, WaysOutBelongToThreadsThatEnded) {
  ThreadTime living = thread(300'000, 0, 300'000), ended = living;
  ended.ended = true;
  EXPECT_EQ(totals({living, ended}, {.period = kPeriod, .way_out = 20'000}).counted, 620'000u);
  EXPECT_EQ(totals({living, ended}, {.shared_clock = true, .afterwards = 10'000}).counted, 590'000u);
  ended.first = true;
  EXPECT_EQ(totals({living, ended}, {.shared_clock = true, .afterwards = 10'000}).counted, 600'000u);
}

// What a program before an exec was sampled for is taken off the count of the one after it, and evens out over many.
TEST(TimeBalance, CountsBelowZeroEvenOut) {
  std::vector<ThreadTime> threads;
  for (int i = 0; i < 100; ++i) { threads.push_back(i % 4 == 0 ? thread(-100'000, 0) : thread(900'000, 1)); }
  TimeTotals all = totals(threads, {.shared_clock = true});
  EXPECT_EQ(all.counted, 65'000'000u);
  EXPECT_NEAR(static_cast<double>(all.sampled + all.unsampled), 65e6, 1000);
}

}  // namespace
}  // namespace wick

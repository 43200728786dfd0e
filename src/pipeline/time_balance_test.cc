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

TEST(TimeBalance, WithoutACountSamplesAreUnchanged) {
  ThreadTime t = thread(0, 3);
  t.counted.reset();
  for (bool shared : {false, true}) {
    std::vector<ThreadBalance> out = balance_times({&t, 1}, {.shared_clock = shared, .period = kPeriod});
    EXPECT_EQ(out[0].sampled, 3 * kPeriod);
    EXPECT_EQ(out[0].unsampled, 0u);
  }
}

// A task that runs several programs is counted once, at its end, minus what each was sampled with.
TEST(TimeBalance, ProgramsBeforeAnExecAddUpToTheCount) {
  std::vector<ThreadTime> threads(10, thread(0, 2));
  for (ThreadTime& t : threads) { t.counted.reset(); }
  int64_t period = static_cast<int64_t>(kPeriod);
  threads.push_back(thread(0, 1));
  threads.back().counted = 18 * period - 20 * period;
  TimeTotals all = totals(threads, {.shared_clock = true, .period = kPeriod});
  EXPECT_EQ(all.counted, 18 * kPeriod);
  EXPECT_NEAR(static_cast<double>(all.sampled + all.unsampled), 18.0 * static_cast<double>(kPeriod), 100);
}

TEST(TimeBalance, ThreadShorterThanItsPeriodIsUnsampled) {
  std::vector<ThreadTime> threads(100, thread(300'000, 0, 300'000));
  TimeTotals all = totals(threads, {.period = kPeriod});
  EXPECT_EQ(all.counted, 30'000'000u);
  EXPECT_EQ(all.sampled, 0u);
  EXPECT_EQ(all.unsampled, 30'000'000u);
}

TEST(TimeBalance, TimeAfterTheLastSampleIsUnsampled) {
  std::vector<ThreadBalance> out = balance({thread(20'500'000, 20, 500'000)}, {.period = kPeriod});
  EXPECT_EQ(out[0].sampled, 20 * kPeriod);
  EXPECT_EQ(out[0].unsampled, 500'000u);
}

// Samples that exceed the thread's time took over another thread's clock.
TEST(TimeBalance, SamplesAreLimitedToTheCount) {
  std::vector<ThreadBalance> out = balance({thread(100'000, 1)}, {.period = kPeriod});
  EXPECT_EQ(out[0].sampled, 100'000u);
  EXPECT_EQ(out[0].unsampled, 0u);
}

TEST(TimeBalance, KernelTimeIsNotPartOfAUserProfile) {
  BalanceRules rules{.user_only = true, .period = kPeriod};
  std::vector<ThreadBalance> out = balance({thread(100'500'000, 40, 500'000)}, rules);
  EXPECT_EQ(out[0].sampled, 40 * kPeriod);
  EXPECT_LE(out[0].unsampled, 4 * kPeriod);
  // Nothing shows where a short task was.
  out = balance({thread(2'300'000, 0, 300'000)}, rules);
  EXPECT_EQ(out[0].unsampled, 2'300'000u);
  out = balance({thread(500'000'000, 0, 300'000)}, rules);
  EXPECT_EQ(out[0].unsampled, 4 * kPeriod) << "but of a long one all samples were due in the kernel";
}

// Of threads that run a third of a period, one in three is sampled; its sample represents all three.
TEST(TimeBalance, SharedClockBalancesShortThreadsTogether) {
  std::vector<ThreadTime> threads;
  for (int i = 0; i < 300; ++i) { threads.push_back(thread(333'333, i % 3 == 0 ? 1 : 0)); }
  TimeTotals all = totals(threads, {.shared_clock = true});
  EXPECT_NEAR(static_cast<double>(all.sampled), static_cast<double>(all.counted), 1000);
  EXPECT_LT(all.unsampled, 1000u);
}

TEST(TimeBalance, ThreadsOfOtherNamesAreSeparate) {
  std::vector<ThreadTime> threads(10, thread(100'000, 0, 0, 7));
  threads.push_back(thread(1'000'000, 1, 0, 8));
  std::vector<ThreadBalance> out = balance(threads, {.shared_clock = true});
  for (int i = 0; i < 10; ++i) { EXPECT_EQ(out[static_cast<size_t>(i)].unsampled, 100'000u); }
  EXPECT_EQ(out[10].sampled, 1'000'000u);
}

TEST(TimeBalance, FewSamplesDoNotRepresentEverything) {
  std::vector<ThreadTime> threads(100, thread(500'000, 0));
  threads[0] = thread(500'000, 1);
  TimeTotals all = totals(threads, {.shared_clock = true});
  EXPECT_EQ(all.sampled, 2 * kPeriod);
  EXPECT_NEAR(static_cast<double>(all.sampled + all.unsampled), static_cast<double>(all.counted), 1000);
}

TEST(TimeBalance, LongThreadsAreBalancedAlone) {
  std::vector<ThreadTime> threads = {thread(100'000'000, 90), thread(300'000, 1)};
  std::vector<ThreadBalance> out = balance(threads, {.shared_clock = true});
  EXPECT_EQ(out[0].sampled, 100'000'000u);
  EXPECT_EQ(out[1].sampled, 300'000u);
  out = balance({thread(200'000'000, 100)}, {.shared_clock = true});
  EXPECT_EQ(out[0].sampled, 125'000'000u) << "a quarter more at most";
  EXPECT_EQ(out[0].unsampled, 75'000'000u);
}

// All of a gap may be in one function.
TEST(TimeBalance, SamplesDoNotRepresentGaps) {
  for (bool shared_clock : {false, true}) {
    std::vector<ThreadBalance> out = balance({thread(120'000'000, 100)}, {.shared_clock = shared_clock, .has_gaps = true});
    EXPECT_EQ(out[0].sampled, 102'000'000u);
    EXPECT_EQ(out[0].unsampled, 18'000'000u);
  }
}

TEST(TimeBalance, ManySamplesNearTheCountAreUnchanged) {
  for (bool shared : {false, true}) {
    for (int64_t counted : {100'900'000, 99'100'000}) {
      ThreadTime t = thread(counted, 100);
      std::vector<ThreadBalance> out = balance_times({&t, 1}, {.shared_clock = shared, .period = kPeriod});
      EXPECT_EQ(out[0].sampled, 100 * kPeriod);
      EXPECT_EQ(out[0].unsampled, 0u);
    }
  }
}

TEST(TimeBalance, HidesATraceOfUnsampledTime) {
  std::vector<ThreadTime> threads = {thread(1'000'000'000, 1000), thread(900'000, 0, 900'000)};
  EXPECT_EQ(totals(threads, {.period = kPeriod}).unsampled, 0u);
  threads.push_back(thread(19'000'000, 0, 19'000'000));
  EXPECT_EQ(totals(threads, {.period = kPeriod}).unsampled, 19'900'000u);
}

// Nothing overflows, whatever a file contains.
TEST(TimeBalance, LimitsAbsurdValues) {
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

// Each ended thread used a little more than was counted, or a little less.
TEST(TimeBalance, ExitTimesBelongToEndedThreads) {
  ThreadTime living = thread(300'000, 0, 300'000), ended = living;
  ended.ended = true;
  EXPECT_EQ(totals({living, ended}, {.period = kPeriod, .way_out = 20'000}).counted, 620'000u);
  EXPECT_EQ(totals({living, ended}, {.shared_clock = true, .afterwards = 10'000}).counted, 590'000u);
  ended.first = true;
  EXPECT_EQ(totals({living, ended}, {.shared_clock = true, .afterwards = 10'000}).counted, 600'000u);
}

// Time sampled before an exec is subtracted from the count of the next program, and evens out over many.
TEST(TimeBalance, NegativeCountsEvenOut) {
  std::vector<ThreadTime> threads;
  for (int i = 0; i < 100; ++i) { threads.push_back(i % 4 == 0 ? thread(-100'000, 0) : thread(900'000, 1)); }
  TimeTotals all = totals(threads, {.shared_clock = true});
  EXPECT_EQ(all.counted, 65'000'000u);
  EXPECT_NEAR(static_cast<double>(all.sampled + all.unsampled), 65e6, 1000);
}

// The clock continued while the host ran something else, and no samples came.
TEST(TimeBalance, StolenTimeIsNotScaledIntoTheSamples) {
  std::vector<ThreadTime> threads = {thread(120 * kPeriod, 100), thread(60 * kPeriod, 50, 0, 2)};
  TimeTotals all = totals(threads, {.period = kPeriod});
  EXPECT_EQ(all.sampled, 180 * kPeriod);
  all = totals(threads, {.period = kPeriod, .stolen = 30 * kPeriod});
  EXPECT_EQ(all.sampled, 150 * kPeriod);
  EXPECT_EQ(all.unsampled, 0u);
  all = totals(threads, {.period = kPeriod, .stolen = 15 * kPeriod});
  EXPECT_EQ(all.sampled, 165 * kPeriod);
  all = totals(threads, {.period = kPeriod, .stolen = 15'000 * kPeriod});
  EXPECT_EQ(all.sampled, 150 * kPeriod) << "samples are never taken away";
}

// As measured: the clock counted 7.26 s, of which 6.22 s are explained, and the scheduler counted 87 ms in the kernel.
TEST(TimeBalance, StolenTimeIsNotKernelTime) {
  RestOfTime rest = divide_rest({.counted = 7'260, .explained = 6'220, .system = 87, .stolen = 4'790});
  EXPECT_EQ(rest.kernel, 87u);
  EXPECT_EQ(rest.stolen, 953u);
}

// The scheduler counts little of the kernel time of very short threads, but all their time.
TEST(TimeBalance, NoMoreIsStolenThanTheClockCountedTooMuch) {
  RestOfTime rest = divide_rest({.counted = 1'640, .explained = 1'500, .system = 58, .stolen = 700, .used = 1'620});
  EXPECT_EQ(rest.kernel, 120u);
  EXPECT_EQ(rest.stolen, 20u);
  rest = divide_rest({.counted = 7'260, .explained = 6'220, .system = 87, .stolen = 4'790, .used = 6'080});
  EXPECT_EQ(rest.kernel, 87u);
}

TEST(TimeBalance, WithoutStolenTimeTheRestWasInTheKernel) {
  EXPECT_EQ(divide_rest({.counted = 100, .explained = 60, .system = 10, .stolen = 0}).kernel, 40u);
  EXPECT_EQ(divide_rest({.counted = 100, .explained = 60, .system = 90, .stolen = 0}).kernel, 40u);
  // No more can be stolen than was on the whole machine.
  EXPECT_EQ(divide_rest({.counted = 100, .explained = 60, .system = 10, .stolen = 5}).kernel, 35u);
  EXPECT_EQ(divide_rest({.counted = 100, .explained = 60, .system = 90, .stolen = 500}).kernel, 40u);
  EXPECT_EQ(divide_rest({.counted = 60, .explained = 100, .system = 10, .stolen = 5}).kernel, 0u);
}

}  // namespace
}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/sample_weight.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "analyze/diff_table.h"
#include "model/profile_builder.h"

namespace wick {
namespace {

Profile stacks_with(const std::vector<int64_t>& weights, uint64_t divisor = 1) {
  ProfileBuilder b;
  b.set_imported("folded stacks", false);
  ThreadId t = b.add_thread(b.add_process(0, ""), 0, "");
  EventId event = b.event("samples", "samples", 0, divisor);
  for (size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) { continue; }
    StackId stack = b.stack(b.named_frame("f" + std::to_string(i)), {});
    b.add_sample({.thread = t, .stack = stack, .event = event, .weight = weights[i], .count = static_cast<uint64_t>(weights[i])});
  }
  b.about().has_counts = false;
  return std::move(b).build();
}
uint64_t weight_of(const std::vector<int64_t>& weights, uint64_t divisor = 1) {
  return estimate_sample_weight(stacks_with(weights, divisor), EventId{0});
}

TEST(SampleWeight, SampleCountsAreKept) {
  EXPECT_EQ(weight_of({1, 1, 1, 2, 7, 512}), 1u);
  EXPECT_EQ(weight_of({4987, 3011, 43}), 1u);
  EXPECT_EQ(weight_of({60, 40, 20}), 1u);                               // a few round numbers are an accident
  EXPECT_EQ(weight_of({1'500'000, 2'000'000}, 1'000'000), 1'000'000u);  // decimals do not mean smaller samples
  EXPECT_EQ(weight_of({}), 1u);
}

TEST(SampleWeight, ConstantPeriod) {
  EXPECT_EQ(weight_of({1'003'009, 2 * 1'003'009, 3 * 1'003'009, 141 * 1'003'009}), 1'003'009u);
  EXPECT_EQ(weight_of({5000 * 1'003'009ll, 7001 * 1'003'009ll, 9000 * 1'003'009ll}), 1'003'009u);
  std::vector<int64_t> milliseconds = {450};  // 10 ms each
  for (int64_t i = 1; i < 40; ++i) { milliseconds.push_back(10 * (i % 7 + 1)); }
  EXPECT_EQ(weight_of(milliseconds), 10u);
}

TEST(SampleWeight, VaryingPeriods) {
  // perf begins with tiny ones.
  std::vector<int64_t> weights = {1, 1, 12, 301, 980'001, 1'020'017, 1'000'003, 1'100'009, 2'017'077, 31'000'111};
  for (int64_t i = 0; i < 10; ++i) { weights.push_back(990'001 + 17'003 * i); }
  std::shuffle(weights.begin(), weights.end(), std::mt19937(7));
  EXPECT_GT(weight_of(weights), 980'000u);
  EXPECT_LT(weight_of(weights), 1'200'000u);
}

// Two runs of one program, folded with perf's periods: nothing may be marked, whether periods are constant or not.
TEST(SampleWeight, NoiseIsNotMarked) {
  std::mt19937 random(3);
  int marked = 0;
  constexpr int kRuns = 60;
  for (int run = 0; run < kRuns; ++run) {
    bool steady = run % 2 == 0;
    auto record = [&] {
      std::vector<int64_t> weights(120);
      std::geometric_distribution<size_t> stack(0.05);
      std::normal_distribution<double> period(1e6, 2e5);
      for (int i = 0; i < 2000; ++i) {
        int64_t weight = steady ? 1'003'009 : std::max<int64_t>(1000, std::llround(period(random)));
        weights[std::min<size_t>(stack(random), weights.size() - 1)] += weight;
      }
      return stacks_with(weights);
    };
    Profile a = record(), b = record();
    std::vector<std::string> notes;
    Profile both = *combine_profiles(a, *select_samples(a), b, *select_samples(b), {.notes = &notes});
    EXPECT_EQ(notes.size(), 2u);
    DiffTable table = compute_diff(both, *select_sides(both), false);
    marked += std::any_of(table.rows.begin(), table.rows.end(), [&](const DiffRow& row) { return table.changed(row); });
    EXPECT_TRUE(find_regressions(table, 0.01).empty());
    if (steady) { EXPECT_EQ(table.before.samples, 2000u); }
    EXPECT_LE(table.before.samples, 2000u);
    EXPECT_GE(table.before.samples, 100u);
  }
  EXPECT_LE(marked, 2);
}

TEST(SampleWeight, LargeChangesAreMarked) {
  std::vector<int64_t> before, after;
  for (int64_t i = 1; i <= 40; ++i) {
    before.push_back(i * 1'003'009);
    after.push_back((i == 40 ? 140 : i) * 1'003'009);
  }
  Profile a = stacks_with(before), b = stacks_with(after);
  Profile both = *combine_profiles(a, *select_samples(a), b, *select_samples(b));
  DiffTable table = compute_diff(both, *select_sides(both), false);
  EXPECT_EQ(table.verdict(table.rows[0].self), Change::kGrew);
  EXPECT_FALSE(table.changed(table.rows[1]));
}

}  // namespace
}  // namespace wick

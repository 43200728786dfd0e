// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff_noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace wick {
namespace {

Costs costs(uint64_t part, uint64_t whole, int64_t weight = 1) {
  return {{static_cast<int64_t>(part) * weight, part}, {static_cast<int64_t>(whole) * weight, whole}};
}

// The exact test of two Poisson counts over the same time, allowing for the usual difference between runs: a binomial tail.
double exact_cost_noise(int before, int after) {
  int n = before + after, larger = std::max(before, after);
  double q = (1 + kRunToRun) / (2 + kRunToRun), tail = 0;
  for (int k = larger; k <= n; ++k) {
    tail +=
        std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(q) + (n - k) * std::log(1 - q));
  }
  return std::min(1.0, 2 * tail);
}

TEST(DiffNoise, AgreesWithTheExactTest) {
  int compared = 0;
  for (int before = 0; before <= 120; before += 3) {
    for (int after = before + 1; after <= 300; after += 7) {
      double exact = exact_cost_noise(before, after);
      if (exact > 0.1 || exact < 1e-12) { continue; }
      double ours = cost_noise(costs(static_cast<uint64_t>(before), 1000), costs(static_cast<uint64_t>(after), 1000));
      // Close enough for practical purposes, and never far too certain.
      EXPECT_GT(ours, exact / 1.7) << before << " " << after;
      EXPECT_LT(ours, exact * 3) << before << " " << after;
      ++compared;
    }
  }
  EXPECT_GT(compared, 300);
}

TEST(DiffNoise, EqualCostsAreNoise) {
  EXPECT_EQ(cost_noise(costs(50, 100), costs(50, 100)), 1);
  EXPECT_EQ(share_noise(costs(50, 100), costs(50, 100)), 1);
  EXPECT_EQ(share_noise(costs(100, 100), costs(100, 100)), 1);
  EXPECT_EQ(cost_noise(costs(0, 100), costs(0, 100)), 1);
  EXPECT_EQ(cost_noise({}, {}), 1);
  EXPECT_EQ(share_noise({}, {}), 1);
  EXPECT_EQ(share_noise(costs(0, 0), costs(10, 100)), 1);
}

TEST(DiffNoise, IsSymmetric) {
  for (auto [a, b] : {std::pair(3, 40), std::pair(100, 180), std::pair(0, 9)}) {
    Costs x = costs(static_cast<uint64_t>(a), 1000), y = costs(static_cast<uint64_t>(b), 2000);
    EXPECT_NEAR(cost_noise(x, y), cost_noise(y, x), 1e-12);
    EXPECT_NEAR(share_noise(x, y), share_noise(y, x), 1e-12);
  }
}

TEST(DiffNoise, CostsAndSharesAreSeparateQuestions) {
  // Half of the program became faster: the other half has a larger share at the same cost.
  Costs before = costs(1000, 2000), after = costs(1000, 1200);
  EXPECT_EQ(cost_noise(before, after), 1);
  EXPECT_LT(share_noise(before, after), 1e-6);
  // Everything takes twice as long.
  EXPECT_LT(cost_noise(costs(1000, 2000), costs(2000, 4000)), 1e-6);
  EXPECT_EQ(share_noise(costs(1000, 2000), costs(2000, 4000)), 1);
}

TEST(DiffNoise, SmallPartsOfACostNeverCount) {
  EXPECT_EQ(cost_noise(costs(1'000'000'000, 2'000'000'000), costs(1'040'000'000, 2'000'000'000)), 1);
  EXPECT_LT(cost_noise(costs(1'000'000'000, 2'000'000'000), costs(1'100'000'000, 2'000'000'000)), 1e-6);
}

TEST(DiffNoise, SamplingRatesDoNotMatter) {
  // The same cost from ten times as many samples of a tenth each.
  Costs fine = costs(3000, 10'000, 1'000'000), coarse = costs(300, 1000, 10'000'000);
  EXPECT_EQ(cost_noise(fine, coarse), 1);
  EXPECT_EQ(share_noise(fine, coarse), 1);
  EXPECT_LT(cost_noise(fine, costs(500, 1200, 10'000'000)), 1e-6);
}

TEST(DiffNoise, OneHeavySampleIsOneSample) {
  Costs before{{0, 0}, {1'000'000, 1000}}, after{{1'000'000, 1}, {2'000'000, 1001}};
  EXPECT_GT(cost_noise(before, after), 0.2);
  EXPECT_GT(share_noise(before, after), 0.2);
}

TEST(DiffNoise, AcceptsAbsurdCounts) {
  Costs huge{{INT64_MAX, UINT64_MAX}, {INT64_MAX, UINT64_MAX}}, negative{{-5, 3}, {-9, 4}}, more{{10, 5}, {5, 5}};
  for (const Costs& a : {huge, negative, more, Costs{}}) {
    for (const Costs& b : {huge, negative, more, Costs{}}) {
      for (double p : {cost_noise(a, b), share_noise(a, b), least_noise(a, b)}) { EXPECT_TRUE(p >= 0 && p <= 1) << p; }
    }
  }
}

TEST(DiffNoise, KnowsWhatCanNeverBeSignificant) {
  EXPECT_GT(least_noise(costs(2, 1000), costs(3, 1000)), kNoiseLevel);
  EXPECT_LT(least_noise(costs(6, 1000), costs(6, 1000)), kNoiseLevel);
}

TEST(DiffNoise, HolmsCorrection) {
  std::vector<double> p = {0.04, 0.001, 0.5, 0.02};
  std::vector<double*> all;
  for (double& x : p) { all.push_back(&x); }
  correct_for_many(all);
  EXPECT_DOUBLE_EQ(p[1], 0.004);
  EXPECT_DOUBLE_EQ(p[3], 0.06);
  EXPECT_DOUBLE_EQ(p[0], 0.08);
  EXPECT_DOUBLE_EQ(p[2], 0.5);
  correct_for_many({});
}

}  // namespace
}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "stat/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

namespace wick::stat {
namespace {

TEST(Summary, OfAFewValues) {
  Summary s = summarize({4, 2, 6, 4, 4});
  EXPECT_EQ(s.runs, 5u);
  EXPECT_DOUBLE_EQ(s.mean, 4);
  EXPECT_DOUBLE_EQ(s.median, 4);
  EXPECT_NEAR(s.deviation, std::sqrt(2.0), 1e-12);
  EXPECT_EQ(s.least, 2);
  EXPECT_EQ(s.most, 6);
  EXPECT_LT(s.low, 4);
  EXPECT_GT(s.high, 4);
  EXPECT_EQ(summarize({}).runs, 0u);
  EXPECT_EQ(summarize({7}).deviation, 0);
}

TEST(Summary, FindsOutliers) {
  EXPECT_EQ(summarize({10, 11, 10.5, 9.8, 10.2, 30}).outliers, 1u);
  EXPECT_EQ(summarize({10, 11, 10.5, 9.8, 10.2, 10.9}).outliers, 0u);
  EXPECT_EQ(summarize({5, 5, 5, 5, 5, 5, 50}).outliers, 1u) << "most are equal";
  EXPECT_EQ(summarize({5, 5, 50}).outliers, 0u) << "too few to tell";
}

// Skewed times with outliers and a drift of the machine, as of real runs.
struct Machine {
  std::mt19937_64 random;
  std::normal_distribution<double> normal;
  double drift = 0;
  double uniform() { return static_cast<double>(random() >> 11) / 9007199254740992.0; }
  void next_block() { drift += 0.05 * normal(random); }
  double run(double time, double noise) {
    double t = time * std::exp(drift + noise * normal(random));
    return uniform() < 0.05 ? t * (1 + 3 * uniform()) : t;
  }
};

std::map<Verdict, int> verdicts(double ratio, double noise, size_t pairs, int trials, uint64_t seed) {
  std::map<Verdict, int> out;
  Machine machine{std::mt19937_64(seed), {}};
  for (int i = 0; i < trials; ++i) {
    std::vector<double> times[2];
    for (const std::vector<size_t>& block : shuffle_blocks(pairs, 2, seed + static_cast<uint64_t>(i))) {
      machine.next_block();
      for (size_t which : block) {
        // The second run of a block is slower, as on a machine that heats up: it must not matter.
        double position = which == block[1] ? 1.03 : 1;
        times[which].push_back(position * machine.run(which == 0 ? 1 : ratio, noise));
      }
    }
    ++out[compare(times[0], times[1]).verdict];
  }
  return out;
}

// Two equal commands: at most 5% of the verdicts are wrong, as claimed, for few and many pairs and little and much noise. Of 1000
// trials that is at most 70, three standard deviations above.
TEST(Compare, RarelyFindsADifferenceBetweenEqualCommands) {
  constexpr int kTrials = 1000;
  for (size_t pairs : {6, 10, 25}) {
    for (double noise : {0.01, 0.2}) {
      std::map<Verdict, int> found = verdicts(1, noise, pairs, kTrials, 7 * pairs);
      double wrong = static_cast<double>(found[Verdict::kFaster] + found[Verdict::kSlower]) / kTrials;
      EXPECT_LE(wrong, 0.07) << pairs << " pairs, noise " << noise;
    }
  }
}

// At the edge of the band, "same" is wrong; it may be said in 2.5% of the cases (and a little for the uneven last digits).
TEST(Compare, RarelyCallsTheEdgeOfTheBandSame) {
  constexpr int kTrials = 1000;
  std::map<Verdict, int> found = verdicts(1.0101, 0.01, 40, kTrials, 3);
  EXPECT_LE(found[Verdict::kSame], 0.025 * kTrials + 15);
}

TEST(Compare, FindsADifference) {
  std::map<Verdict, int> found = verdicts(1.2, 0.05, 20, 200, 1);
  EXPECT_GE(found[Verdict::kSlower], 190);
  EXPECT_EQ(found[Verdict::kFaster], 0);
  found = verdicts(0.8, 0.05, 20, 200, 2);
  EXPECT_GE(found[Verdict::kFaster], 190);
  // With outliers in 5% of the runs, equality within 1% needs little noise and many pairs.
  EXPECT_GE(verdicts(1, 0.001, 60, 100, 4)[Verdict::kSame], 50);
}

TEST(Compare, NeedsSixPairs) {
  Comparison c = compare({1, 1, 1, 1, 1}, {2, 2, 2, 2, 2});
  EXPECT_EQ(c.verdict, Verdict::kUndecided);
  EXPECT_EQ(c.high, 0);
  c = compare({1, 1, 1, 1, 1, 1}, {2, 2.1, 2, 2.2, 2, 2.3});
  EXPECT_EQ(c.verdict, Verdict::kSlower);
  EXPECT_NEAR(c.confidence, 1 - 2.0 / 64, 1e-12);
  EXPECT_EQ(c.low, 2);
  EXPECT_NEAR(c.high, 2.3, 1e-12);
}

TEST(Compare, WithoutARatio) {
  EXPECT_EQ(compare({0, 0}, {0, 0}).ratio, 1);
  EXPECT_EQ(compare({0, 1}, {1, 1}).ratio, 0) << "none";
  EXPECT_EQ(compare({}, {}).verdict, Verdict::kUndecided);
}

TEST(Compare, IntervalsOfManyPairsAgreeWithThoseOfFewer) {
  std::vector<double> a, b;
  Machine machine{std::mt19937_64(5), {}};
  for (int i = 0; i < 61; ++i) {
    a.push_back(machine.run(1, 0.1));
    b.push_back(machine.run(1.05, 0.1));
  }
  Comparison approximate = compare(a, b);
  a.pop_back();
  b.pop_back();
  Comparison exact = compare(a, b);
  EXPECT_NEAR(approximate.low, exact.low, 0.01);
  EXPECT_NEAR(approximate.high, exact.high, 0.01);
}

TEST(ShuffleBlocks, AlternatesWhichIsFirst) {
  for (uint64_t seed : {1, 2, 3}) {
    auto blocks = shuffle_blocks(10, 2, seed);
    ASSERT_EQ(blocks.size(), 10u);
    int first = 0;
    for (const auto& block : blocks) {
      EXPECT_EQ(block[0] + block[1], 1u);
      first += block[0] == 0;
    }
    EXPECT_EQ(first, 5);
  }
}

}  // namespace
}  // namespace wick::stat

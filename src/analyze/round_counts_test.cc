// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/round_counts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace wick {
namespace {

using Counts = std::vector<uint64_t>;

TEST(RoundCounts, WholePeriodsStay) {
  EXPECT_EQ(round_counts(std::vector<Cost>{{2000, 2}, {0, 0}, {5000, 5}}, 1000), (Counts{2, 0, 5}));
  EXPECT_EQ(round_counts(std::vector<Cost>{}, 1000), Counts{});
}

TEST(RoundCounts, RemaindersGoToTheLargest) {
  EXPECT_EQ(round_counts(std::vector<Cost>{{1600, 1}, {1700, 1}, {700, 0}, {100, 0}}, 1000), (Counts{1, 2, 1, 0}));
  EXPECT_EQ(round_counts(std::vector<Cost>{{-5, 1}, {400, 0}, {100, 0}}, 1000), (Counts{1, 0, 0}));
}

TEST(RoundCounts, CostsWithSamplesAreNeverZero) {
  EXPECT_EQ(round_counts(std::vector<Cost>{{10, 1}, {10, 1}, {5400, 5}, {1600, 1}}, 1000), (Counts{1, 1, 4, 1}));
  EXPECT_EQ(round_counts(std::vector<Cost>{{10, 1}, {10, 1}}, 1000), (Counts{1, 1})) << "more than there was, but visible";
}

TEST(RoundCounts, TheSumDoesNotDependOnTheOrder) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<Cost> costs;
    for (size_t i = 0, n = random() % 50; i < n; ++i) { costs.push_back({static_cast<int64_t>(random() % 3000), random() % 2}); }
    auto sum = [&] {
      Counts counts = round_counts(costs, 1000);
      return std::accumulate(counts.begin(), counts.end(), uint64_t{0});
    };
    uint64_t before = sum();
    std::shuffle(costs.begin(), costs.end(), random);
    EXPECT_EQ(sum(), before);
  }
}

}  // namespace
}  // namespace wick

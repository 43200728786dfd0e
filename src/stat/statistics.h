// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Statistics of repeated and compared runs. Times of runs are skewed and have outliers, so nothing here assumes a normal
// distribution. Everything is deterministic: the same values give the same result.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wick::stat {

struct Summary {
  size_t runs = 0;
  double mean = 0, deviation = 0;  // sample standard deviation; 0 for one run
  double median = 0, least = 0, most = 0;
  double low = 0, high = 0;  // 95% interval of the mean, by the bootstrap; the mean itself for fewer than 3 runs
  size_t outliers = 0;       // of at least 5 runs: farther from the median than 3.5 scaled median absolute deviations
};
Summary summarize(std::vector<double> values);

double median_of(std::vector<double> values);

enum class Verdict { kFaster, kSlower, kSame, kUndecided };
const char* verdict_word(Verdict verdict);  // "faster", …

struct Comparison {
  size_t pairs = 0;
  double ratio = 1;            // of the second to the first: the Hodges-Lehmann estimate
  double low = 0, high = 0;    // its interval; without one (too few pairs) both are 0
  double confidence = 0;       // of the interval, at least 95%
  Verdict verdict = Verdict::kUndecided;
};
constexpr size_t kFewestPairs = 6;  // with fewer, no interval of the signed-rank test reaches 95%
constexpr double kSameBand = 0.01;  // "same": the ratio is surely within 1% of 1

// `first` and `second` are from the same blocks. The interval inverts Wilcoxon's signed-rank test on the logarithms of the
// ratios. If both commands are the same, their times can be swapped within a block, so the chance of "faster" or "slower" is at
// most 5% whatever the distribution of the times; drift of the machine from block to block does not matter.
Comparison compare(const std::vector<double>& first, const std::vector<double>& second);

// The order of the commands in each block: as often one first as the other, at random. Each block has all of 0 … n-1.
std::vector<std::vector<size_t>> shuffle_blocks(size_t blocks, size_t n, uint64_t seed);

}  // namespace wick::stat

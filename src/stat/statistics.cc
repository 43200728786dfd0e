// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "stat/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "base/result.h"

namespace wick::stat {
namespace {

constexpr double kError = 0.05;
constexpr size_t kResamples = 2000;
constexpr double kOutlier = 3.5, kToDeviation = 1.4826, kMeanToDeviation = 1.2533;  // of absolute deviations of normal values
constexpr size_t kFewestForOutliers = 5;
constexpr uint64_t kSeed = 20260101;
constexpr size_t kMostExactPairs = 60;

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The largest k such that the signed-rank statistic of n pairs is below k with a probability of at most kError / 2; the interval
// then reaches from the k-th smallest of the pairwise means to the k-th largest. `tail`: that probability.
size_t signed_rank_rank(size_t n, double& tail) {
  if (n > kMostExactPairs) {
    double m = static_cast<double>(n);
    double mean = m * (m + 1) / 4, deviation = std::sqrt(m * (m + 1) * (2 * m + 1) / 24);
    double k = std::floor(mean - 1.96 * deviation - 0.5);
    tail = kError / 2;
    return static_cast<size_t>(std::max(k, 0.0));
  }
  // The number of subsets of 1 … n with each sum, as shares of all subsets.
  std::vector<double> chance(n * (n + 1) / 2 + 1, 0.0);
  chance[0] = 1;
  for (size_t rank = 1; rank <= n; ++rank) {
    for (size_t sum = chance.size(); sum-- > 0;) {
      double with = sum >= rank ? chance[sum - rank] : 0;
      chance[sum] = (chance[sum] + with) / 2;
    }
  }
  size_t k = 0;
  tail = 0;
  while (k < chance.size() && tail + chance[k] <= kError / 2) { tail += chance[k++]; }
  return k;
}

}  // namespace

double median_of(std::vector<double> values) {
  if (values.empty()) { return 0; }
  auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) { return *middle; }
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

Summary summarize(std::vector<double> values) {
  Summary out;
  out.runs = values.size();
  if (values.empty()) { return out; }
  out.mean = out.low = out.high = mean_of(values);
  out.median = median_of(values);
  out.least = *std::min_element(values.begin(), values.end());
  out.most = *std::max_element(values.begin(), values.end());
  if (values.size() < 2) { return out; }
  double squares = 0;
  std::vector<double> distances;
  for (double v : values) {
    squares += (v - out.mean) * (v - out.mean);
    distances.push_back(std::abs(v - out.median));
  }
  out.deviation = std::sqrt(squares / static_cast<double>(values.size() - 1));
  double middle = median_of(distances), scaled = kToDeviation * middle;
  if (middle == 0) { scaled = kMeanToDeviation * mean_of(distances); }  // most values are equal
  double limit = kOutlier * scaled;
  bool has_enough = values.size() >= kFewestForOutliers;
  out.outliers = !has_enough ? 0 : static_cast<size_t>(std::count_if(distances.begin(), distances.end(), [&](double d) { return d > limit; }));
  if (values.size() < 3) { return out; }
  // Multiply-shift instead of a library's distribution, whose results differ between libraries.
  std::mt19937_64 random(kSeed);
  std::vector<double> means;
  for (size_t i = 0; i < kResamples; ++i) {
    double sum = 0;
    for (size_t j = 0; j < values.size(); ++j) { sum += values[((random() >> 32) * values.size()) >> 32]; }
    means.push_back(sum / static_cast<double>(values.size()));
  }
  std::sort(means.begin(), means.end());
  out.low = means[kResamples / 40];
  out.high = means[kResamples - 1 - kResamples / 40];
  return out;
}

const char* verdict_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFaster: return "faster";
    case Verdict::kSlower: return "slower";
    case Verdict::kSame: return "same";
    case Verdict::kUndecided: break;
  }
  return "undecided";
}

Comparison compare(const std::vector<double>& first, const std::vector<double>& second) {
  WICK_ASSERT(first.size() == second.size(), "values of the same blocks");
  Comparison out;
  out.pairs = first.size();
  std::vector<double> logs;
  bool all_zero = true;
  for (size_t i = 0; i < first.size(); ++i) {
    all_zero &= first[i] == 0 && second[i] == 0;
    if (first[i] <= 0 || second[i] <= 0) { continue; }
    logs.push_back(std::log(second[i] / first[i]));
  }
  if (logs.size() != first.size() || logs.empty()) {
    if (!all_zero) { out.ratio = 0; }  // no ratio to zero
    return out;
  }
  std::vector<double> walsh;  // means of all pairs of logarithms
  for (size_t i = 0; i < logs.size(); ++i) {
    for (size_t j = i; j < logs.size(); ++j) { walsh.push_back((logs[i] + logs[j]) / 2); }
  }
  std::sort(walsh.begin(), walsh.end());
  out.ratio = std::exp(median_of(walsh));
  double tail = 0;
  size_t k = signed_rank_rank(logs.size(), tail);
  if (k == 0) { return out; }
  out.low = std::exp(walsh[k - 1]);
  out.high = std::exp(walsh[walsh.size() - k]);
  out.confidence = 1 - 2 * tail;
  if (out.low > 1) {
    out.verdict = Verdict::kSlower;
  } else if (out.high < 1) {
    out.verdict = Verdict::kFaster;
  } else if (out.low >= 1 - kSameBand && out.high <= 1 + kSameBand) {
    out.verdict = Verdict::kSame;
  }
  return out;
}

std::vector<std::vector<size_t>> shuffle_blocks(size_t blocks, size_t n, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<size_t>> out;
  for (size_t b = 0; b < blocks; ++b) {
    std::vector<size_t> order(n);
    std::iota(order.begin(), order.end(), size_t{0});
    for (size_t i = n; i > 1; --i) { std::swap(order[i - 1], order[((random() >> 32) * i) >> 32]); }
    // With two commands, every second block has the opposite order of the one before.
    if (n == 2 && b % 2 == 1) { order = {out.back()[1], out.back()[0]}; }
    out.push_back(std::move(order));
  }
  return out;
}

}  // namespace wick::stat

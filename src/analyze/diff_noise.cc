// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff_noise.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace wick {
namespace {

constexpr double kCorrection = 0.5;  // counts are discrete, the distribution used here is continuous

// Costs in samples. Weights of samples may differ (files of other tools, sampling by frequency), but the test is about the ratio
// of costs, and its power depends on the number of samples.
struct Counts {
  double before = 0, after = 0;            // of the row
  double all_before = 0, all_after = 0;    // of everything
  double unit_before = 1, unit_after = 1;  // cost of a sample
};

double as_double(int64_t weight) { return static_cast<double>(std::max<int64_t>(weight, 0)); }
double as_double(uint64_t count) { return static_cast<double>(count); }

Counts to_counts(const Costs& before, const Costs& after) {
  Counts c;
  double weight_before = as_double(before.whole.weight), weight_after = as_double(after.whole.weight);
  c.all_before = as_double(before.whole.samples);
  c.all_after = as_double(after.whole.samples);
  bool has_before = weight_before > 0 && c.all_before > 0, has_after = weight_after > 0 && c.all_after > 0;
  if (!has_before && !has_after) { return {}; }
  c.unit_before = has_before ? weight_before / c.all_before : weight_after / c.all_after;
  c.unit_after = has_after ? weight_after / c.all_after : c.unit_before;
  c.before = as_double(before.part.weight) / c.unit_before;
  c.after = as_double(after.part.weight) / c.unit_after;
  // One heavy sample is still one sample.
  double sum = c.before + c.after, samples = as_double(before.part.samples) + as_double(after.part.samples);
  if (sum > samples) {
    for (double* value : {&c.before, &c.after, &c.all_before, &c.all_after}) { *value *= samples / sum; }
  }
  return c;
}

double term(double observed, double expected) {
  return observed > 0 && expected > 0 ? observed * std::log(observed / expected) : 0;
}
double probability_of(double g) { return g > 0 ? std::erfc(std::sqrt(g) / std::numbers::sqrt2) : 1; }

// Moves the larger of two rates toward the other by the usual difference between runs. False if no difference remains.
bool allow_for_runs(double& before, double& after, double exposure_before, double exposure_after) {
  double rate_before = before / exposure_before, rate_after = after / exposure_after;
  double& larger = rate_after > rate_before ? after : before;
  larger /= 1 + kRunToRun;
  return rate_after > rate_before ? after / exposure_after > rate_before : before / exposure_before > rate_after;
}

double g_of_rates(double before, double after, double exposure_before, double exposure_after) {
  double sum = before + after, expected = sum * exposure_after / (exposure_before + exposure_after),
         difference = after - expected;
  double moved = std::copysign(std::min(kCorrection, std::abs(difference)), difference);
  return 2 * (term(after - moved, expected) + term(before + moved, sum - expected));
}

}  // namespace

double cost_noise(const Costs& before, const Costs& after) {
  Counts c = to_counts(before, after);
  if (c.before + c.after <= 0) { return 1; }
  // The cheaper a sample, the more a count says about the cost.
  double exposure_before = 1 / c.unit_before, exposure_after = 1 / c.unit_after;
  if (!allow_for_runs(c.before, c.after, exposure_before, exposure_after)) { return 1; }
  return probability_of(g_of_rates(c.before, c.after, exposure_before, exposure_after));
}

double share_noise(const Costs& before, const Costs& after) {
  Counts c = to_counts(before, after);
  if (c.before + c.after <= 0 || c.all_before <= 0 || c.all_after <= 0) { return 1; }
  if (!allow_for_runs(c.before, c.after, c.all_before, c.all_after)) { return 1; }
  double sum = c.before + c.after, all = c.all_before + c.all_after;
  double expected_before = sum * c.all_before / all, expected_after = sum * c.all_after / all;
  double difference = c.after - expected_after;
  double moved = std::copysign(std::min(kCorrection, std::abs(difference)), difference);
  double in_before = c.before + moved, in_after = c.after - moved;
  return probability_of(2 * (term(in_before, expected_before) + term(in_after, expected_after) +
                             term(c.all_before - in_before, c.all_before - expected_before) +
                             term(c.all_after - in_after, c.all_after - expected_after)));
}

double least_noise(const Costs& before, const Costs& after) {
  Counts c = to_counts(before, after);
  double sum = c.before + c.after;
  if (sum <= 0) { return 1; }
  double exposure_before = 1 / c.unit_before, exposure_after = 1 / c.unit_after;
  return probability_of(
      std::max(g_of_rates(0, sum, exposure_before, exposure_after), g_of_rates(sum, 0, exposure_before, exposure_after)));
}

void correct_for_many(std::vector<double*> probabilities) {
  std::sort(probabilities.begin(), probabilities.end(), [](const double* a, const double* b) { return *a < *b; });
  double least = 0;
  for (size_t i = 0; i < probabilities.size(); ++i) {
    least = std::max(least, std::min(1.0, *probabilities[i] * static_cast<double>(probabilities.size() - i)));
    *probabilities[i] = least;
  }
}

}  // namespace wick

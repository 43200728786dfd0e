// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/sample_weight.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace wick {

uint64_t estimate_sample_weight(const Profile& profile, EventId event) {
  constexpr uint64_t kSurelyWeight = 1000;  // all being multiples of this is no accident
  constexpr size_t kManyNumbers = 30;       // with this many numbers, even a small common factor is no accident
  constexpr uint64_t kFewSamples = 100;     // plausible number of samples per stack
  std::vector<uint64_t> weights;
  uint64_t common = 0;
  for (const Sample& s : profile.samples()) {
    if (s.event != event || s.weight <= 0) { continue; }
    weights.push_back(static_cast<uint64_t>(s.weight));
    common = std::gcd(common, weights.back());
  }
  uint64_t unit = event.valid() ? std::max<uint64_t>(1, profile[event].divisor) : 1;
  common = std::max(common, unit);
  if (weights.empty() || common / unit >= kSurelyWeight) { return common; }
  if (weights.size() < kManyNumbers) { common = unit; }
  auto element = [&](size_t i) {
    std::nth_element(weights.begin(), weights.begin() + static_cast<ptrdiff_t>(i), weights.end());
    return weights[i];
  };
  return element(weights.size() / 4) / common <= kFewSamples ? common : element(weights.size() / 2);
}

}  // namespace wick

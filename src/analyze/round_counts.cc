// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/round_counts.h"

#include <algorithm>

#include "base/result.h"

namespace wick {

std::vector<uint64_t> round_counts(std::span<const Cost> costs, uint64_t period) {
  WICK_ASSERT(period > 0, "samples have a period");
  auto weight_of = [&](size_t i) { return static_cast<uint64_t>(std::max<int64_t>(costs[i].weight, 0)); };
  auto least_of = [&](size_t i) { return uint64_t{costs[i].samples > 0 ? 1u : 0u}; };
  std::vector<uint64_t> counts(costs.size());
  std::vector<size_t> order(costs.size());
  unsigned __int128 all = 0;
  uint64_t counted = 0;
  for (size_t i = 0; i < costs.size(); ++i) {
    counts[i] = std::max(least_of(i), weight_of(i) / period);
    counted += counts[i];
    all += weight_of(i);
    order[i] = i;
  }
  auto wanted = static_cast<uint64_t>((all + period / 2) / period);
  // The largest remainders are rounded up. If there are too many costs of less than a period, the smallest ones are rounded down
  // once more.
  auto add = [&](uint64_t most, auto is_first, auto change) {
    auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min<uint64_t>(most, order.size()));
    if (end != order.end()) { std::nth_element(order.begin(), end, order.end(), is_first); }
    std::for_each(order.begin(), end, change);
  };
  auto rest_of = [&](size_t i) {  // a cost that was rounded up to 1 comes last
    return weight_of(i) < counts[i] * period ? 0 : weight_of(i) - counts[i] * period;
  };
  if (counted < wanted) {
    auto is_first = [&](size_t a, size_t b) { return rest_of(a) != rest_of(b) ? rest_of(a) > rest_of(b) : a < b; };
    add(wanted - counted, is_first, [&](size_t i) { ++counts[i]; });
  } else if (counted > wanted) {
    std::erase_if(order, [&](size_t i) { return counts[i] <= least_of(i); });
    auto is_first = [&](size_t a, size_t b) { return rest_of(a) != rest_of(b) ? rest_of(a) < rest_of(b) : a < b; };
    add(counted - wanted, is_first, [&](size_t i) { --counts[i]; });
  }
  return counts;
}

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/spread_clocks.h"

#include <algorithm>
#include <utility>

namespace wick {
namespace {

constexpr size_t kMostClocks = 8, kLeastClocks = 2, kMostOfAll = 512;
constexpr double kSpread = 0.2;  // of the periods around their mean, at most

// Handling a tick takes 5 to 50 us, which delays another one that is due meanwhile. Both count.
constexpr uint64_t kLateNs = 200'000, kTogetherNs = 100'000;
constexpr unsigned kTicksInGroup = 16;

}  // namespace

std::vector<SpreadClock> plan_spread_clocks(uint64_t begin_ns, uint64_t period_ns, size_t cpus, std::mt19937_64& random) {
  std::uniform_real_distribution<double> part(0, 1);
  const size_t count = std::clamp(kMostOfAll / std::max<size_t>(cpus, 1), kLeastClocks, kMostClocks);
  const double longest = static_cast<double>(count * period_ns) * (1 + kSpread) / (1 - kSpread);
  const uint64_t end_ns = begin_ns + static_cast<uint64_t>(longest);
  std::vector<SpreadClock> out;
  for (size_t cpu = 0; cpu < cpus; ++cpu) {
    // A random period from each of `count` equal parts of the range, scaled so that the rates add up to that of the single clock.
    std::vector<double> periods;
    double rate = 0;
    for (size_t i = 0; i < count; ++i) {
      double place = (static_cast<double>(i) + part(random)) / static_cast<double>(count);
      periods.push_back(1 + kSpread * (2 * place - 1));
      rate += 1 / periods.back();
    }
    for (double period : periods) {
      period *= rate * static_cast<double>(period_ns);
      out.push_back({cpu, end_ns - static_cast<uint64_t>(part(random) * period), static_cast<uint64_t>(period)});
    }
    out.push_back({cpu, end_ns, 0});
  }
  std::stable_sort(out.begin(), out.end(), [](const SpreadClock& a, const SpreadClock& b) { return a.start_ns < b.start_ns; });
  return out;
}

uint64_t TickTimes::late_ns(uint64_t time_ns) {
  if (period_ns_ == 0 || time_ns < start_ns_) { return 0; }
  uint64_t delay = (time_ns - start_ns_) % period_ns_;
  if (ticks_++ % kTicksInGroup == 0) { least_before_ns_ = std::exchange(least_ns_, UINT64_MAX); }
  least_ns_ = std::min(least_ns_, delay);
  return delay - std::min(least_ns_, least_before_ns_);
}

bool is_held_up(uint64_t late_ns, uint64_t since_last_ns) { return late_ns > kLateNs && since_last_ns < kTogetherNs; }

}  // namespace wick

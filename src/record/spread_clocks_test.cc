// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/spread_clocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

namespace wick {
namespace {

constexpr uint64_t kPeriod = 1'003'009, kBegin = 5'000'000'000;

TEST(SpreadClocks, TickAsOftenAsTheSingleClock) {
  std::mt19937_64 random(1);
  for (size_t cpus : {1u, 2u, 7u, 128u, 2000u}) {
    std::map<size_t, double> rates;
    for (const SpreadClock& clock : plan_spread_clocks(kBegin, kPeriod, cpus, random)) {
      if (clock.period_ns != 0) { rates[clock.cpu] += static_cast<double>(kPeriod) / static_cast<double>(clock.period_ns); }
    }
    ASSERT_EQ(rates.size(), cpus);
    for (auto [cpu, rate] : rates) { EXPECT_NEAR(rate, 1, 0.0001) << cpu; }
  }
}

TEST(SpreadClocks, FirstTicksFollowTheEndOfTheSingleClock) {
  std::mt19937_64 random(2);
  std::vector<SpreadClock> clocks = plan_spread_clocks(kBegin, kPeriod, 3, random);
  EXPECT_TRUE(std::is_sorted(clocks.begin(), clocks.end(), [](const auto& a, const auto& b) { return a.start_ns < b.start_ns; }));
  EXPECT_EQ(std::count_if(clocks.begin(), clocks.end(), [](const SpreadClock& c) { return c.period_ns == 0; }), 3);
  uint64_t end = clocks.back().start_ns;
  for (const SpreadClock& clock : clocks) {
    EXPECT_GE(clock.start_ns, kBegin);
    if (clock.period_ns == 0) { EXPECT_EQ(clock.start_ns, end); }
    if (clock.period_ns != 0) {
      EXPECT_GE(clock.start_ns + clock.period_ns, end);
      EXPECT_LE(clock.start_ns, end);
    }
  }
}

// Bursts of `burst` that begin `soft` after one another, or up to `hard` if no tick wakes them sooner.
double sampled_share(const std::vector<uint64_t>& ticks, uint64_t burst, uint64_t soft, uint64_t hard) {
  uint64_t begin = 0, bursts = 1, hits = 0;
  for (uint64_t tick : ticks) {
    for (; tick > begin + hard; ++bursts) { begin += hard; }
    if (tick < begin + burst) {
      ++hits;
    } else if (tick >= begin + soft) {
      begin = tick + 1;
      ++bursts;
    }
  }
  return static_cast<double>(hits * kPeriod) / static_cast<double>(bursts * burst);
}

TEST(SpreadClocks, SampleBurstsThatTheyWake) {
  constexpr uint64_t kUs = 1000, kEnd = 20'000'000'000;
  std::mt19937_64 random(3);
  std::vector<uint64_t> single, spread;
  for (uint64_t t = kPeriod; t < kEnd; t += kPeriod) { single.push_back(t); }
  for (const SpreadClock& clock : plan_spread_clocks(0, kPeriod, 1, random)) {
    for (uint64_t t = clock.start_ns + clock.period_ns; clock.period_ns != 0 && t < kEnd; t += clock.period_ns) {
      spread.push_back(t);
    }
  }
  std::sort(spread.begin(), spread.end());
  EXPECT_LT(sampled_share(single, 300 * kUs, 850 * kUs, 1050 * kUs), 0.1);
  for (uint64_t soft : {160, 350, 400, 500, 700, 850, 970, 1100, 1570, 1900}) {
    for (uint64_t slack : {50, 200}) {
      EXPECT_NEAR(sampled_share(spread, soft * kUs / 3, soft * kUs, (soft + slack) * kUs), 1, 0.25) << soft << " + " << slack;
    }
  }
}

// Clocks of one CPU that tick from `begin` on; ticks that are due in a pause come at its end, `gap` apart. The kernel leaves out
// further periods of the same clock. Returns how many ticks are left.
size_t ticks_left(const std::vector<std::pair<uint64_t, uint64_t>>& pauses, uint64_t gap, uint64_t drift, size_t& all) {
  std::mt19937_64 random(7);
  struct Tick {
    uint64_t time;
    size_t clock;
  };
  std::vector<Tick> ticks;
  std::vector<TickTimes> times;
  for (const SpreadClock& clock : plan_spread_clocks(0, kPeriod, 1, random)) {
    if (clock.period_ns == 0) { continue; }
    uint64_t done = 0, shift = 0;
    for (uint64_t due = clock.start_ns + clock.period_ns; due < 20'000'000'000; due += clock.period_ns) {
      uint64_t time = due + (shift += drift) + random() % 40'000;
      for (auto [from, to] : pauses) {
        if (time >= from && time < to) { time = to + gap * times.size(); }
      }
      if (time > done) { ticks.push_back({done = time, times.size()}); }
      if (time > due + clock.period_ns) { due += (time - due) / clock.period_ns * clock.period_ns; }
    }
    times.push_back(TickTimes(clock.start_ns - 20'000, clock.period_ns));
  }
  std::sort(ticks.begin(), ticks.end(), [](const Tick& a, const Tick& b) { return a.time < b.time; });
  all = ticks.size();
  uint64_t last = 0;
  return static_cast<size_t>(std::count_if(ticks.begin(), ticks.end(), [&](const Tick& tick) {
    uint64_t since = tick.time - std::exchange(last, tick.time);
    return !is_held_up(times[tick.clock].late_ns(tick.time), since);
  }));
}

TEST(TickTimes, NothingIsLeftOutWithoutPauses) {
  size_t all = 0;
  EXPECT_EQ(ticks_left({}, 0, 0, all), all);
  EXPECT_GT(all, 19'900u);
  EXPECT_EQ(ticks_left({}, 0, 5'000, all), all) << "a beat that shifts";
}

TEST(TickTimes, APauseLeavesOneTick) {
  std::vector<std::pair<uint64_t, uint64_t>> pauses;
  uint64_t paused = 0;
  std::mt19937_64 random(9);
  for (uint64_t at = 100'000'000; at < 19'900'000'000; at += 100'000'000) {
    pauses.emplace_back(at, at + 2'000'000 + random() % 30'000'000);
    paused += pauses.back().second - at;
  }
  for (uint64_t gap : {3'000, 30'000, 60'000}) {
    size_t all = 0;
    double left = static_cast<double>(ticks_left(pauses, gap, 0, all));
    double due = static_cast<double>((20'000'000'000 - paused) / kPeriod + pauses.size());
    EXPECT_GT(static_cast<double>(all), due * 1.04) << "ticks that were held up";
    EXPECT_NEAR(left / due, 1, 0.01) << gap;
  }
}

}  // namespace
}  // namespace wick

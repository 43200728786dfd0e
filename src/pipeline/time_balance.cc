// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/time_balance.h"

#include <algorithm>
#include <unordered_map>

namespace wick {
namespace {

// With this many samples a thread can be balanced alone.
constexpr uint64_t kManySamples = 16;
constexpr uint64_t kEnoughSamples = 50, kNearShare = 50;  // 2 %
constexpr uint64_t kTraceShare = 100;                     // 1 %
constexpr uint64_t kOpenPeriods = 4;
// Samples represent at most this many times their weight; the rest of the time is unsampled.
constexpr double kMostOfOne = 1.25, kMostOfMany = 2.0, kMostWithGaps = 1.02;

uint64_t known_count(const ThreadTime& t) { return static_cast<uint64_t>(std::max<int64_t>(0, *t.counted)); }
constexpr uint64_t kMostTime = uint64_t{1} << 52;  // per thread: 52 days in nanoseconds

uint64_t times(uint64_t value, double factor) {
  return static_cast<uint64_t>(std::min(static_cast<double>(value) * factor, static_cast<double>(kMostTime)));
}

void limit(ThreadTime& t, const BalanceRules& rules) {
  t.tail = std::min(t.tail, kMostTime);
  t.sampled = std::min(t.sampled, kMostTime);
  if (!t.counted) { return; }
  auto most = static_cast<int64_t>(kMostTime);
  t.counted = std::clamp(*t.counted, -most, most);
  if (!t.ended) { return; }
  *t.counted += static_cast<int64_t>(std::min(rules.way_out, kMostTime));
  t.tail += std::min(rules.way_out, kMostTime);
  if (!t.first) { *t.counted -= static_cast<int64_t>(std::min(rules.afterwards, kMostTime)); }
}

// Scales all samples of a thread to its count, within the limits.
ThreadBalance fit(const ThreadTime& t, uint64_t counted, const BalanceRules& rules) {
  uint64_t sampled = std::min(counted, times(t.sampled, rules.has_gaps ? kMostWithGaps : kMostOfOne));
  return {sampled, counted - sampled};
}

// `stolen`: how much of the count may be stolen time, which the kernel does not count as CPU time.
ThreadBalance balance_own_clock(const ThreadTime& t, const BalanceRules& rules, uint64_t stolen) {
  uint64_t counted = known_count(t);
  if (t.sampled >= counted) { return {counted, 0}; }
  uint64_t missing = counted - t.sampled, tail = std::min(missing, t.tail);
  if (rules.user_only) {
    // The rest was in the kernel whenever a sample was due. For a few periods this proves little: other causes are as likely.
    uint64_t open = std::max(tail, kOpenPeriods * rules.period);
    return {t.sampled, std::min(missing, open)};
  }
  ThreadBalance out = fit(t, counted - tail - std::min(missing - tail, stolen), rules);
  out.unsampled += tail;
  return out;
}

// If many samples are close to the count, they stay unchanged: the difference is chance.
bool is_near(const ThreadTime& t) {
  uint64_t counted = known_count(t), difference = counted > t.sampled ? counted - t.sampled : t.sampled - counted;
  return t.samples >= kEnoughSamples && difference <= counted / kNearShare;
}

struct Pool {
  int64_t counted_or_less = 0;
  uint64_t sampled = 0, never_sampled = 0, known = 0;
  uint64_t counted() const { return static_cast<uint64_t>(std::max<int64_t>(0, counted_or_less)); }
};

}  // namespace

std::vector<ThreadBalance> balance_times(std::span<ThreadTime> threads, BalanceRules rules) {
  rules.period = std::min(rules.period, kMostTime / 64);
  for (ThreadTime& t : threads) {
    limit(t, rules);
    // A program that ended by exec has no count: the task's count comes at its end, minus what was sampled before. With the
    // samples as its count, both add up in their pool.
    if (rules.shared_clock && !t.counted) { t.counted = static_cast<int64_t>(t.sampled); }
  }
  uint64_t all = 0;
  for (const ThreadTime& t : threads) { all += t.counted ? known_count(t) : 0; }
  std::vector<ThreadBalance> out(threads.size());
  std::unordered_map<uint64_t, Pool> pools;
  auto pool_of = [&](const ThreadTime& t) -> Pool& { return pools[uint64_t{t.process_name} << 32 | t.thread_name]; };
  auto is_pooled = [&](const ThreadTime& t) { return rules.shared_clock && t.counted && t.samples < kManySamples; };
  for (size_t i = 0; i < threads.size(); ++i) {
    const ThreadTime& t = threads[i];
    if (!t.counted || is_near(t)) {
      out[i] = {t.sampled, 0};
    } else if (!rules.shared_clock) {
      double part = static_cast<double>(known_count(t)) / static_cast<double>(std::max<uint64_t>(all, 1));
      out[i] = balance_own_clock(t, rules, times(rules.stolen, part));
    } else if (!is_pooled(t)) {
      out[i] = fit(t, known_count(t), rules);
    } else {
      Pool& pool = pool_of(t);
      pool.counted_or_less += *t.counted;
      pool.sampled += t.sampled;
      pool.never_sampled += t.samples == 0 ? known_count(t) : 0;
      pool.known += known_count(t);
    }
  }
  for (size_t i = 0; i < threads.size(); ++i) {
    const ThreadTime& t = threads[i];
    if (!is_pooled(t)) { continue; }
    const Pool& pool = pool_of(t);
    const uint64_t counted = pool.counted();
    double factor = pool.sampled == 0 ? 0 : static_cast<double>(counted) / static_cast<double>(pool.sampled);
    factor = std::min(factor, kMostOfMany);
    out[i].sampled = times(t.sampled, factor);
    // Time that all samples together cannot represent goes to threads without samples.
    uint64_t covered = times(pool.sampled, factor), rest = counted - std::min(counted, covered);
    uint64_t base = pool.never_sampled != 0 ? pool.never_sampled : pool.known;
    bool takes = pool.never_sampled == 0 || t.samples == 0;
    if (takes && base != 0) { out[i].unsampled = times(rest, static_cast<double>(known_count(t)) / static_cast<double>(base)); }
  }
  // A trace of unsampled time does not deserve a frame in every view.
  TimeTotals totals = add_up(threads, out);
  if (totals.unsampled * kTraceShare <= totals.sampled) {
    for (ThreadBalance& balance : out) { balance.unsampled = 0; }
  }
  return out;
}

RestOfTime divide_rest(const UnexplainedTime& time) {
  uint64_t rest = time.counted - std::min(time.counted, time.explained);
  uint64_t stolen = std::min(rest, time.stolen);
  if (time.used > 0) { stolen = std::min(stolen, time.counted - std::min(time.counted, time.used)); }
  uint64_t kernel = std::clamp(time.system, rest - stolen, rest);
  return {kernel, rest - kernel};
}

TimeTotals add_up(std::span<const ThreadTime> threads, std::span<const ThreadBalance> balances) {
  TimeTotals totals;
  int64_t counted = 0;
  for (size_t i = 0; i < threads.size(); ++i) {
    counted += threads[i].counted.value_or(static_cast<int64_t>(threads[i].sampled));
    totals.sampled += balances[i].sampled;
    totals.unsampled += balances[i].unsampled;
    if (threads[i].samples >= kManySamples) { totals.unsampled_between += balances[i].unsampled; }
  }
  totals.counted = static_cast<uint64_t>(std::max<int64_t>(0, counted));
  return totals;
}

}  // namespace wick

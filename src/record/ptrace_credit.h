// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How many samples a look at a thread stands for.
//
// A thread is looked at when it is found running at a tick. Ticks know nothing of threads, so where they find a thread is where
// it spends its time, and a thread that lives for a tenth of a period is found in one of ten cases: that needs no correction.
// But ticks come late on a busy machine, and the time a thread stands stopped is not its own. So CPU time is counted as well,
// and a look stands for as many whole periods as have passed since the last one, rounded, the rest being carried over. The half
// period that a thread begins with makes its first look count as one sample whenever it comes within the first period; on
// average that is what the thread has used by then. At a thread's end nothing is owed unless whole ticks were missed, and those
// are counted as lost: samples made up at the end would show the ways out of programs as costly, which they are not.

#include <algorithm>
#include <cstdint>

namespace wick {

class SampleCredit {
 public:
  explicit SampleCredit(uint64_t period_ns) : period_ns_(static_cast<int64_t>(period_ns)), credit_ns_(period_ns_ / 2) {}

  // From now on time counts. `run_ns` is what the thread has used before.
  void begin(uint64_t run_ns) {
    seen_ns_ = run_ns;
    credit_ns_ = period_ns_ / 2;
  }
  // The thread has now used `run_ns` in all; gives what is new of it.
  uint64_t add(uint64_t run_ns) {
    if (run_ns <= seen_ns_) { return 0; }
    uint64_t growth = run_ns - seen_ns_;
    seen_ns_ = run_ns;
    credit_ns_ += static_cast<int64_t>(growth);
    return growth;
  }
  uint64_t owed_periods() const { return credit_ns_ > 0 ? static_cast<uint64_t>(credit_ns_ / period_ns_) : 0; }
  uint64_t take() { return take_above(-period_ns_ / 2); }
  uint64_t take_at_exit() { return take_above(period_ns_ / 2); }

 private:
  uint64_t take_above(int64_t threshold_ns) {
    int64_t samples = std::max<int64_t>(0, (credit_ns_ - threshold_ns) / period_ns_);
    credit_ns_ -= samples * period_ns_;
    return static_cast<uint64_t>(samples);
  }

  int64_t period_ns_, credit_ns_;
  uint64_t seen_ns_ = 0;
};

}  // namespace wick

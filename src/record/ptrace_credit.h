// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How many samples a look at a thread represents.
//
// A thread is looked at if a tick finds it running. Ticks are independent of threads, so they find a thread where it spends its
// time, and find a thread that lives for a tenth of a period in one of ten cases: that needs no correction. But ticks are late on
// a busy machine, and the time that a thread is stopped is not its own. So CPU time is counted too, and a look represents the
// number of periods since the last one, rounded, with the remainder carried over. The initial credit of half a period makes a
// thread's first look count as one sample if it comes within the first period; on average, that is the time the thread has used
// by then. No sample is added when a thread ends: it would attribute cost to exit paths that they do not have. The thread's exact
// time is reported separately.

#include <algorithm>
#include <cstdint>
#include <utility>

namespace wick {

class SampleCredit {
 public:
  explicit SampleCredit(uint64_t period_ns) : period_ns_(static_cast<int64_t>(period_ns)), credit_ns_(period_ns_ / 2) {}

  // Starts counting. `run_ns` is the CPU time that the thread has used before.
  void begin(uint64_t run_ns) {
    seen_ns_ = reported_ns_ = run_ns;
    credit_ns_ = period_ns_ / 2;
  }
  // The thread has now used `run_ns` in total; returns the increase.
  uint64_t add(uint64_t run_ns) {
    if (run_ns <= seen_ns_) { return 0; }
    uint64_t growth = run_ns - seen_ns_;
    seen_ns_ = run_ns;
    credit_ns_ += static_cast<int64_t>(growth);
    return growth;
  }
  // The time counted since the last call.
  uint64_t take_counted() { return seen_ns_ - std::exchange(reported_ns_, seen_ns_); }
  uint64_t owed_periods() const { return credit_ns_ > 0 ? static_cast<uint64_t>(credit_ns_ / period_ns_) : 0; }
  uint64_t take() {
    int64_t samples = std::max<int64_t>(0, (credit_ns_ + period_ns_ / 2) / period_ns_);
    credit_ns_ -= samples * period_ns_;
    return static_cast<uint64_t>(samples);
  }

 private:
  int64_t period_ns_, credit_ns_;
  uint64_t seen_ns_ = 0, reported_ns_ = 0;
};

}  // namespace wick

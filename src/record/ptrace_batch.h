// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Samples and side events until they are handed over, with the memory behind the samples.

#include <cstdint>
#include <span>
#include <vector>

#include "capture/raw.h"

namespace wick {

class SampleBatch {
 public:
  std::vector<SideEvent>& side() { return batch_.side; }
  bool empty() const { return batch_.side.empty() && batch_.samples.empty(); }
  size_t samples() const { return batch_.samples.size(); }
  size_t stack_bytes() const { return used_; }
  uint64_t oldest_ns() const { return oldest_ns_; }  // when its first event came; 0 when empty
  void note_time(uint64_t time_ns) {
    if (oldest_ns_ == 0) { oldest_ns_ = time_ns; }
  }

  // Room for the stack of the next sample, to be read into; add() tells how much of it was used. Lost when add() does not follow.
  std::span<uint8_t> stack_room(size_t size);
  // One look at a thread, as several samples: one for each of `times_ns`.
  void add(const RawSample& sample, size_t stack_size, std::span<const uint64_t> chain, std::span<const uint64_t> times_ns);

  void hand_over(RawSink& sink);

 private:
  struct Part {
    size_t offset = 0, size = 0;
  };
  struct Memory {
    Part stack, chain;
  };

  RawBatch batch_;
  std::vector<Memory> memory_;  // beside batch_.samples: their spans are set last, because the vectors below move when they grow
  std::vector<uint8_t> bytes_;
  std::vector<uint64_t> chains_;
  size_t used_ = 0;  // of bytes_
  uint64_t oldest_ns_ = 0;
};

// When the `count` samples of one look at `time_ns` are said to have been: a period apart, nearer where `earliest_ns` (what was
// told before of that thread) leaves less room. Ascending, the last one at `time_ns`.
void spread_back(uint64_t time_ns, uint64_t earliest_ns, uint64_t period_ns, size_t count, std::vector<uint64_t>& times_ns);

}  // namespace wick

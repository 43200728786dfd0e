// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/ptrace_batch.h"

#include <algorithm>

#include "base/result.h"

namespace wick {

std::span<uint8_t> SampleBatch::stack_room(size_t size) {
  if (bytes_.size() < used_ + size) { bytes_.resize(used_ + size); }
  return {bytes_.data() + used_, size};
}

void SampleBatch::add(const RawSample& sample, size_t stack_size, std::span<const uint64_t> chain,
                      std::span<const uint64_t> times_ns) {
  WICK_ASSERT(used_ + stack_size <= bytes_.size(), "stack bytes are read into stack_room() first");
  Memory memory{{used_, stack_size}, {chains_.size(), chain.size()}};
  used_ += stack_size;
  chains_.insert(chains_.end(), chain.begin(), chain.end());
  for (uint64_t time_ns : times_ns) {
    batch_.samples.push_back(sample);
    batch_.samples.back().time_ns = time_ns;
    memory_.push_back(memory);
  }
}

void SampleBatch::hand_over(RawSink& sink) {
  if (empty()) { return; }
  for (size_t i = 0; i < batch_.samples.size(); ++i) {
    batch_.samples[i].stack = {bytes_.data() + memory_[i].stack.offset, memory_[i].stack.size};
    batch_.samples[i].user_chain = {chains_.data() + memory_[i].chain.offset, memory_[i].chain.size};
  }
  auto by_time = [](const RawSample& a, const RawSample& b) { return a.time_ns < b.time_ns; };
  std::stable_sort(batch_.samples.begin(), batch_.samples.end(), by_time);
  sink.consume(batch_);
  batch_.side.clear();
  batch_.samples.clear();
  memory_.clear();
  chains_.clear();
  used_ = 0;
  oldest_ns_ = 0;
}

void spread_back(uint64_t time_ns, uint64_t earliest_ns, uint64_t period_ns, size_t count, std::vector<uint64_t>& times_ns) {
  times_ns.resize(count);
  uint64_t room = time_ns > earliest_ns ? time_ns - earliest_ns : 0;
  uint64_t step = count > 1 ? std::min<uint64_t>(period_ns, room / (count - 1)) : 0;
  for (size_t i = 0; i < count; ++i) { times_ns[i] = time_ns - (count - 1 - i) * step; }
}

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "capture/rows.h"

#include <algorithm>
#include <utility>

namespace wick::capture {
namespace {

template <typename Ids, typename Row>
Ids append(std::vector<Row>& rows, Row row) {
  rows.push_back(std::move(row));
  return {static_cast<uint32_t>(rows.size() - 1)};
}

}  // namespace

ModuleId MemoryRows::add_module(Module module) { return append<ModuleId>(capture.modules, std::move(module)); }
FrameId MemoryRows::add_frame(Frame frame) { return append<FrameId>(capture.frames, frame); }
StackId MemoryRows::add_stack(Stack stack) { return append<StackId>(capture.stacks, stack); }
ThreadId MemoryRows::add_thread(Thread thread) { return append<ThreadId>(capture.threads, std::move(thread)); }
void MemoryRows::update_thread(ThreadId id, Thread thread) { capture.threads[id.value] = std::move(thread); }

CauseId MemoryRows::add_cause(WaitCause cause) { return append<CauseId>(capture.causes, std::move(cause)); }
WaitId MemoryRows::add_wait(Wait wait) { return append<WaitId>(capture.waits, wait); }

void MemoryRows::add_sample(const Sample& sample) {
  if (merging_) { return merge(sample); }
  if (capture.samples.size() < most_single_) {
    capture.samples.push_back(sample);
    return;
  }
  merging_ = true;
  std::vector<Sample> single = std::exchange(capture.samples, {});
  for (const Sample& s : single) { merge(s); }
  merge(sample);
}

void MemoryRows::merge(const Sample& sample) {
  merged_cpus_ |= sample.cpu != 0;
  size_t slot = sample.stack.valid() ? sample.stack.value + size_t{1} : 0;
  if (slot >= last_row_.size()) { last_row_.resize(std::max(slot + 1, last_row_.size() * 2), UINT32_MAX); }
  uint32_t& last = last_row_[slot];
  if (last == UINT32_MAX || key_of(capture.samples[last]) != key_of(sample)) {
    last = rows_.try_emplace(key_of(sample), static_cast<uint32_t>(capture.samples.size())).first->second;
  }
  if (last == capture.samples.size()) {
    capture.samples.push_back(sample);
    capture.samples.back().cpu = 0;
    capture.counts.push_back(1);
    return;
  }
  Sample& row = capture.samples[last];
  row.time_ns = std::max(row.time_ns, sample.time_ns);
  bool fits = row.weight <= UINT64_MAX - sample.weight;
  row.weight = fits ? row.weight + sample.weight : UINT64_MAX;
  ++capture.counts[last];
}

}  // namespace wick::capture

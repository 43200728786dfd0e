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
  auto [entry, is_new] = rows_.try_emplace(Key{sample.thread.value, sample.stack.value, sample.event, sample.quality},
                                           static_cast<uint32_t>(capture.samples.size()));
  if (is_new) {
    capture.samples.push_back(sample);
    capture.samples.back().cpu = 0;
    capture.counts.push_back(1);
    return;
  }
  Sample& row = capture.samples[entry->second];
  row.time_ns = std::max(row.time_ns, sample.time_ns);
  bool fits = row.weight <= UINT64_MAX - sample.weight;
  row.weight = fits ? row.weight + sample.weight : UINT64_MAX;
  ++capture.counts[entry->second];
}

}  // namespace wick::capture

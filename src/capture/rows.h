// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Receives unwound samples row by row: into a file while recording (WickWriter), or into memory (MemoryRows).

#include <tsl/robin_map.h>

#include <cstdint>
#include <vector>

#include "base/hash.h"
#include "capture/capture.h"

namespace wick::capture {

class RowSink {
 public:
  virtual ~RowSink() = default;

  // A row may refer to itself (Thread::process) or to rows added before.
  virtual ModuleId add_module(Module module) = 0;
  virtual FrameId add_frame(Frame frame) = 0;
  virtual StackId add_stack(Stack stack) = 0;
  virtual ThreadId add_thread(Thread thread) = 0;
  virtual void update_thread(ThreadId id, Thread thread) = 0;  // a new name, or its end
  virtual CauseId add_cause(WaitCause cause) = 0;
  virtual WaitId add_wait(Wait wait) = 0;
  virtual void add_sample(const Sample& sample) = 0;
};

// Can merge samples of the same thread, stack, event and quality, from the start or above a limit, so that memory grows only with
// distinct stacks. A merged row has the time of its last sample.
class MemoryRows final : public RowSink {
 public:
  // `most_single`: keeps up to this many samples separate; beyond, all are merged.
  explicit MemoryRows(uint64_t most_single = UINT64_MAX) : most_single_(most_single) {}

  ModuleId add_module(Module module) override;
  FrameId add_frame(Frame frame) override;
  StackId add_stack(Stack stack) override;
  ThreadId add_thread(Thread thread) override;
  void update_thread(ThreadId id, Thread thread) override;
  CauseId add_cause(WaitCause cause) override;
  WaitId add_wait(Wait wait) override;
  void add_sample(const Sample& sample) override;

  bool is_merged() const { return merging_; }
  bool has_merged_cpus() const { return merged_cpus_; }  // samples of several CPUs were merged
  Capture capture;

 private:
  void merge(const Sample& sample);

  struct Key {
    uint32_t thread = 0, stack = 0, event = 0;
    StackQuality quality = StackQuality::kWhole;
    friend bool operator==(const Key&, const Key&) = default;
  };
  static Key key_of(const Sample& sample) { return {sample.thread.value, sample.stack.value, sample.event, sample.quality}; }
  struct KeyHash {
    size_t operator()(const Key& key) const {
      return hash_pair(uint64_t{key.thread} << 32 | key.stack, uint64_t{key.event} << 8 | static_cast<uint8_t>(key.quality));
    }
  };
  uint64_t most_single_;
  bool merging_ = false, merged_cpus_ = false;
  tsl::robin_map<Key, uint32_t, KeyHash> rows_;
  std::vector<uint32_t> last_row_;  // last row of each stack: usually the one needed, and faster than searching rows_
};

}  // namespace wick::capture

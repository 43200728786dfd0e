// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "capture/capture.h"

namespace wick::capture {

// Turns rows into the bytes of a `.wick` file: `begin()` gives the file's first bytes, `encode_pending()` whole blocks for what
// was added since, `finish()` what is left and the end mark. It does no I/O: the caller appends the bytes to a file, and
// what has been appended so far always opens.
class WickWriter {
 public:
  std::vector<uint8_t> begin(const Info& info);

  ModuleId add_module(Module module);
  FrameId add_frame(Frame frame);
  StackId add_stack(Stack stack);
  ThreadId add_thread(Thread thread);
  void update_thread(ThreadId id, Thread thread);  // a new name, an end
  void add_sample(const Sample& sample);
  void add_symbols(FrameSymbols symbols);
  void set_counter(const std::string& name, uint64_t value);

  // What was added and not yet encoded; a caller flushes when this is large or a second has passed.
  size_t pending_samples() const { return samples_.size(); }
  std::vector<uint8_t> encode_pending();
  std::vector<uint8_t> finish();

 private:
  uint32_t module_count_ = 0, frame_count_ = 0, stack_count_ = 0;
  std::vector<Module> modules_;
  std::vector<Frame> frames_;
  std::vector<Stack> stacks_;
  std::vector<std::pair<ThreadId, Thread>> threads_;
  uint32_t thread_count_ = 0;
  std::vector<Sample> samples_;
  std::vector<FrameSymbols> symbols_;
  std::vector<Counter> counters_;
};

}  // namespace wick::capture

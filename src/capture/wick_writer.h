// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "capture/block.h"
#include "capture/capture.h"
#include "capture/rows.h"

namespace wick::capture {

// Appends as many blocks of symbols as needed.
void append_symbol_blocks(std::vector<uint8_t>& out, BlockWriter& blocks, std::span<const FrameSymbols> symbols);
// Likewise of code.
void append_code_blocks(std::vector<uint8_t>& out, BlockWriter& blocks, std::span<const CodeBody> code);

// Converts rows to the bytes of a `.wick` file: `begin()` returns the first bytes, `encode_pending()` complete blocks of what was
// added since, `finish()` the rest and the end mark. Does no I/O: the caller appends the bytes to a file, which can be read at
// any time. Not thread-safe.
class WickWriter final : public RowSink {
 public:
  std::vector<uint8_t> begin(const Info& info);

  ModuleId add_module(Module module) override;
  FrameId add_frame(Frame frame) override;
  StackId add_stack(Stack stack) override;
  ThreadId add_thread(Thread thread) override;
  void update_thread(ThreadId id, Thread thread) override;
  CauseId add_cause(WaitCause cause) override;
  WaitId add_wait(Wait wait) override;
  void add_sample(const Sample& sample) override;
  void add_symbols(FrameSymbols symbols);
  void set_counter(const std::string& name, uint64_t value);
  void add_marker(Marker marker);
  TrackId add_track(Track track);
  void add_value(const TrackValue& value);
  void add_code(CodeBody body);
  void add_source(SourceText source);  // a complete file
  void set_info(Info info);            // replaces the info given to begin(), for example with later notes

  // Not yet encoded; the caller flushes if there are many, or after a second.
  size_t pending_samples() const { return samples_.size(); }
  uint64_t total_samples() const { return sample_count_ + samples_.size(); }
  std::vector<uint8_t> encode_pending();
  std::vector<uint8_t> finish();
  // The end mark for a copy of the file as it is after encode_pending().
  std::vector<uint8_t> end_mark();

 private:
  void encode_info(std::vector<uint8_t>& out);
  void encode_tables(std::vector<uint8_t>& out);
  void encode_samples(std::vector<uint8_t>& out);
  void encode_sample_block(std::vector<uint8_t>& out, std::span<const Sample> samples);
  void encode_counters(std::vector<uint8_t>& out);
  void encode_markers(std::vector<uint8_t>& out);
  void encode_tracks(std::vector<uint8_t>& out);
  void encode_code(std::vector<uint8_t>& out);

  Info info_;
  bool info_pending_ = false;
  uint32_t module_count_ = 0, frame_count_ = 0, stack_count_ = 0, thread_count_ = 0, track_count_ = 0, cause_count_ = 0,
           wait_count_ = 0;                                         // total, including pending ones
  uint64_t sample_count_ = 0, marker_count_ = 0, value_count_ = 0;  // encoded
  std::vector<Module> modules_;
  std::vector<Frame> frames_;
  std::vector<Stack> stacks_;
  std::vector<Thread> threads_;
  std::vector<std::pair<ThreadId, Thread>> thread_updates_;
  std::vector<WaitCause> causes_;
  std::vector<Wait> waits_;
  std::vector<Sample> samples_;
  std::vector<FrameSymbols> symbols_;
  std::vector<Marker> markers_;
  std::vector<Track> tracks_;
  std::vector<TrackValue> values_;
  std::vector<CodeBody> code_;
  std::vector<SourceText> sources_;
  struct CounterState {
    uint64_t value;
    bool pending;
  };
  std::map<std::string, CounterState> counters_;  // sorted, so that equal recordings give equal files
  BlockWriter blocks_;
};

}  // namespace wick::capture

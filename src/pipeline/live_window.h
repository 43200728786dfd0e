// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The last seconds of a recording in progress, for a live view. All rows are passed on to the file. This class keeps the tables,
// which grow only with distinct stacks, and the samples and threads of the window. Older samples are only in the file.
//
// A picture has only the rows that its samples use, so its cost does not grow with the recording.

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "capture/capture.h"
#include "capture/rows.h"
#include "module/jit_files.h"
#include "module/module.h"
#include "pipeline/load.h"
#include "pipeline/stack_table.h"
#include "record/engine.h"

namespace wick {

// Frames to symbolize, and where their code is.
struct LiveFrames {
  std::vector<capture::Module> modules;
  std::vector<const LoadedModule*> opened;                 // by module; null without a file
  std::vector<std::shared_ptr<const JitFiles>> generated;  // by module; null if not generated
  std::vector<capture::Frame> frames;
  std::vector<uint32_t> rows;  // by frame: its row in the recording
  std::vector<KernelCode> own_code;
  uint64_t seen_ns = 0;
};

struct LivePicture {
  LiveFrames code;
  capture::Capture capture;           // without symbols; frames and modules are in `code`
  std::vector<OtherSamples> others;   // by thread: its samples outside of the window
  uint64_t begin_ns = 0, end_ns = 0;  // of the samples' clock: [begin, end)
  uint64_t start_ns = 0;              // of the recording
};

class LiveWindow final : public capture::RowSink {
 public:
  LiveWindow(capture::RowSink& file, uint64_t window_ns) : file_(file), window_ns_(window_ns) {}

  // ---- by the recorder

  void begin(const capture::Info& info);
  capture::ModuleId add_module(capture::Module module) override;
  capture::FrameId add_frame(capture::Frame frame) override;
  capture::StackId add_stack(capture::Stack stack) override;
  capture::ThreadId add_thread(capture::Thread thread) override;
  void update_thread(capture::ThreadId id, capture::Thread thread) override;
  capture::CauseId add_cause(capture::WaitCause cause) override { return file_.add_cause(std::move(cause)); }
  capture::WaitId add_wait(capture::Wait wait) override { return file_.add_wait(wait); }
  void add_sample(const capture::Sample& sample) override;
  // All samples from before `until_ns` have been added. Counters are totals since the beginning.
  void publish(uint64_t until_ns, std::vector<capture::Counter> counters, const StackTable& stacks,
               std::vector<KernelCode> own_code);
  // The recording has ended: the window includes the samples of the last, incomplete millisecond.
  void publish_last(uint64_t end_ns, std::vector<capture::Counter> counters, const StackTable& stacks,
                    std::vector<KernelCode> own_code);

  size_t running_threads() const;

  // ---- by any other thread

  // The last seconds until the last publish(). Begins and ends at full milliseconds of the recording.
  LivePicture picture() const;
  // Every frame of the recording so far.
  LiveFrames all_frames() const;
  size_t sample_count() const;  // in memory

 private:
  struct Task {
    capture::Thread thread;
    OtherSamples dropped;
    size_t in_window = 0;  // samples
  };
  uint64_t begin_of_window() const;
  uint64_t end_of_window() const;
  void drop_old();

  mutable std::mutex mutex_;
  capture::RowSink& file_;
  const uint64_t window_ns_;
  capture::Info info_;
  std::vector<capture::Module> modules_;
  std::vector<const LoadedModule*> opened_;
  std::vector<std::shared_ptr<const JitFiles>> generated_;
  std::vector<KernelCode> own_code_;
  std::vector<capture::Frame> frames_;
  std::vector<capture::Stack> stacks_;
  std::unordered_map<uint32_t, Task> tasks_;  // by row: those that ran in the window or may still run
  std::deque<capture::Sample> samples_;
  uint64_t until_ns_ = 0;
  using Counters = std::vector<capture::Counter>;
  Counters counters_;
  std::deque<std::pair<uint64_t, Counters>> past_counters_;  // one per second; the first is from before the window
};

}  // namespace wick

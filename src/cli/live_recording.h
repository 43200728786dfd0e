// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A recording in progress and what is shown of it. It has its own thread, so that samples are taken on time whatever the views
// compute. Some engines must be used by the thread that started them, so this thread starts and ends the recording.

#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "annotate/function_code.h"
#include "cli/record_options.h"
#include "os/command_output.h"
#include "os/stop_signals.h"
#include "pipeline/live_names.h"
#include "pipeline/recording.h"
#include "tui/run.h"

namespace wick {

class LiveRecording final : public tui::LiveFeed {
 public:
  LiveRecording(RecordRequest request, EnginePlan plan, Machine machine, SourcePlaces places, uint64_t window_ns);
  ~LiveRecording() override;

  // Starts the target, or attaches to it.
  Status start(const sigset_t& child_signal_mask);
  // Ends the recording and the command. `asked`: the command has received Ctrl-C. Returns the exit code.
  int end(bool asked);
  // The last part of what the command wrote.
  std::string command_output() { return output_.end(); }

  std::shared_ptr<const Profile> look(bool again) override;
  tui::Source source_of(std::shared_ptr<const Profile> profile) override;
  tui::LiveStatus status() override;
  std::string save() override;
  void suspend(bool suspended) override;

 private:
  void record(const sigset_t& child_signal_mask, std::promise<Status>& started);
  Status begin(Engine& engine, const sigset_t& child_signal_mask);
  // Runs it on the recording thread, or here if that has ended (null).
  void run_there(const std::function<void(Engine*)>& task);
  void describe_so_far();
  std::vector<std::string> notes() const;

  const RecordRequest request_;
  const EnginePlan plan_;
  const Machine machine_;
  CommandOutput output_;
  Recording recording_;
  LiveNames names_;
  CodeOptions code_;
  struct KnownCode;
  std::shared_ptr<KnownCode> known_code_;
  std::thread thread_;
  std::atomic<bool> stop_ = false, asked_ = false;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void(Engine*)> task_;
  bool task_done_ = false;
  bool over_ = false;  // the recording thread takes no more tasks
  std::string ended_;  // how the target ended
  int code_ended_ = 0;
  Progress progress_;
  std::vector<std::string> quality_;  // of the recording so far
  uint64_t described_ns_ = 0;

  // Of the last look().
  LivePicture picture_;
  bool has_looked_ = false, was_over_ = false;
  size_t missing_ = 0;
  uint64_t last_cpu_ns_ = 0, last_wall_ns_ = 0;
};

}  // namespace wick

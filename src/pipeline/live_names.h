// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Symbols for a live view. Each frame is looked up once, by a thread of its own: most are found at once, since files stay loaded,
// but reading a large program's debug info takes seconds, in which the view shows its frames without symbols.

#include <condition_variable>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <unordered_map>
#include <vector>

#include "capture/capture.h"
#include "pipeline/live_window.h"
#include "pipeline/name_frames.h"

namespace wick {

// The code of the hottest functions, as at the end of other recordings.
std::vector<capture::CodeBody> collect_live_code(const LiveFrames& code, std::span<const uint64_t> weights,
                                                 const SymbolSources& sources, uint64_t most_bytes);

class LiveNames {
 public:
  explicit LiveNames(SymbolSources sources) : cache_(std::move(sources)) {}
  LiveNames(const LiveNames&) = delete;
  LiveNames& operator=(const LiveNames&) = delete;
  ~LiveNames();

  // The symbols that are known or soon found, by frame of `code`. The others are being looked up; `missing` is their number.
  std::vector<capture::FrameSymbols> known(const LiveFrames& code, size_t& missing);
  // All, by row of the recording; looks them up first.
  std::vector<capture::FrameSymbols> all(const LiveFrames& code);

 private:
  using Chain = std::vector<capture::SymbolFrame>;
  std::vector<capture::FrameSymbols> collect(const LiveFrames& code, LiveFrames& missing, bool again);
  void run();
  void look_up(const LiveFrames& code);

  SymbolCache cache_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::unordered_map<uint32_t, Chain> chains_;  // by row of the recording
  std::optional<LiveFrames> wanted_;
  uint64_t rounds_ = 0;
  bool busy_ = false;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace wick

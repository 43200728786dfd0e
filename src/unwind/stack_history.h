// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "unwind/walker.h"

namespace wick {

// The last whole stack of each thread, outermost frame FIRST: successive stacks of a thread share their outer part, which then
// stays where it is. Bounded: when it has grown too large it begins anew.
class StackHistory {
 public:
  // Null when there is none.
  const std::vector<WalkedFrame>* find(uint32_t tid) const;
  // `frames` is innermost first. Gives the number of outermost frames that are as they were.
  size_t remember(uint32_t tid, const std::vector<WalkedFrame>& frames);
  // Where in `stack` the frame stands, by address and stack pointer; its size when it is not there.
  static size_t find_frame(const std::vector<WalkedFrame>& stack, const WalkedFrame& frame);

 private:
  static constexpr size_t kMaxThreads = 8192, kMaxFrames = 500'000;  // 12 MB

  std::unordered_map<uint32_t, std::vector<WalkedFrame>> stacks_;
  size_t frame_count_ = 0;
};

}  // namespace wick

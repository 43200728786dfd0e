// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "unwind/stack_history.h"

#include <algorithm>

namespace wick {

const std::vector<WalkedFrame>* StackHistory::find(uint32_t tid) const {
  auto found = stacks_.find(tid);
  return found == stacks_.end() || found->second.empty() ? nullptr : &found->second;
}

size_t StackHistory::remember(uint32_t tid, const std::vector<WalkedFrame>& frames) {
  std::vector<WalkedFrame>& stack = stacks_[tid];
  size_t same = 0, most = std::min(stack.size(), frames.size());
  while (same < most && stack[same] == frames[frames.size() - 1 - same]) { ++same; }
  frame_count_ += frames.size();
  frame_count_ -= stack.size();
  if (frame_count_ > kMaxFrames || stacks_.size() > kMaxThreads) {
    stacks_.clear();
    frame_count_ = 0;
    return same;
  }
  stack.resize(same);
  stack.insert(stack.end(), frames.rbegin() + static_cast<std::ptrdiff_t>(same), frames.rend());
  return same;
}

size_t StackHistory::find_frame(const std::vector<WalkedFrame>& stack, const WalkedFrame& frame) {
  // From the inner end: a stack is cut some kilobytes from there.
  for (size_t i = stack.size(); i-- > 0;) {
    if (stack[i].sp == frame.sp && stack[i].address == frame.address) { return i; }
  }
  return stack.size();
}

}  // namespace wick

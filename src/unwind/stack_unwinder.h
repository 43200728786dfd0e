// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A sample's registers and copied stack bytes -> its whole stack.
//
// The kernel copies a few kilobytes in the interrupt; most stacks end within them. A longer one (deep recursion, a frame of 120
// kB, a handler on a stack of its own) is finished from the memory of the live process, a millisecond or so later: its outer
// frames are suspended in calls and have seldom changed. That is believed only if the copied words around the place where the
// copy ended are still the same. Otherwise the rest is taken from the thread's last whole stack, if that has the same frame at
// the same stack pointer.
//
// Very deep stacks: reading and walking a megabyte costs some 200 us, a fifth of a core at 1 kHz. The time spent on live memory
// is therefore limited to a share of the time that passes; beyond it a stack is joined to the last whole one after a look at a
// spread of its return addresses in the live process, which costs microseconds, and is counted as joined, not as live.

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "capture/capture.h"
#include "capture/raw.h"
#include "module/address_space.h"
#include "unwind/frame_sizes.h"
#include "unwind/live_memory.h"
#include "unwind/stack_history.h"
#include "unwind/walker.h"

namespace wick {

// One per worker thread; keeps what it learned between samples. Not thread-safe. A thread's samples are best given to the same
// one.
class StackUnwinder {
 public:
  explicit StackUnwinder(WalkOptions options) : options_(options), walker_(options) {}

  // User frames of a sample, innermost first; `frames` is replaced. `live_allowed`: the process may still be there and be read.
  capture::StackQuality unwind(const RawSample& sample, const AddressSpace& space, bool live_allowed,
                               std::vector<WalkedFrame>& frames);

  // For a stack that unwind() gave as kCut: another try to join it, when later samples of the thread have been unwound. The
  // newest sample of a batch has the best chance to be finished from the live process, and those before it can then be joined to
  // it.
  bool join_later(uint32_t tid, std::vector<WalkedFrame>& frames) const;

  // How often a process would not let its memory be read.
  size_t refused() const { return refused_; }

 private:
  bool finish_from_live(const RawSample& sample, const AddressSpace& space, uint64_t missing, std::vector<WalkedFrame>& frames,
                        capture::StackQuality& quality);
  bool join_checked(uint32_t tid, const AddressSpace& space, std::vector<WalkedFrame>& frames);
  bool finish_changed(uint32_t tid, const AddressSpace& space, std::vector<WalkedFrame>& frames, capture::StackQuality& quality);
  bool mend(const RawSample& sample, const AddressSpace& space, StackMemory& copied, bool may_join,
            std::vector<WalkedFrame>& frames);
  void learn_sizes(const std::vector<WalkedFrame>& frames, size_t count);
  bool join_astray(const RawSample& sample, std::vector<WalkedFrame>& frames);
  bool spread_is_unchanged(const std::vector<WalkedFrame>& stack, size_t at, uint64_t mask);
  bool over_budget(uint64_t now) const;

  WalkOptions options_;
  Walker walker_;
  LiveMemory live_;
  StackHistory history_;
  FrameSizes sizes_;
  std::unordered_set<uint32_t> unreadable_;  // processes that may not be read
  std::vector<WalkedFrame> finished_;
  uint64_t first_live_ns_ = 0, live_spent_ns_ = 0;
  size_t refused_ = 0;
};

}  // namespace wick

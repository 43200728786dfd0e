// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Unwinds a sample's registers and memory into its stack. Every word is from the moment of the sample: from the bytes the kernel
// copied in the interrupt, or from the stopped thread. A stack whose root these do not reach is truncated, never completed from
// elsewhere.

#include <cstdint>
#include <vector>

#include "capture/capture.h"
#include "capture/raw.h"
#include "module/address_space.h"
#include "unwind/sample_memory.h"
#include "unwind/walker.h"

namespace wick {

// One per worker thread; keeps caches and buffers between samples. Not thread-safe.
class StackUnwinder {
 public:
  explicit StackUnwinder(WalkOptions options) : options_(options), walker_(options) {}

  // Replaces `frames` with the sample's user frames, innermost first, and sets `needs_more` and `reach` of the sample.
  capture::StackQuality unwind(RawSample& sample, const AddressSpace& space, std::vector<WalkedFrame>& frames);
  uint64_t unmapped() const { return walker_.unmapped(); }

 private:
  WalkOptions options_;
  Walker walker_;
  SampleMemory memory_;
};

}  // namespace wick

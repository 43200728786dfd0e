// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "unwind/stack_unwinder.h"

#include <algorithm>

namespace wick {

using capture::StackQuality;

StackQuality StackUnwinder::unwind(RawSample& sample, const AddressSpace& space, std::vector<WalkedFrame>& frames) {
  uint64_t sp = sample.user.value[register_numbers(options_.arch).sp];
  memory_.begin(sp, sample.stack, sample.memory);
  StackQuality quality = walker_.walk(sample.user, space, memory_, frames);
  // Not even the first word was copied although the copy was asked for: there is nothing more to read either.
  if (quality == StackQuality::kCut && sample.stack.empty() && sample.memory == nullptr) { quality = StackQuality::kUnreadable; }
  sample.needs_more = quality == StackQuality::kCut;
  for (const WalkedFrame& frame : frames) {
    if (frame.slot >= sp) { sample.reach = std::max(sample.reach, frame.slot + 8 - sp); }
  }
  if (quality == StackQuality::kWhole && memory_.used_rest()) { return StackQuality::kStopped; }
  // With all memory readable, a missing word means a wrong step, not a short copy.
  if (quality == StackQuality::kCut && sample.memory != nullptr) { return StackQuality::kBadRow; }
  return quality;
}

}  // namespace wick

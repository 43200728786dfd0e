// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace wick {

// How far apart the stack pointers of a frame and of its caller were, by the frame's address, as seen in whole stacks. The same
// at each visit but for functions that take stack as they run; hence a guess. Small and forgetful.
class FrameSizes {
 public:
  void learn(uint64_t address, uint64_t size) { slots_[index(address)] = {address, size}; }
  // 0: not known.
  uint64_t find(uint64_t address) const {
    const Slot& slot = slots_[index(address)];
    return slot.address == address ? slot.size : 0;
  }

 private:
  static constexpr size_t kSlots = 1024;
  struct Slot {
    uint64_t address = 0, size = 0;
  };
  static size_t index(uint64_t address) { return (address ^ address >> 10) % kSlots; }

  std::vector<Slot> slots_ = std::vector<Slot>(kSlots);
};

}  // namespace wick

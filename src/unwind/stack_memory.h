// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

namespace wick {

// The source of stack words: the bytes copied by the kernel, a stopped thread, a replayed file. Nearly every word of a walk lies
// in one run of bytes, the window, which needs no virtual call.
class StackMemory {
 public:
  virtual ~StackMemory() = default;

  bool read_u64(uint64_t address, uint64_t& value) {
    uint64_t offset = address - window_base_;
    if (offset < window_words_) [[likely]] {
      std::memcpy(&value, window_ + offset, 8);
      return true;
    }
    return read_outside(address, value);
  }

 protected:
  void set_window(uint64_t base, std::span<const uint8_t> bytes) {
    window_base_ = base;
    window_ = bytes.data();
    window_words_ = bytes.size() >= 8 ? bytes.size() - 7 : 0;
  }
  virtual bool read_outside(uint64_t address, uint64_t& value) = 0;

 private:
  uint64_t window_base_ = 0;
  const uint8_t* window_ = nullptr;
  uint64_t window_words_ = 0;  // number of addresses at which a complete word can be read
};

// Only the copied bytes.
class CopiedStack final : public StackMemory {
 public:
  CopiedStack(uint64_t base, std::span<const uint8_t> bytes) { set_window(base, bytes); }

 private:
  bool read_outside(uint64_t, uint64_t&) override { return false; }
};

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Registers + memory + address space -> the addresses of the stack, innermost first.

#include <cstdint>
#include <span>
#include <vector>

#include "base/cpu.h"
#include "capture/capture.h"
#include "module/address_space.h"

namespace wick {

// Where stack words come from: the bytes the kernel copied, the live process, a replayed file.
class StackMemory {
 public:
  virtual ~StackMemory() = default;
  virtual bool read_u64(uint64_t address, uint64_t& value) = 0;
};

struct WalkedFrame {
  uint64_t address = 0;  // as mapped; where to look for the name: inside the call instruction for callers
  uint64_t sp = 0;       // stack pointer in that frame (for the innermost: as sampled)
  friend bool operator==(const WalkedFrame&, const WalkedFrame&) = default;
};

struct WalkOptions {
  Arch arch = host_arch();
  uint32_t max_depth = 32768;
};

// Reusable per thread: holds caches between walks. Not thread-safe.
class Walker {
 public:
  explicit Walker(WalkOptions options);
  ~Walker();
  Walker(Walker&&) noexcept;
  Walker& operator=(Walker&&) noexcept;

  // Walks until the root or until it cannot go on; `frames` is replaced. kCut means: the next word needed is not in `memory`, and
  // resume() can go on from there.
  capture::StackQuality walk(const Registers& start, const AddressSpace& space, StackMemory& memory, std::vector<WalkedFrame>& frames);
  // After kCut: goes on where the walk stood, with another memory; appends to `frames`.
  capture::StackQuality resume(const AddressSpace& space, StackMemory& memory, std::vector<WalkedFrame>& frames);

 private:
  struct State;
  State* state_;
};

}  // namespace wick

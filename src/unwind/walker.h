// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Unwinds registers, memory and an address space into the addresses of a stack, innermost first.
//
// There are two ways to step from a frame to its caller. The quick one uses compact rules (elf/unwind_table.h) and tracks only
// the pc, stack pointer and frame pointer. The full one applies the CFI entries to all registers, for rows that no compact rule
// can express. A walk starts with quick steps and takes single full steps where it knows the needed registers (signal frames need
// only the stack pointer); where it does not, it restarts with full steps. Code without unwind information is crossed by
// plausible frame pointers.

#include <cstdint>
#include <memory>
#include <vector>

#include "base/cpu.h"
#include "capture/capture.h"
#include "module/address_space.h"
#include "unwind/stack_memory.h"

namespace wick {

struct WalkedFrame {
  uint64_t address = 0;  // as mapped; the address to symbolize: for callers inside the call instruction
  uint64_t sp = 0;       // stack pointer in that frame (innermost frame: as sampled)
  uint64_t slot = 0;     // address it was read from; 0: a register
  friend bool operator==(const WalkedFrame&, const WalkedFrame&) = default;
};

struct WalkOptions {
  Arch arch = host_arch();
  uint32_t max_depth = 32768;
};

// Keeps caches between walks, so use one per thread. Not thread-safe. Modules must outlive it.
class Walker {
 public:
  explicit Walker(WalkOptions options);
  ~Walker();
  Walker(Walker&&) noexcept;
  Walker& operator=(Walker&&) noexcept;

  // Walks to the root or as far as it can, and replaces `frames`. kCut: the next word is not in `memory`.
  capture::StackQuality walk(const Registers& start, const AddressSpace& space, StackMemory& memory,
                             std::vector<WalkedFrame>& frames);
  // The code address in no known mapping where the last walk ended with kNoMapping.
  uint64_t unmapped() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Registers + memory + address space -> the addresses of the stack, innermost first.
//
// Two ways of stepping from a frame to its caller. The quick one follows compact rules (elf/unwind_table.h) and knows only pc,
// stack pointer and frame pointer. The full one applies the entries themselves to all registers; it serves the rows that no
// compact rule can express. A walk begins quickly, takes single full steps where the registers they need are known (signal frames
// need the stack pointer only), and begins again in full where they are not. Code without unwind information is crossed by its
// frame pointers where these look sound.

#include <cstdint>
#include <memory>
#include <vector>

#include "base/cpu.h"
#include "capture/capture.h"
#include "module/address_space.h"
#include "unwind/stack_memory.h"

namespace wick {

struct WalkedFrame {
  uint64_t address = 0;  // as mapped; where to look for the name: inside the call instruction for callers
  uint64_t sp = 0;       // stack pointer in that frame (for the innermost: as sampled)
  uint64_t slot = 0;     // where in memory the address was read; 0: it was in a register
  friend bool operator==(const WalkedFrame&, const WalkedFrame&) = default;
};

struct WalkOptions {
  Arch arch = host_arch();
  uint32_t max_depth = 32768;
};

// Reusable per thread: holds caches between walks. Not thread-safe. Modules seen must outlive it.
class Walker {
 public:
  explicit Walker(WalkOptions options);
  ~Walker();
  Walker(Walker&&) noexcept;
  Walker& operator=(Walker&&) noexcept;

  // Walks until the root or until it cannot go on; `frames` is replaced. kCut means: the next word needed is not in `memory`, and
  // resume() can go on from there.
  capture::StackQuality walk(const Registers& start, const AddressSpace& space, StackMemory& memory,
                             std::vector<WalkedFrame>& frames);
  // After kCut: goes on where the walk stood. `memory` must know the words of the earlier one too: the walk may have to begin
  // again.
  capture::StackQuality resume(const AddressSpace& space, StackMemory& memory, std::vector<WalkedFrame>& frames);
  // The same walk again, but in the frame number `at` the register `number` (of the pc, the stack or the frame pointer) is
  // `value`, whatever the rules say. A pc given so is where the code goes on, not the place behind a call.
  struct Mend {
    size_t at = 0;
    unsigned number = 0;
    uint64_t value = 0;
  };
  capture::StackQuality walk_mended(const Registers& start, const AddressSpace& space, StackMemory& memory, const Mend& mend,
                                    std::vector<WalkedFrame>& frames);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace wick

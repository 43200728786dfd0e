// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/cpu.h"
#include "module/address_space.h"
#include "unwind/stack_memory.h"

namespace wick {

// Where a walk stands.
struct Cursor {
  Registers regs;
  uint64_t slot = 0;  // where the pc was read from; 0: a register
  bool exact = true;  // the pc is the next instruction (innermost frame, or interrupted by a signal), not a return address

  // A return address may lie behind the end of its function, when the call was the last instruction.
  uint64_t lookup(unsigned pc) const { return regs.value[pc] - (exact ? 0 : 1); }
};

// What a step may look at.
struct StepInput {
  Arch arch;
  const AddressSpace& space;
  StackMemory& memory;
  uint64_t code_mask;  // see code_mask()

  uint64_t strip(uint64_t address) const { return address & code_mask; }
};

// The bits that an address of code can have. On aarch64 a return address may carry a signature above those that the kernel gives
// to user space, which are 39, 42, 48 or 52 depending on how it was built; what is mapped tells.
inline uint64_t code_mask(Arch arch, const AddressSpace& space) {
  if (arch != Arch::kAarch64) { return UINT64_MAX; }
  uint64_t top = space.mappings().empty() ? 0 : space.mappings().back().end;
  unsigned bits = top == 0 ? 48 : std::max(39u, static_cast<unsigned>(std::bit_width(top - 1)));
  return bits >= 52 ? (uint64_t{1} << 52) - 1 : (uint64_t{1} << bits) - 1;
}

enum class Step : uint8_t {
  kDone,         // the cursor is in the caller
  kRoot,         // there is no caller
  kNoMemory,     // a word is missing
  kNoRegister,   // a register is missing
  kImplausible,  // it would lead to nonsense
};

}  // namespace wick

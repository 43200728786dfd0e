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

// The current frame of a walk.
struct Cursor {
  Registers regs;
  uint64_t slot = 0;       // address the pc was read from; 0: a register
  bool exact = true;       // the pc is the next instruction (innermost frame, or interrupted by a signal), not a return address
  bool doubts_fp = false;  // an exception may have overwritten the saved frame pointer

  // A call can be a function's last instruction, and then the return address lies past the function's end.
  uint64_t lookup(unsigned pc) const { return regs.value[pc] - (exact ? 0 : 1); }
};

struct StepInput {
  Arch arch;
  const AddressSpace& space;
  StackMemory& memory;
  uint64_t code_mask;  // see code_mask()

  uint64_t strip(uint64_t address) const { return address & code_mask; }
};

// The bits of a code address. On aarch64, pointer authentication signs a return address in the bits above the user address space.
// That space has 39, 42, 48 or 52 bits, depending on the kernel's configuration, so the highest mapping determines the mask.
inline uint64_t code_mask(Arch arch, const AddressSpace& space) {
  if (arch != Arch::kAarch64) { return UINT64_MAX; }
  uint64_t top = space.end();
  unsigned bits = top == 0 ? 48 : std::max(39u, static_cast<unsigned>(std::bit_width(top - 1)));
  return bits >= 52 ? (uint64_t{1} << 52) - 1 : (uint64_t{1} << bits) - 1;
}

enum class Step : uint8_t {
  kDone,         // the cursor is in the caller
  kRoot,         // there is no caller
  kNoMemory,     // a word is missing
  kNoRegister,   // a register is missing
  kImplausible,  // the caller would be nonsense
};

}  // namespace wick

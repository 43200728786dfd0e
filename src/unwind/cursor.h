// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/cpu.h"

namespace wick {

// Where a walk stands.
struct Cursor {
  Registers regs;
  uint64_t slot = 0;   // where the pc was read from; 0: a register
  bool exact = true;   // the pc is the next instruction (innermost frame, or interrupted by a signal), not a return address

  // A return address may lie behind the end of its function, when the call was the last instruction.
  uint64_t lookup(unsigned pc) const { return regs.value[pc] - (exact ? 0 : 1); }
};

enum class Step : uint8_t {
  kDone,        // the cursor is in the caller
  kRoot,        // there is no caller
  kNoMemory,    // a word is missing
  kNoRegister,  // a register is missing
  kImplausible, // it would lead to nonsense
};

}  // namespace wick

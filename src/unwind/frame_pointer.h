// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "module/address_space.h"
#include "unwind/cursor.h"
#include "unwind/stack_memory.h"

namespace wick {

// For code without unwind information (JIT, hand-written assembly, stripped tables): follows the chain of frame pointers, if what it finds looks like
// one. kRoot where the chain ends with 0; kImplausible where there is none; kNoMemory where there may be one, outside `memory`.
Step frame_pointer_step(Arch arch, const AddressSpace& space, StackMemory& memory, Cursor& cursor);

}  // namespace wick

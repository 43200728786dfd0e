// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unwind/cursor.h"

namespace wick {

// For code without unwind information (JIT, hand-written assembly, stripped tables): follows the chain of frame pointers, if what
// it finds looks like one; an innermost function that has no frame yet is recognised by the call that leads to it. kRoot where
// the chain ends with 0; kImplausible where there is none; kNoMemory where there may be one, outside `memory`.
Step frame_pointer_step(const StepInput& in, Cursor& cursor);

}  // namespace wick

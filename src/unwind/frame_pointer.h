// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unwind/cursor.h"

namespace wick {

// Steps out of code without unwind information.
//
// If the file has such information for other code (hand-written assembly, objects built without tables), the step must be
// certain: the function sets up a frame record in its first instructions, or the pc is at its first instruction or its return.
// Otherwise the register may still hold the frame pointer of an outer function, and the step would skip the callers in between.
//
// In generated code and in files without any tables (stripped Go programs), frame pointers are an unprovable convention: the step
// follows a plausible chain and sets `guessed`.
//
// Returns kRoot if the chain ends with 0, kImplausible if there is no chain, kNoMemory if it may continue outside `memory`.
Step frame_pointer_step(const StepInput& in, Cursor& cursor, bool& guessed);

}  // namespace wick

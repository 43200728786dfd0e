// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elf/cfi.h"
#include "unwind/cursor.h"

namespace wick {

// From a frame to its caller by a row with rules for all registers. The cursor is changed only when it is kDone. `load_bias`:
// what to add to addresses as linked.
Step full_step(const StepInput& in, const elf::FrameRow& row, uint64_t load_bias, Cursor& cursor);

}  // namespace wick

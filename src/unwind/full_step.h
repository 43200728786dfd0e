// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elf/cfi.h"
#include "unwind/cursor.h"

namespace wick {

// Steps to the caller with a row that has rules for all registers. Changes the cursor only when it returns kDone. Adding
// `load_bias` to a linked address gives the mapped one.
Step full_step(const StepInput& in, const elf::FrameRow& row, uint64_t load_bias, Cursor& cursor);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A signal handler returns to a few instructions that call sigreturn; the kernel has put the interrupted registers on the stack
// above. Where no unwind information says so (aarch64's vDSO, musl), those instructions are recognised.

#include "base/fd.h"
#include "unwind/cursor.h"

namespace wick {

// How many bytes before and after `lookup` is_signal_return() wants to see.
constexpr uint64_t kSignalCodeBefore = 8, kSignalCodeAfter = 16;

// `code` holds instructions, `at` is the place of the lookup address in it (a return address minus one, or an exact pc).
bool is_signal_return(Arch arch, Bytes code, size_t at);

// From the frame of those instructions to what was interrupted, by the kernel's layout.
Step signal_step(const StepInput& in, Cursor& cursor);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A signal handler returns to a few instructions that call sigreturn; the kernel has stored the interrupted registers above them
// on the stack. Where unwind information does not describe this (aarch64's vDSO, musl), wick recognizes the instructions.

#include "base/fd.h"
#include "unwind/cursor.h"

namespace wick {

// Bytes that is_signal_return() needs before and after the lookup address.
constexpr uint64_t kSignalCodeBefore = 8, kSignalCodeAfter = 16;

// `at` is the offset of the lookup address (a return address minus one, or an exact pc) in `code`.
bool is_signal_return(Arch arch, Bytes code, size_t at);

// Steps from the sigreturn instructions to the interrupted code, using the kernel's signal frame layout.
Step signal_step(const StepInput& in, Cursor& cursor);

}  // namespace wick

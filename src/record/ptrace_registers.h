// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/cpu.h"
#include "base/fd.h"

namespace wick {

// The general registers as PTRACE_GETREGSET gives them (NT_PRSTATUS). A 32-bit program on a 64-bit kernel has another layout:
// of such only the program counter is taken, because nothing here unwinds 32-bit code.
struct StoppedRegisters {
  Registers user;
  std::optional<bool> in_system_call;  // x86_64 tells it here; aarch64 in a set of its own
};
std::optional<StoppedRegisters> parse_prstatus(Arch arch, Bytes bytes);

// That set (NT_ARM_SYSTEM_CALL): the number of the system call, -1 for none.
std::optional<bool> parse_arm_system_call(Bytes bytes);

}  // namespace wick

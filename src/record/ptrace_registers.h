// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/cpu.h"
#include "base/fd.h"

namespace wick {

// The general registers from PTRACE_GETREGSET (NT_PRSTATUS). A 32-bit program on a 64-bit kernel has another layout; only its
// program counter is used, since wick does not unwind 32-bit code.
struct StoppedRegisters {
  Registers user;
  std::optional<bool> in_system_call;  // included on x86_64; aarch64 has a separate set
};
std::optional<StoppedRegisters> parse_prstatus(Arch arch, Bytes bytes);

// Parses that set (NT_ARM_SYSTEM_CALL): the system call number, -1 for none.
std::optional<bool> parse_arm_system_call(Bytes bytes);

}  // namespace wick

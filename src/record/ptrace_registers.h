// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/cpu.h"
#include "base/fd.h"

namespace wick {

// The general registers as PTRACE_GETREGSET gives them (NT_PRSTATUS). A 32-bit program on a 64-bit kernel has another layout: of such
// only the program counter is taken, because nothing here unwinds 32-bit code.
std::optional<Registers> parse_prstatus(Arch arch, Bytes bytes);

}  // namespace wick

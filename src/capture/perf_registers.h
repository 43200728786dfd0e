// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernel's own register numbering in PERF_SAMPLE_REGS_USER, for both CPUs (recordings of one may be read on the other).

#include <cstdint>
#include <span>

#include "base/cpu.h"

namespace wick {

// Which registers to ask for: all that unwinding can need.
constexpr uint64_t perf_register_mask(Arch arch) {
  // x86_64: ax bx cx dx si di bp sp ip (0-8), flags and segments left out, r8-r15 (16-23). aarch64: x0-x30, sp, pc (0-32).
  return arch == Arch::kX86_64 ? 0xff01ffu : 0x1ffffffffu;
}

// `values` are those of the mask's set bits, lowest bit first, as in the record.
Registers decode_perf_registers(Arch arch, uint64_t mask, std::span<const uint64_t> values);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "capture/perf_registers.h"

#include <bit>

namespace wick {
namespace {
constexpr int kNone = -1;
// perf's number -> DWARF's. Flags and segment registers have no use here.
constexpr int kX86Order[24] = {x86::kRax, x86::kRbx, x86::kRcx, x86::kRdx, x86::kRsi, x86::kRdi, x86::kRbp, x86::kRsp,
                               x86::kPc,  kNone,     kNone,     kNone,     kNone,     kNone,     kNone,     kNone,
                               8,         9,         10,        11,        12,        13,        14,        15};
}  // namespace

Registers decode_perf_registers(Arch arch, uint64_t mask, std::span<const uint64_t> values) {
  Registers out;
  for (size_t i = 0; mask != 0 && i < values.size(); ++i, mask &= mask - 1) {
    unsigned bit = static_cast<unsigned>(std::countr_zero(mask));
    int reg =
        arch == Arch::kX86_64 ? (bit < 24 ? kX86Order[bit] : kNone) : (bit < Registers::kCount ? static_cast<int>(bit) : kNone);
    if (reg != kNone) { out.set(static_cast<unsigned>(reg), values[i]); }
  }
  return out;
}

}  // namespace wick

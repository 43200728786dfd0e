// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/ptrace_registers.h"

#include "base/byte_reader.h"

namespace wick {
namespace {

constexpr unsigned kSkip = Registers::kCount;  // segments and flags: irrelevant for unwinding
constexpr unsigned kSystemCall = kSkip + 1;    // orig_rax: -1 unless the thread entered the kernel by a system call

// The kernel's order (struct user_regs_struct) as DWARF numbers.
constexpr unsigned kX86Order[] = {15,        14,          13,       12,        x86::kRbp, x86::kRbx, 11,
                                  10,        9,           8,        x86::kRax, x86::kRcx, x86::kRdx, x86::kRsi,
                                  x86::kRdi, kSystemCall, x86::kPc, kSkip,     kSkip,     x86::kRsp};
constexpr size_t kX86Size = 27 * 8, kX86Size32 = 17 * 4, kX86Pc32 = 12 * 4;
// struct user_pt_regs: x0 to x30, sp, pc, flags.
constexpr size_t kArmSize = 34 * 8, kArmSize32 = 18 * 4, kArmPc32 = 15 * 4;

}  // namespace

std::optional<StoppedRegisters> parse_prstatus(Arch arch, Bytes bytes) {
  bool is_x86 = arch == Arch::kX86_64;
  StoppedRegisters out;
  ByteReader reader(bytes);
  if (bytes.size() == (is_x86 ? kX86Size32 : kArmSize32)) {
    reader.seek(is_x86 ? kX86Pc32 : kArmPc32);
    out.user.set(register_numbers(arch).pc, reader.u32());
    return out;
  }
  if (bytes.size() < (is_x86 ? kX86Size : kArmSize)) { return std::nullopt; }
  if (!is_x86) {
    // sp and pc follow x30 both there and in our numbering.
    for (unsigned number = arm::kX0; number <= arm::kPc; ++number) { out.user.set(number, reader.u64()); }
    return out;
  }
  for (unsigned number : kX86Order) {
    uint64_t value = reader.u64();
    if (number < kSkip) { out.user.set(number, value); }
    if (number == kSystemCall) { out.in_system_call = static_cast<int64_t>(value) >= 0; }
  }
  return out;
}

std::optional<bool> parse_arm_system_call(Bytes bytes) {
  ByteReader reader(bytes);
  int32_t number = reader.i32();
  if (!reader.ok()) { return std::nullopt; }
  return number >= 0;
}

}  // namespace wick

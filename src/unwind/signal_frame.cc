// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "unwind/signal_frame.h"

#include <array>
#include <cstring>
#include <initializer_list>

namespace wick {
namespace {

// mov $15, %rax; syscall: the two encodings that assemblers choose.
constexpr std::array<uint8_t, 9> kX86Long{0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05};
constexpr std::array<uint8_t, 7> kX86Short{0xb8, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05};
// mov x8, #139; svc #0
constexpr std::array<uint8_t, 8> kArm{0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4};

template <size_t N>
bool begins_at(Bytes code, int64_t at, const std::array<uint8_t, N>& what) {
  return at >= 0 && static_cast<uint64_t>(at) <= code.size() && code.size() - static_cast<size_t>(at) >= N &&
         std::memcmp(code.data() + at, what.data(), N) == 0;
}

// Offset of the interrupted registers from the stack pointer in the sigreturn instructions. x86_64: struct ucontext starts at the
// stack pointer (the handler's `ret` popped the word below); gregs are at 40.
constexpr uint64_t kX86Gregs = 40;
constexpr std::array<unsigned, 17> kX86Order{8, 9,         10,        11,        12,        13,        14,        15,      5,
                                             4, x86::kRbp, x86::kRbx, x86::kRdx, x86::kRax, x86::kRcx, x86::kRsp, x86::kPc};
// aarch64: siginfo (128), ucontext up to its aligned mcontext (176), fault address (8); then x0 to x30, sp, pc.
constexpr uint64_t kArmRegisters = 128 + 176 + 8;

}  // namespace

bool is_signal_return(Arch arch, Bytes code, size_t at) {
  int64_t place = static_cast<int64_t>(at);
  if (arch == Arch::kAarch64) {
    int64_t start = (place + 3) & ~int64_t{3};
    return begins_at(code, start, kArm) || begins_at(code, start - 4, kArm);
  }
  // The lookup address is a return address minus one, the first instruction, or the second one.
  for (int64_t back : {-1, 0, 7}) {
    if (begins_at(code, place - back, kX86Long)) { return true; }
  }
  for (int64_t back : {-1, 0, 5}) {
    if (begins_at(code, place - back, kX86Short)) { return true; }
  }
  return false;
}

Step signal_step(const StepInput& in, Cursor& cursor) {
  RegisterNumbers numbers = register_numbers(in.arch);
  StackMemory& memory = in.memory;
  if (!cursor.regs.has(numbers.sp)) { return Step::kNoRegister; }
  uint64_t sp = cursor.regs.value[numbers.sp], slot = 0, value = 0;
  Registers caller;
  if (in.arch == Arch::kX86_64) {
    for (size_t i = 0; i < kX86Order.size(); ++i) {
      slot = sp + kX86Gregs + i * 8;
      if (!memory.read_u64(slot, value)) { return Step::kNoMemory; }
      caller.set(kX86Order[i], value);
    }
  } else {
    for (unsigned reg = 0; reg <= arm::kPc; ++reg) {
      slot = sp + kArmRegisters + reg * 8;
      if (!memory.read_u64(slot, value)) { return Step::kNoMemory; }
      caller.set(reg, value);
    }
  }
  cursor = {caller, slot, true};
  return Step::kDone;
}

}  // namespace wick

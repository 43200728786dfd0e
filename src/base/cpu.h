// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The supported CPUs and their registers in DWARF numbering, so that unwind tables and register files need no translation. A
// recording of one CPU can be walked on the other.

#include <array>
#include <cstdint>

namespace wick {

enum class Arch : uint8_t { kUnknown = 0, kX86_64 = 1, kAarch64 = 2 };

constexpr Arch host_arch() {
#if defined(__x86_64__)
  return Arch::kX86_64;
#elif defined(__aarch64__)
  return Arch::kAarch64;
#else
#error "wick supports x86_64 and aarch64"
#endif
}

constexpr const char* arch_name(Arch arch) {
  return arch == Arch::kX86_64 ? "x86_64" : arch == Arch::kAarch64 ? "aarch64" : "unknown";
}

// DWARF register numbers. The program counter has its own slot: 16 is DWARF's return address column on x86_64; aarch64 has none,
// so wick uses 32, which no general register has.
namespace x86 {
enum : unsigned {
  kRax = 0,
  kRdx = 1,
  kRcx = 2,
  kRbx = 3,
  kRsi = 4,
  kRdi = 5,
  kRbp = 6,
  kRsp = 7,
  kR8 = 8,
  kR10 = 10,
  kR15 = 15,
  kPc = 16
};
}
namespace arm {
enum : unsigned { kX0 = 0, kFp = 29, kLr = 30, kSp = 31, kPc = 32 };
}

struct RegisterNumbers {
  unsigned pc, sp, fp;
};
constexpr RegisterNumbers register_numbers(Arch arch) {
  return arch == Arch::kX86_64 ? RegisterNumbers{x86::kPc, x86::kRsp, x86::kRbp} : RegisterNumbers{arm::kPc, arm::kSp, arm::kFp};
}

// User-space registers of a thread. `valid` has a bit per register: a caller's scratch registers are unknown.
struct Registers {
  static constexpr unsigned kCount = 33;
  std::array<uint64_t, kCount> value{};
  uint64_t valid = 0;

  bool has(unsigned reg) const { return reg < kCount && (valid >> reg & 1); }
  void set(unsigned reg, uint64_t v) {
    value[reg] = v;
    valid |= uint64_t{1} << reg;
  }
  void forget(unsigned reg) { valid &= ~(uint64_t{1} << reg); }
};

// User-space addresses fit in 47 bits (x86_64) or 48 bits (aarch64, unless a program requests more); on aarch64, the bits above
// in a return address are a pointer authentication code or a tag.
constexpr uint64_t strip_pointer(Arch arch, uint64_t address) {
  return arch == Arch::kAarch64 ? address & ((uint64_t{1} << 48) - 1) : address;
}

}  // namespace wick

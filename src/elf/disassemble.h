// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Machine code as text. The only user of capstone.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/cpu.h"
#include "base/fd.h"

namespace wick::elf {

struct Instruction {
  enum class Kind : uint8_t { kOther, kJump, kCall, kReturn };

  uint64_t address = 0;
  uint32_t size = 0;
  Kind kind = Kind::kOther;
  std::optional<uint64_t> target;  // of a direct jump or call
  std::string text;                // "mov rax, qword ptr [rdi]", ".byte 0x06" for bytes that are no instruction
};

// All of `code`, which is linked at `svma`. Empty for a CPU that capstone does not know.
std::vector<Instruction> disassemble(Arch arch, Bytes code, uint64_t svma);

}  // namespace wick::elf

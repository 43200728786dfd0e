// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/disassemble.h"

#include <capstone/capstone.h>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace wick::elf {
namespace {

struct Handle {
  csh value = 0;
  bool open = false;

  explicit Handle(Arch arch) {
    cs_err error = arch == Arch::kX86_64    ? cs_open(CS_ARCH_X86, CS_MODE_64, &value)
                   : arch == Arch::kAarch64 ? cs_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, &value)
                                            : CS_ERR_ARCH;
    open = error == CS_ERR_OK;
    if (!open) { return; }
    cs_option(value, CS_OPT_DETAIL, CS_OPT_ON);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (open) { cs_close(&value); }
  }
};

bool in_group(const cs_detail& detail, uint8_t group) {
  for (uint8_t i = 0; i < detail.groups_count; ++i) {
    if (detail.groups[i] == group) { return true; }
  }
  return false;
}

Instruction::Kind kind_of(Arch arch, const cs_insn& insn) {
  const cs_detail& detail = *insn.detail;
  if (in_group(detail, CS_GRP_RET)) { return Instruction::Kind::kReturn; }
  // Each CPU numbers its instructions from 1.
  bool links = arch == Arch::kAarch64 && (insn.id == ARM64_INS_BL || insn.id == ARM64_INS_BLR);
  if (links || in_group(detail, CS_GRP_CALL)) { return Instruction::Kind::kCall; }
  return in_group(detail, CS_GRP_JUMP) ? Instruction::Kind::kJump : Instruction::Kind::kOther;
}

// Capstone gives the targets of direct jumps as immediate operands, already added to the address.
std::optional<uint64_t> target_of(Arch arch, const cs_detail& detail) {
  if (arch == Arch::kX86_64) {
    const cs_x86& x86 = detail.x86;
    if (x86.op_count == 1 && x86.operands[0].type == X86_OP_IMM) { return static_cast<uint64_t>(x86.operands[0].imm); }
    return std::nullopt;
  }
  const cs_arm64& arm = detail.arm64;
  for (uint8_t i = arm.op_count; i-- > 0;) {  // tbz has the number of a bit first
    if (arm.operands[i].type == ARM64_OP_IMM) { return static_cast<uint64_t>(arm.operands[i].imm); }
  }
  return std::nullopt;
}

// The size of an AVX or AVX-512 instruction, many of which capstone 4 does not know; 0 if it is none. Going on one byte later, in
// its middle, would show instructions that are not there.
size_t vector_size(Bytes code) {
  auto at = [&](size_t i) { return i < code.size() ? code[i] : uint8_t{0}; };
  size_t i = 0;
  while (i < 4 && (at(i) == 0x67 || at(i) == 0x64 || at(i) == 0x65 || at(i) == 0x2e || at(i) == 0x3e)) { ++i; }
  uint8_t map = 0;  // of opcodes
  if (at(i) == 0xc5) {
    map = 1;
    i += 2;
  } else if (at(i) == 0xc4) {
    map = at(i + 1) & 0x1f;
    i += 3;
  } else if (at(i) == 0x62) {
    map = at(i + 1) & 0x07;
    i += 4;
  } else {
    return 0;
  }
  if (map == 0 || map == 4 || map > 6) { return 0; }  // no opcodes
  uint8_t opcode = at(i++);
  if (map == 1 && opcode == 0x77) { return i <= code.size() ? i : 0; }  // vzeroupper
  uint8_t modrm = at(i++), mod = modrm >> 6, rm = modrm & 7;
  if (mod != 3 && rm == 4) {
    uint8_t base = at(i++) & 7;
    i += mod == 0 && base == 5 ? 4 : 0;
  }
  i += mod == 1 ? 1 : mod == 2 || (mod == 0 && rm == 5) ? 4 : 0;
  bool has_constant =
      map == 3 || (map == 1 && ((opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 || (opcode >= 0xc4 && opcode <= 0xc6)));
  i += has_constant ? 1 : 0;
  return i <= code.size() ? i : 0;
}

// Bytes that capstone does not know.
Instruction unknown_instruction(Arch arch, Bytes code, uint64_t address) {
  size_t size = arch == Arch::kX86_64 ? std::max<size_t>(vector_size(code), 1) : std::min<size_t>(code.size(), 4);
  Instruction out{.address = address, .size = static_cast<uint32_t>(size), .target = std::nullopt, .text = ".byte"};
  for (size_t i = 0; i < size; ++i) {
    char text[8];
    std::snprintf(text, sizeof text, "%s 0x%02x", i == 0 ? "" : ",", code[i]);
    out.text += text;
  }
  return out;
}

}  // namespace

std::vector<Instruction> disassemble(Arch arch, Bytes code, uint64_t svma) {
  std::vector<Instruction> out;
  Handle handle(arch);
  if (!handle.open) { return out; }
  std::unique_ptr<cs_insn, void (*)(cs_insn*)> insn(cs_malloc(handle.value), [](cs_insn* i) { cs_free(i, 1); });
  if (!insn) { return out; }
  const uint8_t* at = code.data();
  size_t left = code.size();
  uint64_t address = svma;
  while (left > 0) {
    if (!cs_disasm_iter(handle.value, &at, &left, &address, insn.get())) {
      out.push_back(unknown_instruction(arch, {at, left}, address));
      at += out.back().size;
      left -= out.back().size;
      address += out.back().size;
      continue;
    }
    Instruction& next = out.emplace_back();
    next.address = insn->address;
    next.size = insn->size;
    next.text = insn->mnemonic;
    if (insn->op_str[0] != '\0') { (next.text += ' ') += insn->op_str; }
    if (insn->detail == nullptr) { continue; }
    next.kind = kind_of(arch, *insn);
    if (next.kind == Instruction::Kind::kJump || next.kind == Instruction::Kind::kCall) {
      next.target = target_of(arch, *insn->detail);
    }
  }
  return out;
}

}  // namespace wick::elf

#if CS_API_MAJOR == 4
// capstone's list of CPUs refers to all of them, so that they are all linked: 5 MB, and 74,000 pointers (most of them of the
// 68000) that the dynamic linker would have to relocate whenever wick starts. Here they do not exist.
#define WICK_WITHOUT_CPU(cpu)                             \
  cs_err cpu##_global_init(void*) { return CS_ERR_ARCH; } \
  cs_err cpu##_option(void*, cs_opt_type, size_t) { return CS_ERR_ARCH; }

extern "C" {
WICK_WITHOUT_CPU(ARM)
WICK_WITHOUT_CPU(EVM)
WICK_WITHOUT_CPU(M680X)
WICK_WITHOUT_CPU(M68K)
WICK_WITHOUT_CPU(Mips)
WICK_WITHOUT_CPU(PPC)
WICK_WITHOUT_CPU(Sparc)
WICK_WITHOUT_CPU(SystemZ)
WICK_WITHOUT_CPU(TMS320C64x)
WICK_WITHOUT_CPU(XCore)
}
#undef WICK_WITHOUT_CPU
#endif

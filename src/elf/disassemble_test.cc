// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/disassemble.h"

#include <gtest/gtest.h>

namespace wick::elf {
namespace {

using Kind = Instruction::Kind;

std::vector<Instruction> read(Arch arch, std::vector<uint8_t> code) { return disassemble(arch, code, 0x1000); }

TEST(Disassemble, X86) {
  std::vector<Instruction> code = read(Arch::kX86_64, {
                                                          0x48, 0x8b, 0x07,              // mov rax, [rdi]
                                                          0x74, 0x05,                    // je +5
                                                          0xe8, 0x10, 0x00, 0x00, 0x00,  // call +0x10
                                                          0xff, 0xd0,                    // call rax
                                                          0xc3,                          // ret
                                                      });
  ASSERT_EQ(code.size(), 5u);
  EXPECT_EQ(code[0].text, "mov rax, qword ptr [rdi]");
  EXPECT_EQ(code[0].kind, Kind::kOther);
  EXPECT_EQ(code[0].size, 3u);
  EXPECT_EQ(code[1].address, 0x1003u);
  EXPECT_EQ(code[1].kind, Kind::kJump);
  EXPECT_EQ(code[1].target, 0x100au);
  EXPECT_EQ(code[2].kind, Kind::kCall);
  EXPECT_EQ(code[2].target, 0x101au);
  EXPECT_EQ(code[3].kind, Kind::kCall);
  EXPECT_FALSE(code[3].target) << "through a register";
  EXPECT_EQ(code[4].kind, Kind::kReturn);
}

// Their numbers in capstone are those of aarch64's calls.
TEST(Disassemble, EncryptionIsNoCall) {
  std::vector<Instruction> code = read(Arch::kX86_64, {0x66, 0x0f, 0x38, 0xdc, 0xc1, 0x66, 0x0f, 0x38, 0xdd, 0xc1});
  ASSERT_EQ(code.size(), 2u);
  EXPECT_EQ(code[0].text, "aesenc xmm0, xmm1");
  EXPECT_EQ(code[0].kind, Kind::kOther);
  EXPECT_EQ(code[1].text, "aesenclast xmm0, xmm1");
  EXPECT_EQ(code[1].kind, Kind::kOther);
}

// Capstone 4 does not know these. Their sizes are those that the assembler gives.
TEST(Disassemble, UnknownVectorInstructionsEndWhereTheyEnd) {
  const std::vector<std::vector<uint8_t>> unknown = {
      {0x62, 0xf3, 0x7d, 0x48, 0x25, 0xc0, 0xff},                          // vpternlogd zmm0, zmm0, zmm0, 0xff
      {0xc4, 0xe1, 0xfb, 0x92, 0xc0},                                      // kmovq k0, rax
      {0x62, 0xf2, 0x7d, 0x48, 0x00, 0x05, 0x10, 0x00, 0x00, 0x00},        // vpshufb zmm0, zmm0, [rip + 0x10]
      {0x62, 0xf2, 0x7d, 0x48, 0x00, 0x84, 0x88, 0x10, 0x00, 0x00, 0x00},  // vpshufb zmm0, zmm0, [rax + rcx*4 + 0x10]
      {0x62, 0xf1, 0x7c, 0x48, 0xc2, 0x4c, 0x24, 0x01, 0x04},              // vcmpneqps k1, zmm0, [rsp + 0x40]
      {0x62, 0xf2, 0x7d, 0x48, 0x00, 0x04, 0x8d, 0x10, 0x00, 0x00, 0x00},  // vpshufb zmm0, zmm0, [rcx*4 + 0x10]
  };
  for (const std::vector<uint8_t>& bytes : unknown) {
    std::vector<uint8_t> all = bytes;
    all.insert(all.end(), {0x48, 0x01, 0xd0, 0xc3});
    std::vector<Instruction> code = read(Arch::kX86_64, all);
    ASSERT_EQ(code.size(), 3u) << code.back().text;
    EXPECT_EQ(code[0].size, bytes.size());
    EXPECT_EQ(code[1].text, "add rax, rdx");
    EXPECT_EQ(code[2].text, "ret");
  }
}

TEST(Disassemble, UnknownBytesAtTheEnd) {
  for (size_t size = 1; size < 7; ++size) {
    std::vector<uint8_t> bytes = {0x62, 0xf3, 0x7d, 0x48, 0x25, 0xc0, 0xff};
    bytes.resize(size);
    size_t sum = 0;
    for (const Instruction& i : read(Arch::kX86_64, bytes)) { sum += i.size; }
    EXPECT_EQ(sum, size);
  }
  std::vector<Instruction> code = read(Arch::kAarch64, {0xff, 0xff, 0xff, 0xff, 0xc0, 0x03, 0x5f, 0xd6, 0x01});
  ASSERT_EQ(code.size(), 3u);
  EXPECT_EQ(code[0].text, ".byte 0xff, 0xff, 0xff, 0xff");
  EXPECT_EQ(code[1].text, "ret");
  EXPECT_EQ(code[2].size, 1u);
}

TEST(Disassemble, Aarch64) {
  std::vector<Instruction> code = read(Arch::kAarch64, {
                                                           0x00, 0x00, 0x40, 0xf9,  // ldr x0, [x0]
                                                           0x40, 0x00, 0x00, 0xb4,  // cbz x0, +8
                                                           0x40, 0x00, 0x10, 0x36,  // tbz w0, #2, +8
                                                           0x04, 0x00, 0x00, 0x94,  // bl +16
                                                           0xc0, 0x03, 0x5f, 0xd6,  // ret
                                                       });
  ASSERT_EQ(code.size(), 5u);
  EXPECT_EQ(code[0].text, "ldr x0, [x0]");
  EXPECT_EQ(code[1].kind, Kind::kJump);
  EXPECT_EQ(code[1].target, 0x100cu);
  EXPECT_EQ(code[2].kind, Kind::kJump);
  EXPECT_EQ(code[2].target, 0x1010u) << "not the number of the bit";
  EXPECT_EQ(code[3].kind, Kind::kCall);
  EXPECT_EQ(code[3].target, 0x101cu);
  EXPECT_EQ(code[4].kind, Kind::kReturn);
}

// Every byte is shown, whatever it is.
TEST(Disassemble, BytesThatAreNoInstruction) {
  for (Arch arch : {Arch::kX86_64, Arch::kAarch64}) {
    std::vector<Instruction> code = read(arch, {0x06, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f});
    uint64_t end = 0x1000;
    for (const Instruction& i : code) {
      EXPECT_EQ(i.address, end);
      end += i.size;
    }
    EXPECT_GE(end, 0x1000u + (arch == Arch::kX86_64 ? 7 : 4)) << arch_name(arch);
  }
  EXPECT_TRUE(read(Arch::kUnknown, {0x90}).empty());
  EXPECT_TRUE(read(Arch::kX86_64, {}).empty());
}

}  // namespace
}  // namespace wick::elf

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "unwind/frame_pointer.h"

#include <gtest/gtest.h>

#include <array>

#include "elf/elf_builder.h"

namespace wick {
namespace {

constexpr uint64_t kText = 0x401000, kStack = 0x7ffe00000000;

// Steps from a function with a frame pointer, in a file without unwind tables and with `code` at kText.
Step step(Arch arch, std::vector<uint8_t> code, uint64_t return_address, uint64_t next_fp, Cursor& cursor) {
  elf::ElfBuilder elf;
  elf.machine = arch == Arch::kAarch64 ? EM_AARCH64 : EM_X86_64;
  code.resize(256, 0xcc);
  elf.add_load(elf.add({".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, kText, std::move(code), 0, 0, 0, 0}));
  std::vector<uint8_t> bytes = elf.build();
  LoadedModule module;
  module.image.emplace(*elf::Image::parse(bytes));
  uint64_t offset = module.image->segments()[0].offset;
  std::shared_ptr<const AddressSpace> space = AddressSpace().with(Mapping{kText, kText + 256, offset, &module});

  std::array<uint64_t, 8> words = {0, 0, next_fp, return_address, 0, 0, 0, 0};
  CopiedStack memory(kStack, {reinterpret_cast<const uint8_t*>(words.data()), sizeof words});
  RegisterNumbers numbers = register_numbers(arch);
  cursor = Cursor();
  cursor.regs.set(numbers.pc, kText + 128);
  cursor.regs.set(numbers.sp, kStack);
  cursor.regs.set(numbers.fp, kStack + 16);
  bool guessed = false;
  Step done = frame_pointer_step({arch, *space, memory, code_mask(arch, *space)}, cursor, guessed);
  EXPECT_TRUE(guessed) << "frame pointers are unproven here";
  return done;
}

std::vector<uint8_t> words(std::initializer_list<uint32_t> instructions) {
  std::vector<uint8_t> out;
  for (uint32_t i : instructions) {
    for (int shift = 0; shift < 32; shift += 8) { out.push_back(static_cast<uint8_t>(i >> shift)); }
  }
  return out;
}

TEST(FramePointer, RequiresCallBeforeReturnAddress) {
  Cursor cursor;
  std::vector<uint8_t> call = {0x90, 0x90, 0x90, 0xe8, 1, 2, 3, 4};
  EXPECT_EQ(step(Arch::kX86_64, call, kText + 8, kStack + 48, cursor), Step::kDone);
  EXPECT_EQ(cursor.regs.value[register_numbers(Arch::kX86_64).pc], kText + 8);
  EXPECT_EQ(step(Arch::kX86_64, call, kText + 9, kStack + 48, cursor), Step::kImplausible);
  std::vector<uint8_t> link = words({0xd503201f, 0x94000010});
  EXPECT_EQ(step(Arch::kAarch64, link, kText + 8, kStack + 48, cursor), Step::kDone);
  EXPECT_EQ(step(Arch::kAarch64, link, kText + 4, kStack + 48, cursor), Step::kImplausible);
}

// The frame below a goroutine's first function, as set up by Go's runtime.
TEST(FramePointer, AcceptsGoroutineStartWithoutCall) {
  Cursor cursor;
  std::vector<uint8_t> goexit = {0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0x90, 0xe8, 1, 2, 3, 4, 0x90};
  ASSERT_EQ(step(Arch::kX86_64, goexit, kText + 9, 0, cursor), Step::kDone);
  EXPECT_EQ(cursor.regs.value[register_numbers(Arch::kX86_64).pc], kText + 9);
  EXPECT_EQ(cursor.regs.value[register_numbers(Arch::kX86_64).fp], 0u) << "the next step is the root";
  EXPECT_EQ(step(Arch::kX86_64, goexit, kText + 9, kStack + 48, cursor), Step::kImplausible)
      << "valid only at the end of the chain";
  goexit[14] = 0xc3;
  EXPECT_EQ(step(Arch::kX86_64, goexit, kText + 9, 0, cursor), Step::kImplausible);

  std::vector<uint8_t> arm = words({0xd4200000, 0xaa0003e0, 0x94000010});
  EXPECT_EQ(step(Arch::kAarch64, arm, kText + 8, 0, cursor), Step::kDone);
  EXPECT_EQ(step(Arch::kAarch64, arm, kText + 8, kStack + 48, cursor), Step::kImplausible);
  EXPECT_EQ(step(Arch::kAarch64, arm, kText + 4, 0, cursor), Step::kImplausible);
}

}  // namespace
}  // namespace wick

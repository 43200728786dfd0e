// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/linkage.h"

#include <gtest/gtest.h>

#include "elf/elf_builder.h"

namespace wick::elf {
namespace {

using Symbol = ElfBuilder::Symbol;

struct Built {
  explicit Built(const ElfBuilder& builder) : bytes(builder.build()) {}
  std::vector<uint8_t> bytes;
  Image image = *Image::parse(bytes);
  SymbolTable symbols{image};
  Linkage linkage{image, symbols};
};

TEST(Linkage, ResolvesStubsAndPointers) {
  std::vector<uint8_t> plt(32, 0xcc);
  plt[16] = 0xff;  // jmp *slot(%rip)
  plt[17] = 0x25;
  uint32_t distance = 0x4000 - (0x1010 + 6);
  std::memcpy(plt.data() + 18, &distance, 4);
  ElfBuilder builder;
  builder.add({".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, plt, 0, 0, 16, 0});
  builder.add_text(0x2000, 0x100);
  uint32_t dynsym = builder.add_symbols({{"memcpy", 0, 0, STT_FUNC, STB_GLOBAL, SHN_UNDEF},
                                         {"malloc", 0, 0, STT_FUNC, STB_GLOBAL, SHN_UNDEF},
                                         {"mine", 0x2000, 0x10, STT_FUNC, STB_GLOBAL, 2},
                                         {"alias", 0x2000, 0x10, STT_FUNC, STB_WEAK, 2},
                                         {"data", 0x2020, 0x10, STT_OBJECT, STB_GLOBAL, 2}},
                                        SHT_DYNSYM);
  ByteWriter rela;
  for (uint64_t i = 0; i < 2; ++i) {
    rela.u64(0x4000 + 8 * i);
    rela.u64(ELF64_R_INFO(i + 1, uint64_t{R_X86_64_GLOB_DAT}));
    rela.u64(0);
  }
  builder.add({".rela.dyn", SHT_RELA, 0, 0, rela.take(), dynsym, 0, sizeof(Elf64_Rela), 0});
  Built built(builder);
  const Linkage& linkage = built.linkage;
  EXPECT_EQ(linkage.at_stub(0x1010), "memcpy");
  EXPECT_EQ(linkage.at_stub(0x1000), "");
  EXPECT_EQ(linkage.at_stub(0x2000), "");
  EXPECT_EQ(linkage.at_slot(0x4000), "memcpy");
  EXPECT_EQ(linkage.at_slot(0x4008), "malloc");
  EXPECT_EQ(linkage.at_slot(0x4004), "");
  EXPECT_TRUE(linkage.exports("mine", 0x2000));
  EXPECT_TRUE(linkage.exports("alias", 0x2000));
  EXPECT_FALSE(linkage.exports("mine", 0x2001));
  EXPECT_FALSE(linkage.exports("memcpy", 0)) << "imported";
  EXPECT_FALSE(linkage.exports("data", 0x2020));
}

// Pointers to functions of the same file, with their own relocation or with the value in the file, but none that the program may
// change.
TEST(Linkage, FollowsReadOnlyPointers) {
  ElfBuilder builder;
  builder.add_text(0x1000, 0x100);
  for (uint64_t vaddr : {0x4000, 0x5000}) {
    ByteWriter data;
    data.u64(0);
    data.u64(0x1040);
    uint32_t section = builder.add({".got", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, vaddr, data.take(), 0, 0, 0, 0});
    builder.add_load(section, PF_R | PF_W);
    if (vaddr == 0x4000) { builder.add_relro(section); }
  }
  ByteWriter rela;
  for (uint64_t at : {0x4000, 0x5000}) {
    rela.u64(at);
    rela.u64(ELF64_R_INFO(0, uint64_t{R_X86_64_RELATIVE}));
    rela.u64(0x1020);
  }
  builder.add({".rela.dyn", SHT_RELA, 0, 0, rela.take(), 0, 0, sizeof(Elf64_Rela), 0});
  Built built(builder);
  const Linkage& linkage = built.linkage;
  EXPECT_EQ(linkage.pointer_at(0x4000), 0x1020u);
  EXPECT_EQ(linkage.pointer_at(0x4008), 0x1040u);
  for (uint64_t may_change : {0x5000, 0x5008}) { EXPECT_FALSE(linkage.pointer_at(may_change)) << may_change; }
  EXPECT_FALSE(linkage.pointer_at(0x1000));
}

// Of two static functions with the same name, the one compiled from the same file matches; if both were, neither does.
TEST(Linkage, FindsFunctionOfColdPart) {
  ElfBuilder builder;
  builder.add_text(0x1000, 0x1000);
  auto local = [](std::string name, uint64_t at) { return Symbol{std::move(name), at, 0x10, STT_FUNC, STB_LOCAL, 1}; };
  auto file = [](std::string name) { return Symbol{std::move(name), 0, 0, STT_FILE, STB_LOCAL, SHN_ABS}; };
  builder.add_symbols({file("a.c"),
                       local("helper", 0x1000),
                       local("helper.cold", 0x1100),
                       local("once.cold.12", 0x1180),
                       file("b.c"),
                       local("helper", 0x1200),
                       local("helper.cold", 0x1300),
                       file("c.c"),
                       local("twice", 0x1400),
                       local("twice", 0x1500),
                       local("twice.cold", 0x1600),
                       local("orphan.cold", 0x1700),
                       local("x.cold.way", 0x1720),
                       local(".cold", 0x1740),
                       {"once", 0x1800, 0x10}});
  Built built(builder);
  const Linkage& linkage = built.linkage;
  EXPECT_EQ(linkage.whole_of(0x1100), 0x1000u);
  EXPECT_EQ(linkage.whole_of(0x1300), 0x1200u);
  EXPECT_EQ(linkage.whole_of(0x1180), 0x1800u);
  EXPECT_FALSE(linkage.whole_of(0x1600)) << "ambiguous";
  for (uint64_t none : {0x1000, 0x1104, 0x1700, 0x1720, 0x1740, 0x1800}) { EXPECT_FALSE(linkage.whole_of(none)) << none; }
}

}  // namespace
}  // namespace wick::elf

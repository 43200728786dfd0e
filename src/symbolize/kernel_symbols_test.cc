// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "symbolize/kernel_symbols.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/clock.h"
#include "base/text.h"

namespace wick {
namespace {

std::string name_at(const KernelSymbols& symbols, uint64_t address) {
  std::vector<SymbolizedFrame> chain = symbols.find(address);
  return chain.empty() ? "" : std::string(chain[0].function);
}

TEST(KernelSymbols, FindsFunctionAtAddress) {
  auto symbols = KernelSymbols::parse(
      "ffffffff81000000 T _stext\n"
      "ffffffff81000000 T _text\n"
      "ffffffff81000100 t do_one_initcall\n"
      "ffffffff81000200 W weak_one\n"
      "ffffffff81000300 T _etext\n"
      "ffffffff82000000 D jiffies\n"
      "ffffffffc0001000 t ext4_map_blocks\t[ext4]\n"
      "ffffffffc0000000 t ext4_find\t[ext4]\n");
  ASSERT_TRUE(symbols.ok());
  const KernelSymbols& s = **symbols;
  EXPECT_EQ(name_at(s, 0xffffffff80ffffff), "");
  EXPECT_EQ(name_at(s, 0xffffffff81000000), "_stext");
  EXPECT_EQ(name_at(s, 0xffffffff81000100), "do_one_initcall");
  EXPECT_EQ(name_at(s, 0xffffffff810001ff), "do_one_initcall");
  EXPECT_EQ(name_at(s, 0xffffffff81000200), "weak_one");
  EXPECT_EQ(name_at(s, 0xffffffff81000300), "") << "past the end of the code";
  EXPECT_EQ(name_at(s, 0xffffffff82000001), "") << "data";
  EXPECT_EQ(name_at(s, 0xffffffffc0000fff), "ext4_find [ext4]");
  EXPECT_EQ(name_at(s, 0xffffffffc0001001), "ext4_map_blocks [ext4]");
  EXPECT_EQ(name_at(s, 0xffffffffc0201000), "") << "too far after the last symbol";
}

TEST(KernelSymbols, FunctionsEndAtTheNextSymbol) {
  constexpr char kText[] =
      "ffffffff81000000 T _stext\n"
      "ffffffff81000000 T first\n"
      "ffffffff81000100 t second\n"
      "ffffffff81000180 T _etext\n"
      "ffffffffc0001000 t of_module\t[ext4]\n"
      "ffffffffc0002000 t last\t[ext4]\n";
  auto symbols = KernelSymbols::parse(kText);
  ASSERT_TRUE(symbols.ok());
  using Range = elf::AddressRange;
  EXPECT_EQ((*symbols)->function_range(0xffffffff81000001), (Range{0xffffffff81000000, 0xffffffff81000100}));
  EXPECT_EQ((*symbols)->function_range(0xffffffff8100017f), (Range{0xffffffff81000100, 0xffffffff81000180}));
  EXPECT_EQ((*symbols)->function_range(0xffffffff81000180), std::nullopt) << "past the end of the code";
  EXPECT_EQ((*symbols)->function_range(0xffffffffc0001fff), (Range{0xffffffffc0001000, 0xffffffffc0002000}));
  EXPECT_EQ((*symbols)->function_range(0xffffffffc0002001), std::nullopt) << "nothing shows where it ends";
  EXPECT_EQ((*symbols)->core(), (Range{0xffffffff81000000, 0xffffffff81000180}));
  EXPECT_EQ(find_kernel_symbol(kText, "_stext"), 0xffffffff81000000);
  EXPECT_EQ(find_kernel_symbol(kText, "stext"), std::nullopt);
  EXPECT_EQ(find_kernel_symbol("0000000000000000 T _stext\n", "_stext"), std::nullopt) << "hidden";
}

TEST(KernelSymbols, BpfProgramsEndWhereTheirCodeEnds) {
  constexpr char kText[] =
      "ffffffff81000000 T _stext\nffffffffc0001000 t first\t[bpf]\nffffffffc0001080 t second\t[bpf]\n"
      "ffffffffc0001400 t trampoline\t[bpf]\n";
  const CodeRange ranges[] = {{0xffffffffc0001000, 0xffffffffc0001080}, {0xffffffffc0001080, 0xffffffffc0001100}};
  auto symbols = KernelSymbols::parse(kText, ranges);
  ASSERT_TRUE(symbols.ok());
  EXPECT_EQ(name_at(**symbols, 0xffffffffc000107f), "first [bpf]");
  EXPECT_EQ(name_at(**symbols, 0xffffffffc0001080), "second [bpf]");
  EXPECT_EQ(name_at(**symbols, 0xffffffffc00010ff), "second [bpf]");
  EXPECT_EQ(name_at(**symbols, 0xffffffffc0001100), "") << "a program that was unloaded";
  EXPECT_EQ(name_at(**symbols, 0xffffffffc0001401), "") << "its end is unknown";
  auto without = KernelSymbols::parse(kText);
  ASSERT_TRUE(without.ok());
  EXPECT_EQ(name_at(**without, 0xffffffffc0001001), "");
}

TEST(KernelSymbols, RejectsHiddenAddresses) {
  auto symbols = KernelSymbols::parse("0000000000000000 T _stext\n0000000000000000 T _text\n");
  ASSERT_FALSE(symbols.ok());
  EXPECT_EQ(symbols.error().code(), Errc::kPermission);
  EXPECT_NE(symbols.error().hint().find("kptr_restrict"), std::string::npos);
}

TEST(KernelSymbols, RejectsOrSkipsMalformedLines) {
  for (const char* text :
       {"", "\n\n\n", "hello", "ffffffff81000000", "ffffffff81000000 T ", "zz T x", "ffffffff81000000 D data_only"}) {
    EXPECT_FALSE(KernelSymbols::parse(text).ok()) << text;
  }
  auto mixed =
      KernelSymbols::parse("rubbish\nffffffff81000000 T good\n\xff\xff T bad\nffffffff81000010 T x\t[open\nffffffff81000020");
  ASSERT_TRUE(mixed.ok());
  EXPECT_EQ(name_at(**mixed, 0xffffffff81000001), "good");
  EXPECT_EQ(name_at(**mixed, 0xffffffff81000011), "x");
  EXPECT_EQ((*mixed)->size(), 2u);
}

TEST(KernelSymbols, NulEndsName) {
  auto symbols = KernelSymbols::parse(std::string_view("ffffffff81000000 T one\0two\nffffffff81000010 T \0\0x\n", 50));
  ASSERT_TRUE(symbols.ok());
  EXPECT_EQ(name_at(**symbols, 0xffffffff81000011), "one") << "a line without a name is ignored";
}

TEST(KernelSymbols, ParsesManyLinesQuickly) {
  std::string text;
  for (uint64_t i = 0; i < 200'000; ++i) {
    text += strf("%016llx t function_number_%llu\n", 0xffffffff81000000ull + i * 64, static_cast<unsigned long long>(i));
  }
  auto symbols = KernelSymbols::parse(text);
  ASSERT_TRUE(symbols.ok());
  EXPECT_EQ(name_at(**symbols, 0xffffffff81000000 + 123456 * 64 + 3), "function_number_123456");
}

constexpr char kWithModules[] =
    "ffffffff81000000 T _stext\nffffffff81000000 T first\nffffffff81000100 t second\nffffffff81000200 T _etext\n"
    "ffffffff81000300 D data\nffffffffc0000000 t of_module\t[mod]\nffffffffc0001000 t prog\t[bpf]\n";

TEST(KernelSymbols, CachesOnlyKernelCore) {
  auto symbols = KernelSymbols::parse(kWithModules);
  ASSERT_TRUE(symbols.ok());
  std::string header, rows, bytes;
  for (Bytes part : (*symbols)->core_parts(header, rows)) {
    bytes.append(reinterpret_cast<const char*>(part.data()), part.size());
  }
  auto core = KernelSymbols::parse_core(as_bytes(bytes));
  ASSERT_TRUE(core.ok());
  for (uint64_t address : {0xffffffff81000000u, 0xffffffff810000ffu, 0xffffffff81000100u, 0xffffffff810001ffu}) {
    EXPECT_TRUE((*core)->is_core(address));
    EXPECT_EQ(name_at(**core, address), name_at(**symbols, address));
    EXPECT_NE(name_at(**core, address), "");
  }
  // A module may be replaced at any time, so modules are always read again.
  for (uint64_t address : {0xffffffff81000200u, 0xffffffffc0000000u, 0xffffffffc0001000u}) {
    EXPECT_FALSE((*core)->is_core(address));
  }
  EXPECT_EQ(name_at(**core, 0xffffffffc0000004u), "");

  for (size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_FALSE(KernelSymbols::parse_core(as_bytes(bytes).first(i)).ok()) << i;
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x20);
    EXPECT_FALSE(KernelSymbols::parse_core(as_bytes(damaged)).ok()) << i;
  }
}

TEST(KernelSymbols, CachesNothingWithoutEndOfCore) {
  auto symbols = KernelSymbols::parse("ffffffff81000000 T _stext\nffffffff81000100 t second\n");
  ASSERT_TRUE(symbols.ok());
  std::string header, rows;
  EXPECT_TRUE((*symbols)->core_parts(header, rows).empty());
}

TEST(KernelSymbols, ReadsThisKernel) {
  Result<std::unique_ptr<FileSymbols>> symbols = load_kernel_symbols({});
  if (!symbols.ok()) { GTEST_SKIP() << symbols.error().message(); }
  std::ifstream in("/proc/kallsyms");
  std::string line;
  size_t seen = 0;
  while (std::getline(in, line)) {
    unsigned long address = 0;
    char type = 0, name[512] = "";
    if (std::sscanf(line.c_str(), "%lx %c %511s", &address, &type, name) != 3 || std::string_view(name) != "schedule") {
      continue;
    }
    std::vector<SymbolizedFrame> chain = (*symbols)->find(address + 1);
    ASSERT_EQ(chain.size(), 1u);
    EXPECT_EQ(chain[0].function, "schedule");
    ++seen;
  }
  EXPECT_EQ(seen, 1u);
}

}  // namespace
}  // namespace wick

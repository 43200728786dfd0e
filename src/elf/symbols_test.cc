// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/symbols.h"

#include <gtest/gtest.h>
#include <lzma.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <random>

#include "base/clock.h"
#include "base/mapped_file.h"
#include "base/text.h"
#include "elf/elf_builder.h"

namespace wick::elf {
namespace {

using Symbol = ElfBuilder::Symbol;

struct Loaded {
  std::vector<uint8_t> bytes;
  Image image;
  std::unique_ptr<SymbolTable> table;

  std::string name(uint64_t svma) const {
    std::optional<SymbolRange> found = table->find(svma);
    return found ? std::string(found->name) : "";
  }
};

Loaded load(const ElfBuilder& builder) {
  std::vector<uint8_t> bytes = builder.build();
  Result<Image> image = Image::parse(bytes);
  EXPECT_TRUE(image.ok());
  auto table = std::make_unique<SymbolTable>(*image);
  return {std::move(bytes), *std::move(image), std::move(table)};
}

Loaded load(const std::vector<Symbol>& symbols, uint64_t text_size = 0x1000) {
  ElfBuilder builder;
  builder.add_text(0x1000, text_size);
  builder.add_symbols(symbols);
  return load(builder);
}

TEST(Symbols, CoverExactlyTheirSize) {
  Loaded l = load(std::vector<Symbol>{{"two", 0x1200, 0x10}, {"one", 0x1100, 0x20}});
  EXPECT_EQ(l.name(0x10ff), "");
  EXPECT_EQ(l.name(0x1100), "one");
  EXPECT_EQ(l.name(0x111f), "one");
  EXPECT_EQ(l.name(0x1120), "") << "the nearest preceding symbol does not cover it";
  EXPECT_EQ(l.name(0x1200), "two");
  EXPECT_EQ(l.name(0x1210), "");
  EXPECT_EQ(l.name(0), "");
  EXPECT_EQ(l.name(UINT64_MAX), "");
  EXPECT_EQ(l.table->size(), 2u);
  EXPECT_EQ(l.table->symtab_count(), 2u);
}

TEST(Symbols, WithoutSizeExtendToNextSymbolOrSectionEnd) {
  Loaded l = load(std::vector<Symbol>{{"asm_one", 0x1100, 0, STT_NOTYPE}, {"two", 0x1180, 0x10}, {"last", 0x1f00, 0, STT_FUNC}});
  EXPECT_EQ(l.name(0x117f), "asm_one");
  EXPECT_EQ(l.name(0x1180), "two");
  EXPECT_EQ(l.name(0x1190), "");
  EXPECT_EQ(l.name(0x1fff), "last");
  EXPECT_EQ(l.name(0x2000), "");
}

TEST(Symbols, LabelsDoNotHideTheirFunction) {
  Loaded l =
      load(std::vector<Symbol>{{"outer", 0x1100, 0x100}, {"label", 0x1140, 0, STT_NOTYPE}, {"entry", 0x1150, 0, STT_FUNC}});
  EXPECT_EQ(l.name(0x1145), "outer");
  EXPECT_EQ(l.name(0x1155), "outer");
}

TEST(Symbols, InnermostWins) {
  Loaded l = load(std::vector<Symbol>{{"outer", 0x1100, 0x100}, {"inner", 0x1120, 0x20}, {"innermost", 0x1130, 0x4}});
  EXPECT_EQ(l.name(0x1110), "outer");
  EXPECT_EQ(l.name(0x1125), "inner");
  EXPECT_EQ(l.name(0x1132), "innermost");
  EXPECT_EQ(l.name(0x1134), "inner");
  EXPECT_EQ(l.name(0x1140), "outer");
  EXPECT_EQ(l.name(0x11ff), "outer");
  EXPECT_EQ(l.name(0x1200), "");
}

TEST(Symbols, OverlapsAreTruncated) {
  Loaded l = load(std::vector<Symbol>{{"a", 0x1100, 0x40}, {"b", 0x1120, 0x40}, {"huge", 0x1800, UINT64_MAX}});
  EXPECT_EQ(l.name(0x111f), "a");
  EXPECT_EQ(l.name(0x1120), "b");
  EXPECT_EQ(l.name(0x115f), "b");
  EXPECT_EQ(l.name(0x1160), "");
  EXPECT_EQ(l.name(0x1fff), "huge") << "ends with its section";
  EXPECT_EQ(l.name(0x2000), "");
}

TEST(Symbols, BestAliasWins) {
  Loaded l = load(std::vector<Symbol>{{"__write", 0x1100, 0x10, STT_FUNC, STB_GLOBAL},
                                      {"write", 0x1100, 0x10, STT_FUNC, STB_WEAK},
                                      {"__GI_write", 0x1100, 0x10, STT_FUNC, STB_LOCAL},
                                      {"local_one", 0x1200, 0x10, STT_FUNC, STB_LOCAL},
                                      {"global_one", 0x1200, 0x10, STT_FUNC, STB_GLOBAL},
                                      {"mark", 0x1300, 0, STT_NOTYPE},
                                      {"sized", 0x1300, 0x10, STT_FUNC, STB_LOCAL},
                                      {"note", 0x1400, 0x10, STT_NOTYPE, STB_GLOBAL},
                                      {"function", 0x1400, 0x10, STT_FUNC, STB_LOCAL},
                                      {"_ZN1a1bEv", 0x1500, 0x10, STT_FUNC, STB_GLOBAL},
                                      {"c_alias", 0x1500, 0x10, STT_FUNC, STB_LOCAL}});
  EXPECT_EQ(l.name(0x1105), "write");
  EXPECT_EQ(l.name(0x1205), "global_one");
  EXPECT_EQ(l.name(0x1305), "sized");
  EXPECT_EQ(l.name(0x1405), "function");
  EXPECT_EQ(l.name(0x1505), "_ZN1a1bEv");
  EXPECT_EQ(l.table->size(), 5u);
}

TEST(Symbols, IncludeOnlyFunctionsInCode) {
  ElfBuilder builder;
  builder.add_text(0x1000, 0x1000);
  builder.add({".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0x3000, std::vector<uint8_t>(0x100), 0, 0, 0, 0});
  builder.add_symbols({{"object", 0x1100, 8, STT_OBJECT},
                       {"file.c", 0x1100, 8, STT_FILE},
                       {"section", 0x1100, 8, STT_SECTION},
                       {"undefined", 0x1100, 8, STT_FUNC, STB_GLOBAL, SHN_UNDEF},
                       {"absolute", 0x1100, 8, STT_FUNC, STB_GLOBAL, SHN_ABS},
                       {"in_data", 0x3000, 8, STT_FUNC, STB_GLOBAL, 2},
                       {"no_such_section", 0x1100, 8, STT_FUNC, STB_GLOBAL, 999},
                       {"etext", 0x2000, 0, STT_NOTYPE},
                       {"$x", 0x1100, 0, STT_NOTYPE},
                       {"$d.12", 0x1100, 0, STT_NOTYPE},
                       {".L12", 0x1100, 0, STT_NOTYPE},
                       {"", 0x1100, 8},
                       {"$dollar_name", 0x1200, 8},
                       {"outside", 0x9000, 8}});
  Loaded l = load(builder);
  ASSERT_EQ(l.table->size(), 1u);
  EXPECT_EQ(l.name(0x1204), "$dollar_name");
}

TEST(Symbols, ReadDynamicSymbols) {
  ElfBuilder builder;
  builder.add_text(0x1000, 0x1000);
  builder.add_symbols({{"exported", 0x1100, 0x10}}, SHT_DYNSYM);
  Loaded l = load(builder);
  EXPECT_EQ(l.name(0x1100), "exported");
  EXPECT_EQ(l.table->dynsym_count(), 1u);
  EXPECT_EQ(l.table->symtab_count(), 0u);
}

TEST(Symbols, ReadGnuDebugdata) {
  ElfBuilder inner;
  inner.add({".text", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, {}, 0, 0, 0, 0x1000});
  inner.add_symbols({{"hidden", 0x1100, 0x10, STT_FUNC, STB_LOCAL}});
  std::vector<uint8_t> small = inner.build(), packed(small.size() + 1000);
  size_t used = 0;
  ASSERT_EQ(
      lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, nullptr, small.data(), small.size(), packed.data(), &used, packed.size()),
      LZMA_OK);
  packed.resize(used);
  ElfBuilder builder;
  builder.add_text(0x1000, 0x1000);
  builder.add_symbols({{"exported", 0x1200, 0x10}}, SHT_DYNSYM);
  builder.add({".gnu_debugdata", SHT_PROGBITS, 0, 0, packed, 0, 0, 0, 0});
  Loaded l = load(builder);
  EXPECT_EQ(l.name(0x1108), "hidden");
  EXPECT_EQ(l.name(0x1208), "exported");
  EXPECT_EQ(l.table->minidebug_count(), 1u);
}

TEST(Symbols, ReadSeparateDebugFile) {
  ElfBuilder stripped, debug;
  stripped.add_text(0x1000, 0x1000);
  debug.add({".text", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, {}, 0, 0, 0, 0x1000});
  debug.add_symbols({{"found", 0x1100, 0x10}});
  std::vector<uint8_t> a = stripped.build(), b = debug.build();
  Result<Image> image = Image::parse(a), other = Image::parse(b);
  ASSERT_TRUE(image.ok() && other.ok());
  SymbolTable table(*image, *other);
  ASSERT_TRUE(table.find(0x1105).has_value());
  EXPECT_EQ(table.find(0x1105)->name, "found");
}

void put32(std::vector<uint8_t>& bytes, size_t at, uint32_t value) { std::memcpy(bytes.data() + at, &value, 4); }

// .rela.plt with one jump slot per function, at `got`, `got` + 8, …
void add_slots(ElfBuilder& builder, const std::vector<std::string>& functions, uint64_t got, uint32_t type) {
  std::vector<Symbol> symbols;
  ByteWriter rela;
  for (size_t i = 0; i < functions.size(); ++i) {
    symbols.push_back({functions[i], 0, 0, STT_FUNC, STB_GLOBAL, SHN_UNDEF});
    rela.u64(got + 8 * i);
    rela.u64(ELF64_R_INFO(i + 1, uint64_t{type}));
    rela.u64(0);
  }
  uint32_t dynsym = builder.add_symbols(symbols, SHT_DYNSYM);
  builder.add({".rela.plt", SHT_RELA, 0, 0, rela.take(), dynsym, 0, sizeof(Elf64_Rela), 0});
}

TEST(Symbols, NameX86PltStubs) {
  // Entry 0 is the header; 1: jmp *slot; push; jmp; 3: mold's. Plus one in .plt.sec, with endbr64 and bnd.
  std::vector<uint8_t> plt(64, 0xcc), sec(16, 0xcc);
  const uint8_t first[] = {0xff, 0x35, 0, 0, 0, 0, 0xff, 0x25, 0, 0, 0, 0};
  std::memcpy(plt.data(), first, sizeof first);
  plt[16] = 0xff;
  plt[17] = 0x25;
  put32(plt, 18, 0x4000 - (0x1010 + 6));
  const uint8_t lazy[] = {0xf3, 0x0f, 0x1e, 0xfa, 0x68, 1, 0, 0, 0};
  std::memcpy(plt.data() + 32, lazy, sizeof lazy);
  const uint8_t by_register[] = {0xf3, 0x0f, 0x1e, 0xfa, 0x41, 0xbb, 0, 0, 0, 0, 0xff, 0x25};
  std::memcpy(plt.data() + 48, by_register, sizeof by_register);
  put32(plt, 60, 0x4000 - (0x1030 + 16));
  const uint8_t guarded[] = {0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25};
  std::memcpy(sec.data(), guarded, sizeof guarded);
  put32(sec, 7, 0x4008 - (0x2000 + 11));
  ElfBuilder builder;
  builder.add({".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, plt, 0, 0, 16, 0});
  builder.add({".plt.sec", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x2000, sec, 0, 0, 16, 0});
  add_slots(builder, {"memcpy", "malloc"}, 0x4000, R_X86_64_JUMP_SLOT);
  Loaded l = load(builder);
  EXPECT_EQ(l.name(0x1000), "");
  EXPECT_EQ(l.name(0x1010), "memcpy@plt");
  EXPECT_EQ(l.name(0x101f), "memcpy@plt");
  EXPECT_EQ(l.name(0x1020), "malloc@plt");
  EXPECT_EQ(l.name(0x1030), "memcpy@plt");
  EXPECT_EQ(l.name(0x2004), "malloc@plt");
}

TEST(Symbols, NameAarch64PltStubs) {
  std::vector<uint8_t> plt(64, 0);
  auto stub = [&](size_t at, uint64_t slot, bool bti) {
    if (bti) {
      put32(plt, at, 0xd503245f);
      at += 4;
    }
    uint64_t pages = (slot >> 12) - ((0x10000 + at) >> 12);
    put32(plt, at, 0x90000010 | static_cast<uint32_t>(pages & 3) << 29 | static_cast<uint32_t>(pages >> 2 & 0x7ffff) << 5);
    put32(plt, at + 4, 0xf9400211 | static_cast<uint32_t>((slot & 0xfff) / 8) << 10);
    put32(plt, at + 8, 0x91000210);
    put32(plt, at + 12, 0xd61f0220);
  };
  stub(16, 0x31008, false);
  stub(40, 0x31010, true);
  ElfBuilder builder;
  builder.machine = EM_AARCH64;
  builder.add({".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x10000, plt, 0, 0, 24, 0});
  add_slots(builder, {"memcpy", "malloc"}, 0x31008, R_AARCH64_JUMP_SLOT);
  Loaded l = load(builder);
  EXPECT_EQ(l.name(0x10000), "");
  EXPECT_EQ(l.name(0x10010), "memcpy@plt");
  EXPECT_EQ(l.name(0x1001f), "memcpy@plt");
  EXPECT_EQ(l.name(0x10028), "malloc@plt");
  EXPECT_EQ(l.name(0x1003b), "malloc@plt");
}

// Checks every address of random tables against the definition: the innermost symbol that covers it; of equals, the later start.
TEST(Symbols, RandomTablesMatchDefinition) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    std::vector<Symbol> symbols;
    std::map<std::string, const Symbol*> by_name;
    for (unsigned i = 0; i < 1 + random() % 30; ++i) {
      symbols.push_back({strf("s%u", i), 0x1000 + random() % 0x80, 1 + random() % 0x30});
    }
    for (const Symbol& s : symbols) { by_name[s.name] = &s; }
    Loaded l = load(symbols, 0x200);
    for (uint64_t a = 0xff0; a < 0x1110; ++a) {
      uint64_t start = 0, end = UINT64_MAX;
      for (const Symbol& s : symbols) {
        if (a < s.value || a >= s.value + s.size || s.value < start) { continue; }
        end = s.value > start ? s.value + s.size : std::min(end, s.value + s.size);
        start = s.value;
      }
      std::string name = l.name(a);
      if (start == 0) {
        ASSERT_EQ(name, "");
        continue;
      }
      ASSERT_TRUE(by_name.count(name)) << name;
      ASSERT_EQ(by_name[name]->value, start);
      ASSERT_EQ(by_name[name]->value + by_name[name]->size, end);
    }
    for (size_t i = 1; i < l.table->size(); ++i) { ASSERT_LE(l.table->at(i - 1).end, l.table->at(i).start); }
  }
}

// Large tables use another sort than small ones.
TEST(Symbols, LargeTablesAreSorted) {
  for (uint64_t step : {uint64_t{16}, uint64_t{1} << 22}) {  // the second is too wide for the radix sort
    std::vector<Symbol> symbols;
    for (uint64_t i = 0; i < 5000; ++i) {
      symbols.push_back({strf("f%llu", static_cast<unsigned long long>(i)), 0x1000 + i * step, 8});
    }
    symbols.push_back({"alias_without_size", 0x1000, 0});
    symbols.push_back({"_alias", 0x1000, 8});
    std::shuffle(symbols.begin(), symbols.end(), std::mt19937(5));
    ElfBuilder builder;
    builder.add({".text", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, {}, 0, 0, 0, 5000 * step});
    builder.add_symbols(symbols);
    Loaded l = load(builder);
    ASSERT_EQ(l.table->size(), 5000u);
    for (uint64_t i = 0; i < 5000; ++i) {
      ASSERT_EQ(l.name(0x1000 + i * step + 7), strf("f%llu", static_cast<unsigned long long>(i)));
      ASSERT_EQ(l.name(0x1000 + i * step + 8), "");
    }
  }
}

std::vector<std::string> lines_of(const std::string& command) {
  std::vector<std::string> out;
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  char line[65536];
  while (pipe && std::fgets(line, sizeof line, pipe.get()) != nullptr) { out.push_back(std::string(trim(line))); }
  return out;
}

// Compares with nm on this program: every function with a size must be found at its first and last byte, under one of nm's names
// for it.
TEST(Symbols, AgreeWithNm) {
  std::vector<std::string> lines = lines_of("nm -S /proc/" + std::to_string(::getpid()) + "/exe 2>/dev/null");
  if (lines.empty()) { GTEST_SKIP() << "nm is not installed"; }
  Result<MappedFile> file = MappedFile::open("/proc/self/exe");
  ASSERT_TRUE(file.ok());
  Result<Image> image = Image::parse(file->bytes());
  ASSERT_TRUE(image.ok());
  SymbolTable table(*image);
  auto is_code = [&](uint64_t address) {  // nm's letters include weak data and markers
    return std::any_of(image->sections().begin(), image->sections().end(), [&](const Section& s) {
      return (s.flags & SHF_EXECINSTR) != 0 && address >= s.vaddr && address - s.vaddr < s.size;
    });
  };
  std::multimap<uint64_t, std::pair<uint64_t, std::string>> at;
  for (const std::string& line : lines) {
    std::vector<std::string_view> words = split(line, ' ');
    if (words.size() != 4 || std::string_view("tTwW").find(words[2]) == std::string_view::npos) { continue; }
    uint64_t start = *parse_u64(words[0], 16);
    if (is_code(start)) { at.insert({start, {*parse_u64(words[1], 16), std::string(words[3])}}); }
  }
  ASSERT_GT(at.size(), 500u);
  for (const auto& [start, rest] : at) {
    std::optional<SymbolRange> found = table.find(start);
    ASSERT_TRUE(found.has_value()) << rest.second;
    auto [first, last] = at.equal_range(start);
    bool known = std::any_of(first, last, [&](const auto& e) { return e.second.second == found->name; });
    ASSERT_TRUE(known) << rest.second << " not " << found->name;
    ASSERT_EQ(found->start, start);
    if (std::next(first) == last) { ASSERT_TRUE(table.find(start + rest.first - 1).has_value()) << rest.second; }
  }
}

TEST(Symbols, MaliciousTablesAreFast) {
  // All names are one long unterminated string; all ranges overlap; 300,000 symbols.
  ElfBuilder builder;
  builder.add_text(0x1000, 0x100000);
  ByteWriter out;
  for (uint32_t i = 0; i < 300'000; ++i) {
    out.u32(i);
    out.u8(STB_GLOBAL << 4 | STT_FUNC);
    out.u8(0);
    out.u16(1);
    out.u64(0x1000 + i % 0x80000);
    out.u64(i % 7 == 0 ? 0 : UINT64_MAX - i);
  }
  uint32_t strings = builder.add({".strtab", SHT_STRTAB, 0, 0, std::vector<uint8_t>(1'000'000, 'a'), 0, 0, 0, 0});
  builder.add({".symtab", SHT_SYMTAB, 0, 0, out.take(), strings, 0, sizeof(Elf64_Sym), 0});
  uint64_t start = now_ns();
  Loaded l = load(builder);
  size_t total = 0;
  for (uint64_t a = 0x1000; a < 0x81000; a += 5) { total += l.name(a).size(); }
  EXPECT_GT(total, 0u);
  EXPECT_LT(now_ns() - start, 20'000'000'000u);
}

// cfree@GLIBC_2.2.5 and free@@GLIBC_2.2.5 are one function; of equals, the last would win.
TEST(Symbols, AvoidObsoleteVersionedNames) {
  for (bool is_old : {false, true}) {
    ElfBuilder builder;
    builder.add_text(0x1000, 0x1000);
    builder.add_symbols({{"free", 0x1100, 0x20}, {"cfree", 0x1100, 0x20}}, SHT_DYNSYM);
    ByteWriter versions;
    versions.u16(0);
    versions.u16(2);
    versions.u16(is_old ? 0x8002 : 2);
    builder.add({".gnu.version", SHT_GNU_versym, SHF_ALLOC, 0, versions.take(), 0, 0, 2, 0});
    EXPECT_EQ(load(builder).name(0x1108), is_old ? "free" : "cfree");
  }
}

}  // namespace
}  // namespace wick::elf

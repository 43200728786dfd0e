// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/inspect.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "base/mapped_file.h"
#include "base/text.h"
#include "elf/elf_builder.h"

namespace wick::elf {
namespace {

namespace fs = std::filesystem;

struct UnitText {
  uint16_t version = 4;
  uint8_t language = 0x1c;
  std::string producer, name, comp_dir, split;
};

// .debug_info and .debug_abbrev with one entry per unit.
void add_dwarf(ElfBuilder& builder, const std::vector<UnitText>& units, bool parameters) {
  ByteWriter abbrev, info;
  auto attribute = [&](uint64_t name, uint64_t form) {
    abbrev.uleb(name);
    abbrev.uleb(form);
  };
  abbrev.uleb(1);
  abbrev.uleb(0x11);
  abbrev.u8(0);
  attribute(0x10, 0x17);    // stmt_list, to be skipped
  attribute(0x25, 0x08);    // producer
  attribute(0x13, 0x0b);    // language
  attribute(0x03, 0x08);    // name
  attribute(0x1b, 0x08);    // comp_dir
  attribute(0x2130, 0x08);  // GNU_dwo_name
  attribute(0, 0);
  abbrev.uleb(2);
  abbrev.uleb(parameters ? 0x05 : 0x2e);
  abbrev.u8(0);
  attribute(0x3a, 0x21);  // implicit_const: a value in the abbreviation itself
  abbrev.uleb(0x7f);
  attribute(0, 0);
  abbrev.uleb(0);
  for (const UnitText& unit : units) {
    ByteWriter body;
    auto text = [&](const std::string& s) {
      body.bytes(as_bytes(s));
      body.u8(0);
    };
    body.u16(unit.version);
    if (unit.version >= 5) {
      body.u8(1);
      body.u8(8);
      body.u32(0);
    } else {
      body.u32(0);
      body.u8(8);
    }
    body.uleb(1);
    body.u32(0);
    text(unit.producer);
    body.u8(unit.language);
    text(unit.name);
    text(unit.comp_dir);
    text(unit.split);
    info.u32(static_cast<uint32_t>(body.size()));
    info.bytes(body.data());
  }
  builder.add({".debug_info", SHT_PROGBITS, 0, 0, info.take(), 0, 0, 0, 0});
  builder.add({".debug_abbrev", SHT_PROGBITS, 0, 0, abbrev.take(), 0, 0, 0, 0});
  builder.add({".debug_line", SHT_PROGBITS, 0, 0, std::vector<uint8_t>(8), 0, 0, 0, 0});
}

Inspection inspect_bytes(const std::vector<uint8_t>& bytes) {
  Result<Image> image = Image::parse(bytes);
  EXPECT_TRUE(image.ok());
  return inspect(*image);
}

TEST(Inspect, IgnoresDebugInfoOfRustStandardLibrary) {
  ElfBuilder builder;
  builder.add_text(0x1000, 0x100);
  UnitText library{4, 0x1c, "clang LLVM (rustc version 1.95.0)", "library/std/src/lib.rs", "/rustc/0123/", ""};
  add_dwarf(builder, {library, library}, false);
  Inspection in = inspect_bytes(builder.build());
  EXPECT_EQ(in.dwarf.units, 2u);
  EXPECT_EQ(in.dwarf.library_units, 2u);
  EXPECT_EQ(in.dwarf.version, 4u);
}

TEST(Inspect, ReportsLanguageOfMostCode) {
  ElfBuilder builder;
  builder.add_text(0x1000, 0x100);
  UnitText c{5, 0x1d, "GNU C17 12.2.0 -O2", "a.c", "/home/me", ""};
  UnitText cxx{5, 0x21, "GNU C++20 12.2.0 -O2 -flto", std::string(300, 'n'), "/home/me", ""};
  add_dwarf(builder, {c, cxx, c}, true);
  Inspection in = inspect_bytes(builder.build());
  EXPECT_EQ(in.language, Language::kCxx);
  EXPECT_EQ(in.producer, cxx.producer);
  EXPECT_EQ(in.dwarf.version, 5u);
  EXPECT_EQ(in.dwarf.detail, DwarfSummary::Detail::kFull);
  EXPECT_TRUE(in.dwarf.has_lines);
  EXPECT_TRUE(in.link_time_optimized);
}

TEST(Inspect, ListsSplitUnits) {
  ElfBuilder builder;
  builder.add_text(0x1000, 0x100);
  add_dwarf(builder, {{4, 0x1d, "GNU C17", "a.c", "/home/me", "a.dwo"}, {4, 0x1d, "GNU C17", "b.c", "/home/me", "/abs/b.dwo"}},
            false);
  Inspection in = inspect_bytes(builder.build());
  EXPECT_EQ(in.dwarf.split_units, 2u);
  EXPECT_EQ(in.dwarf.split_files, (std::vector<std::string>{"/home/me/a.dwo", "/abs/b.dwo"}));
  EXPECT_EQ(in.dwarf.detail, DwarfSummary::Detail::kLinesOnly);
}

TEST(Inspect, DetectsLanguageWithoutDebugInfo) {
  auto language = [](const std::vector<ElfBuilder::Symbol>& symbols, const std::string& comment,
                     const std::string& section = "") {
    ElfBuilder builder;
    builder.add_text(0x1000, 0x100);
    builder.add_symbols(symbols);
    std::string text = comment + '\0';
    Bytes bytes = as_bytes(text);
    builder.add({".comment", SHT_PROGBITS, 0, 0, {bytes.begin(), bytes.end()}, 0, 0, 0, 0});
    if (!section.empty()) { builder.add({section, SHT_PROGBITS, 0, 0, std::vector<uint8_t>(16), 0, 0, 0, 0}); }
    return inspect_bytes(builder.build()).language;
  };
  EXPECT_EQ(language({{"main", 0x1000, 16}}, "GCC: (Debian 12.2.0-14) 12.2.0"), Language::kC);
  EXPECT_EQ(language({{"main", 0x1000, 16}, {"_ZN3foo3barEv", 0x1010, 16}}, "GCC: (Debian 12.2.0-14) 12.2.0"), Language::kCxx);
  EXPECT_EQ(language({{"main", 0x1000, 16}, {"_ZN4core3fmt3pad17h0123456789abcdefE", 0x1010, 16}}, "GCC: 12"), Language::kRust);
  EXPECT_EQ(language({{"main", 0x1000, 16}, {"_RNvC1a1b", 0x1010, 16}}, ""), Language::kRust);
  EXPECT_EQ(language({}, "rustc version 1.95.0 (59807616e 2026-04-14)"), Language::kRust);
  EXPECT_EQ(language({{"main.main", 0x1000, 16}}, "", ".gopclntab"), Language::kGo);
  EXPECT_EQ(language({}, ""), Language::kUnknown);
}

TEST(Inspect, InspectsThisProgram) {
  Result<MappedFile> file = MappedFile::open("/proc/self/exe");
  ASSERT_TRUE(file.ok());
  Result<Image> image = Image::parse(file->bytes());
  ASSERT_TRUE(image.ok());
  Inspection in = inspect(*image);
  EXPECT_EQ(in.arch, host_arch());
  EXPECT_EQ(in.kind, FileKind::kProgram);
  EXPECT_FALSE(in.is_static);
  EXPECT_EQ(in.language, Language::kCxx);
  EXPECT_GT(in.symtab_count, 500u);
  EXPECT_NE(in.dwarf.detail, DwarfSummary::Detail::kNone);
  EXPECT_GT(in.unwind.functions, 500u);
  EXPECT_GT(in.unwind.covered_bytes * 10, in.unwind.code_bytes * 9);
  EXPECT_GT(in.unwind.with_frame_pointer, 100u) << "this program is built with frame pointers";
}

// Builds one source with gcc in many ways.
class InspectBuilds : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / strf("wick_inspect_%d", ::getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(folder_ / "a.c")
        << "#include <stdlib.h>\n#include <stdio.h>\n"
           "static int helper(int a, int b) { int s = 0; for (int i = 0; i < a; i++) { s += i * b; } return s; }\n"
           "int main(int argc, char** argv) { printf(\"%d\\n\", helper(argc, atoi(argv[0]))); return 0; }\n";
    if (std::system("gcc --version > /dev/null 2>&1") != 0) { GTEST_SKIP() << "gcc is not installed"; }
  }
  void TearDown() override { fs::remove_all(folder_); }
  Inspection build(const std::string& flags) {
    std::string command = "cd " + folder_.string() + " && gcc " + flags + " a.c -o a 2> /dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    Result<MappedFile> file = MappedFile::open(folder_ / "a");
    if (!file.ok()) { return {}; }
    Result<Image> image = Image::parse(file->bytes());
    return image.ok() ? inspect(*image) : Inspection();
  }
  fs::path folder_;
};

TEST_F(InspectBuilds, DebugInfo) {
  EXPECT_EQ(build("-O2").dwarf.detail, DwarfSummary::Detail::kNone);
  EXPECT_EQ(build("-O2 -g1").dwarf.detail, DwarfSummary::Detail::kLinesOnly);
  Inspection full = build("-O2 -g");
  EXPECT_EQ(full.dwarf.detail, DwarfSummary::Detail::kFull);
  EXPECT_EQ(full.language, Language::kC);
  EXPECT_EQ(full.dwarf.units, 1u);
  EXPECT_EQ(full.producer.substr(0, 5), "GNU C");
  EXPECT_EQ(build("-O2 -g -gdwarf-4").dwarf.version, 4u);
  Inspection packed = build("-O2 -g -gz=zlib");
  EXPECT_EQ(packed.dwarf.compression, Compression::kZlib);
  EXPECT_EQ(packed.dwarf.detail, DwarfSummary::Detail::kFull);
  Inspection split = build("-O2 -g -gsplit-dwarf");
  EXPECT_EQ(split.dwarf.split_units, 1u);
  ASSERT_EQ(split.dwarf.split_files.size(), 1u);
  EXPECT_TRUE(fs::exists(split.dwarf.split_files[0])) << split.dwarf.split_files[0];
}

TEST_F(InspectBuilds, CodeWithDebugInfo) {
  std::ofstream(folder_ / "b.c") << "void nothing(void) { __asm__(\".skip 100000\"); }\n";
  Inspection all = build("-O2 -g b.c");
  ASSERT_TRUE(all.dwarf.covered_bytes.has_value());
  EXPECT_GT(*all.dwarf.covered_bytes, 100'000u);
  EXPECT_LE(*all.dwarf.covered_bytes, all.unwind.code_bytes);
  EXPECT_FALSE(build("-O2").dwarf.covered_bytes.has_value());
  ASSERT_EQ(std::system(("cd " + folder_.string() + " && gcc -O2 -c b.c -o b.o").c_str()), 0);
  Inspection part = build("-O2 -g b.o");
  ASSERT_TRUE(part.dwarf.covered_bytes.has_value());
  EXPECT_LT(*part.dwarf.covered_bytes, 1000u);
  EXPECT_GT(part.unwind.code_bytes, 100'000u);
}

TEST_F(InspectBuilds, SymbolsAndKinds) {
  Inspection plain = build("-O2 -pie -fpie");
  EXPECT_TRUE(plain.has_symtab);
  EXPECT_TRUE(plain.position_independent);
  EXPECT_FALSE(plain.interpreter.empty());
  EXPECT_EQ(plain.build_id.size(), 40u);
  Inspection stripped = build("-O2 -s");
  EXPECT_FALSE(stripped.has_symtab);
  EXPECT_EQ(stripped.symtab_count, 0u);
  EXPECT_EQ(stripped.language, Language::kC);
  EXPECT_FALSE(build("-O2 -no-pie -fno-pie").position_independent);
  EXPECT_TRUE(build("-O2 -static").is_static);
  EXPECT_TRUE(build("-O2 -static-pie").is_static);
  EXPECT_EQ(build("-O2 -shared -fpic").kind, FileKind::kLibrary);
  EXPECT_EQ(build("-O2 -c").kind, FileKind::kObject);
  EXPECT_TRUE(build("-O2 -g -flto").link_time_optimized);
}

TEST_F(InspectBuilds, FramePointers) {
  Inspection with = build("-O1 -fno-omit-frame-pointer -fno-inline"), without = build("-O1 -fomit-frame-pointer -fno-inline");
  EXPECT_GE(with.unwind.with_frame_pointer, 1u);
  EXPECT_EQ(with.unwind.with_frame_pointer, with.unwind.judged);
  if (host_arch() == Arch::kX86_64) { EXPECT_EQ(without.unwind.with_frame_pointer, 0u); }
  EXPECT_TRUE(with.unwind.has_eh_frame && with.unwind.has_search_table);
  EXPECT_FALSE(build("-O2 -Wl,--no-eh-frame-hdr").unwind.has_search_table);
}

TEST(Inspect, HandlesRandomDamage) {
  ElfBuilder builder;
  builder.add_text(0x1000, 0x100);
  builder.add_symbols({{"main", 0x1000, 16}});
  add_dwarf(builder, {{5, 0x21, "GNU C++20", "a.cc", "/home", ""}, {4, 0x1c, "rustc", "b.rs", "/rustc/1", "x.dwo"}}, true);
  std::vector<uint8_t> good = builder.build();
  std::mt19937 random(4);
  for (int round = 0; round < 4000; ++round) {
    std::vector<uint8_t> bad = good;
    for (unsigned i = 0; i < 1 + random() % 6; ++i) { bad[random() % bad.size()] = static_cast<uint8_t>(random()); }
    size_t size = random() % 4 == 0 ? random() % (bad.size() + 1) : bad.size();
    std::unique_ptr<uint8_t[]> exact(new uint8_t[size]);
    std::copy_n(bad.begin(), size, exact.get());
    if (Result<Image> image = Image::parse({exact.get(), size}); image.ok()) { inspect(*image); }
  }
}

}  // namespace
}  // namespace wick::elf

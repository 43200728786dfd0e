// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Malicious debug info must be handled in time and memory proportional to the file. Without the limits these tests would take
// minutes to years; the time limit allows for slow machines and sanitizers.

#include <gtest/gtest.h>
#include <zstd.h>

#include <ctime>

#include "elf/decompress.h"
#include "elf/dwarf_builder.h"
#include "elf/symbol_index_build.h"

namespace wick::elf {
namespace {

using namespace dw;

constexpr uint64_t kCode = 0x1000;

class HostileDwarf : public ::testing::Test {
 protected:
  void TearDown() override { EXPECT_LT(std::clock() - begin_, 60 * CLOCKS_PER_SEC); }

  SymbolIndexTables index(const DwarfBuilder& builder, uint64_t most_text = UINT32_MAX) {
    bytes_ = builder.build();
    Result<Image> image = Image::parse(bytes_);
    EXPECT_TRUE(image.ok());
    DwarfFile dwarf{DwarfSections(*image)};
    CodeRanges code(*image);
    UnitSymbolsReader reader;
    std::vector<UnitSymbols> units;
    unit_count_ = dwarf.units().size();
    for (const DwarfUnit& unit : dwarf.units()) { units.push_back(reader.read(unit, nullptr, code)); }
    read_wanted(*image);
    return merge_symbols(units, most_text);
  }
  static void read_wanted(const Image& image) {
    DwarfFile dwarf{DwarfSections(image)};
    CodeRanges code(image);
    UnitSymbolsReader reader;
    const uint64_t svmas[] = {kCode};
    const WantedAddresses wanted(svmas);
    std::vector<NamedFrame> chain;
    for (const DwarfUnit& unit : dwarf.units()) { reader.read(unit, nullptr, code, &wanted).find(kCode, chain); }
  }
  static std::string name_at(const SymbolIndexTables& tables, uint64_t svma) {
    std::vector<NamedFrame> chain;
    SymbolIndex(tables).find(svma, chain);
    std::string out;
    for (const NamedFrame& frame : chain) { out += std::string(frame.function) + ";"; }
    return out;
  }

  std::vector<uint8_t> bytes_;
  size_t unit_count_ = 0;

 private:
  std::clock_t begin_ = std::clock();
};

TEST_F(HostileDwarf, CyclicOrigins) {
  DwarfBuilder b;
  b.usual_root();
  b.abbreviation(2, kTagSubprogram, true,
                 {{kAtName, kFormString}, {kAtLowPc, kFormAddr}, {kAtHighPc, kFormData4}, {kAtSpecification, kFormRef4}});
  b.abbreviation(3, kTagInlinedSubroutine, false,
                 {{kAtAbstractOrigin, kFormRef4}, {kAtLowPc, kFormAddr}, {kAtHighPc, kFormData4}});
  b.abbreviation(4, kTagSubprogram, false, {{kAtAbstractOrigin, kFormRef4}});
  b.abbrev.u8(0);
  ByteWriter e;
  DwarfBuilder::root_entry(e, kCode, 0x100);
  uint32_t header = 11;
  auto here = [&] { return header + static_cast<uint32_t>(e.size()); };
  uint32_t self = here();
  e.u8(2);
  e.bytes(as_bytes(std::string_view("outer\0", 6)));
  e.u64(kCode);
  e.u32(0x100);
  e.u32(self);  // refers to itself
  uint32_t first = here() + 17;
  e.u8(3);
  e.u32(first);
  e.u64(kCode + 0x10);
  e.u32(0x10);
  e.u8(4);  // the first and second are each other's origin
  e.u32(first + 5);
  e.u8(4);
  e.u32(first);
  e.u16(0);
  b.unit(e.data());
  SymbolIndexTables tables = index(b);
  EXPECT_EQ(name_at(tables, kCode), "outer;");
  EXPECT_EQ(name_at(tables, kCode + 0x10), ";outer;");
}

TEST_F(HostileDwarf, MillionOpenScopes) {
  DwarfBuilder b;
  b.usual_root();
  b.abbreviation(2, kTagSubprogram, true, {{kAtName, kFormString}, {kAtLowPc, kFormAddr}, {kAtHighPc, kFormData4}});
  b.abbreviation(3, kTagInlinedSubroutine, true, {{kAtLowPc, kFormAddr}, {kAtHighPc, kFormData4}});
  b.abbreviation(4, kTagNamespace, true, {});
  b.abbrev.u8(0);
  for (uint8_t bomb : {3, 4}) {
    ByteWriter e;
    DwarfBuilder::root_entry(e, kCode, 0x100);
    e.u8(2);
    e.bytes(as_bytes(std::string_view("f\0", 2)));
    e.u64(kCode);
    e.u32(0x100);
    for (int i = 0; i < 1'000'000; ++i) {
      e.u8(bomb);
      if (bomb == 3) {
        e.u64(kCode);
        e.u32(0x100);
      }
    }
    b.info.clear();
    b.unit(e.data());
    SymbolIndexTables tables = index(b);
    std::vector<NamedFrame> chain;
    SymbolIndex(tables).find(kCode, chain);
    EXPECT_GE(chain.size(), 1u);
    EXPECT_LE(chain.size(), 512u);
  }
}

TEST_F(HostileDwarf, OffsetsPastTheEnd) {
  DwarfBuilder b;
  b.abbreviation(1, kTagCompileUnit, true,
                 {{kAtName, kFormStrp}, {kAtRanges, kFormSecOffset}, {kAtStmtList, kFormSecOffset}, {kAtLowPc, kFormAddr}});
  b.abbreviation(2, kTagSubprogram, true,
                 {{kAtLinkageName, kFormStrp}, {kAtRanges, kFormSecOffset}, {kAtSpecification, kFormRefAddr}});
  b.abbreviation(3, kTagInlinedSubroutine, false, {{kAtAbstractOrigin, kFormRef8}, {kAtRanges, kFormSecOffset}});
  b.abbrev.u8(0);
  b.str.u8(0);
  b.ranges.u64(0);
  b.lines({});
  for (uint64_t offset : {uint64_t{0x40}, uint64_t{0x7fff'ffff}, uint64_t{0xffff'ffff}, UINT64_MAX}) {
    ByteWriter e;
    auto far = static_cast<uint32_t>(std::min<uint64_t>(offset, UINT32_MAX));
    e.u8(1);
    for (int i = 0; i < 3; ++i) { e.u32(far); }
    e.u64(kCode);
    e.u8(2);
    for (int i = 0; i < 3; ++i) { e.u32(far); }
    e.u8(3);
    e.u64(offset);
    e.u32(far);
    e.u16(0);
    b.unit(e.data());
    b.unit(e.data(), far);
  }
  EXPECT_EQ(name_at(index(b), kCode), "");
  EXPECT_EQ(unit_count_, 8u);
}

TEST_F(HostileDwarf, LengthsNearTwoToThe64) {
  for (uint64_t length : {UINT64_MAX, UINT64_MAX - 11, uint64_t{1} << 63, uint64_t{0}}) {
    DwarfBuilder b;
    b.usual_root();
    b.abbrev.u8(0);
    ByteWriter e;
    DwarfBuilder::root_entry(e, kCode, 0x100);
    e.u8(0);
    b.unit(e.data());
    b.info.u32(UINT32_MAX);
    b.info.u64(length);
    b.info.u16(4);
    b.info.u64(0);
    b.info.u8(8);
    b.info.bytes(e.data());
    b.line.u32(UINT32_MAX);
    b.line.u64(length);
    b.line.u16(4);
    b.line.u64(length);
    index(b);
    EXPECT_GE(unit_count_, 1u);
  }
}

TEST_F(HostileDwarf, EveryFunctionHasTheSameRanges) {
  constexpr uint32_t kCount = 30'000;
  for (bool tails : {false, true}) {
    DwarfBuilder b;
    b.usual_root();
    b.abbreviation(2, kTagSubprogram, false, {{kAtName, kFormString}, {kAtRanges, kFormSecOffset}});
    b.abbrev.u8(0);
    for (uint64_t i = 0; i < kCount; ++i) {
      b.ranges.u64(i);
      b.ranges.u64(i + 1);
    }
    b.ranges.u64(0);
    b.ranges.u64(0);
    ByteWriter e;
    DwarfBuilder::root_entry(e, kCode, 0x10000);
    for (uint32_t i = 0; i < kCount; ++i) {
      e.u8(2);
      e.bytes(as_bytes(std::string_view("f\0", 2)));
      e.u32(tails ? i * 16 : 0);
    }
    e.u8(0);
    b.unit(e.data());
    SymbolIndexTables tables = index(b);
    EXPECT_LE(tables.segments.size(), 0x10000u * 2);
    EXPECT_EQ(name_at(tables, kCode + 5), "f;");
  }
}

TEST_F(HostileDwarf, EndlessLines) {
  DwarfBuilder b;
  b.usual_root();
  b.abbrev.u8(0);
  ByteWriter program;
  auto set_address = [&] {
    program.u8(0);
    program.u8(9);
    program.u8(2);
    program.u64(kCode);
  };
  set_address();
  for (int i = 0; i < 100'000; ++i) { program.u8(13 + 4 + 2); }  // advances one address and one line, past the end of the code
  for (int sequence = 0; sequence < 4000; ++sequence) {          // the same code again and again
    program.u8(0);
    program.u8(1);
    program.u8(1);
    set_address();
    for (int i = 0; i < 1000; ++i) { program.u8(13 + 4 + 2); }
  }
  program.bytes(std::vector<uint8_t>{0, 1, 1});
  uint32_t lines = b.lines(program.data());
  for (int i = 0; i < 3000; ++i) {  // used by every unit
    ByteWriter e;
    DwarfBuilder::root_entry(e, kCode, 0x10000, lines);
    e.u8(0);
    b.unit(e.data());
  }
  SymbolIndexTables tables = index(b);
  EXPECT_EQ(unit_count_, 3000u);
  EXPECT_GT(tables.lines.size(), 1000u);
  EXPECT_LE(tables.lines.size(), 0x20000u);
}

TEST_F(HostileDwarf, FilesWithoutBytes) {
  DwarfBuilder b;
  b.usual_root();
  b.abbrev.u8(0);
  ByteWriter t;
  t.u16(5);
  t.u8(8);
  t.u8(0);
  ByteWriter head;
  head.bytes(std::vector<uint8_t>{1, 1, 1, 0xff, 4, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1});
  for (int table = 0; table < 2; ++table) {
    head.u8(1);
    head.uleb(kLnctPath);
    head.uleb(kFormFlagPresent);
    head.uleb(1'000'000);
  }
  t.u32(static_cast<uint32_t>(head.size()));
  t.bytes(head.data());
  b.line.u32(static_cast<uint32_t>(t.size()));
  b.line.bytes(t.data());
  for (int i = 0; i < 20'000; ++i) {
    ByteWriter e;
    DwarfBuilder::root_entry(e, kCode, 0x100);
    e.u8(0);
    b.unit(e.data());
  }
  EXPECT_TRUE(index(b).files.empty());
}

TEST_F(HostileDwarf, UnitsShareLongAbbreviationTable) {
  DwarfBuilder b;
  for (uint64_t code = 2; code < 50'000; ++code) { b.abbreviation(code, kTagNamespace, false, {{kAtName, kFormString}}); }
  b.usual_root();  // found last
  b.abbrev.u8(0);
  for (uint32_t i = 0; i < 5'000; ++i) {
    ByteWriter e;
    DwarfBuilder::root_entry(e, kCode + i, 1);
    e.u8(0);
    b.unit(e.data(), i * 7);  // each unit at another offset of it
  }
  index(b);
  EXPECT_EQ(unit_count_, 5'000u);
}

TEST_F(HostileDwarf, OneByteEntriesWithManyAttributes) {
  DwarfBuilder b;
  b.usual_root();
  b.abbrev.uleb(2);
  b.abbrev.uleb(kTagSubprogram);
  b.abbrev.u8(1);
  for (int i = 0; i < 100'000; ++i) {
    b.abbrev.uleb(kAtCallLine);
    b.abbrev.uleb(kFormImplicitConst);
    b.abbrev.uleb(1);
  }
  b.abbrev.u16(0);
  b.abbrev.u8(0);
  ByteWriter e;
  DwarfBuilder::root_entry(e, kCode, 0x100);
  for (int i = 0; i < 500'000; ++i) {
    e.u8(2);
    e.u8(0);
  }
  b.unit(e.data());
  SymbolIndexTables tables = index(b);
  EXPECT_LE(tables.nodes.size(), 0x10000u * 4);
}

TEST_F(HostileDwarf, NamesWithCommonSuffix) {
  constexpr uint32_t kCount = 40'000;
  DwarfBuilder b;
  b.usual_root();
  b.abbreviation(2, kTagSubprogram, false, {{kAtLinkageName, kFormStrp}, {kAtLowPc, kFormAddr}, {kAtHighPc, kFormData1}});
  b.abbrev.u8(0);
  b.str.bytes(std::vector<uint8_t>(8'000'000, 'x'));
  b.str.u8(0);
  ByteWriter e;
  DwarfBuilder::root_entry(e, kCode, kCount);
  for (uint32_t i = 0; i < kCount; ++i) {
    e.u8(2);
    e.u32(i);
    e.u64(kCode + i);
    e.u8(1);
  }
  e.u8(0);
  b.unit(e.data());
  SymbolIndexTables tables = index(b, 10'000'000);
  EXPECT_LE(tables.strings.size(), 10'000'000u);
  EXPECT_EQ(name_at(tables, kCode).substr(0, 3), "xxx");
}

TEST_F(HostileDwarf, EveryUnitClaimsAllFollowingCode) {
  std::vector<std::vector<AddressRange>> ranges;
  constexpr uint64_t kUnits = 200'000;
  for (uint64_t i = 0; i < kUnits; ++i) { ranges.push_back({{kCode + i, kCode + 2 * kUnits - i}}); }
  std::vector<CodeClaim> claims = settle_claims(ranges);
  ASSERT_EQ(claims.size(), 1u);
  EXPECT_EQ(claims[0].end, kCode + 2 * kUnits);
  std::reverse(ranges.begin(), ranges.end());
  EXPECT_EQ(settle_claims(ranges).size(), 1u);
  ranges.clear();
  for (uint64_t i = 0; i < kUnits; ++i) { ranges.push_back({{kCode + i, kCode + kUnits + i}}); }
  claims = settle_claims(ranges);
  ASSERT_EQ(claims.size(), kUnits);  // at the end of each, the next one is the first that is open
  EXPECT_EQ(claims[1].unit, 1u);
  EXPECT_EQ(claims[1].begin, claims[0].end);
}

TEST_F(HostileDwarf, DecompressionBomb) {
  constexpr size_t kBlock = 1 << 20, kBlocks = 2048;
  std::vector<uint8_t> zeros(kBlock), packed(1 << 20);
  std::unique_ptr<ZSTD_CStream, size_t (*)(ZSTD_CStream*)> z(ZSTD_createCStream(), ZSTD_freeCStream);
  ZSTD_outBuffer out{packed.data(), packed.size(), 0};
  for (size_t i = 0; i < kBlocks; ++i) {
    ZSTD_inBuffer in{zeros.data(), zeros.size(), 0};
    while (in.pos < in.size) { ASSERT_FALSE(ZSTD_isError(ZSTD_compressStream2(z.get(), &out, &in, ZSTD_e_continue))); }
  }
  ZSTD_inBuffer none{nullptr, 0, 0};
  ASSERT_EQ(ZSTD_compressStream2(z.get(), &out, &none, ZSTD_e_end), 0u);
  for (uint64_t claimed : {uint64_t{kBlock} * kBlocks, uint64_t{1} << 62}) {
    ByteWriter section;
    section.u32(2);  // zstd
    section.u32(0);
    section.u64(claimed);
    section.u64(1);
    section.bytes({packed.data(), out.pos});
    ElfBuilder elf;
    std::span<const uint8_t> data = section.data();
    elf.add({".debug_info", SHT_PROGBITS, SHF_COMPRESSED, 0, {data.begin(), data.end()}, 0, 0, 0, 0});
    bytes_ = elf.build();
    Result<Image> image = Image::parse(bytes_);
    ASSERT_TRUE(image.ok());
    Result<SectionContents> contents = section_contents(*image, *image->find_section(".debug_info"));
    ASSERT_TRUE(contents.ok());
    EXPECT_TRUE(contents->cut);
    EXPECT_LE(contents->bytes.size(), (uint64_t{64} << 20) + 1000 * out.pos);
    EXPECT_LT(contents->bytes.size(), uint64_t{kBlock} * kBlocks / 4);
    DwarfSections bounded(*image, {.most_total = 1 << 20});
    EXPECT_EQ(bounded.info.size(), size_t{1} << 20);
  }
}

}  // namespace
}  // namespace wick::elf

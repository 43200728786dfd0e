// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/unwind_table.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/mapped_file.h"
#include "elf/cfi_test_builder.h"
#include "elf/unwind_table_format.h"

namespace wick::elf {
namespace {

std::string describe(const CompactRule& r) {
  char text[128];
  std::snprintf(text, sizeof text, "kind %d ra %d fp %d extra %d cfa %d ra %d fp %d", static_cast<int>(r.kind),
                static_cast<int>(r.ra), static_cast<int>(r.fp), r.extra, r.cfa_offset, r.ra_offset, r.fp_offset);
  return text;
}

// Checks every row of every function: the table and the entries agree at its first and last address.
void check_file(const char* path, size_t least_rows) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file.ok()) { GTEST_SKIP() << path << " is not on this machine"; }
  Result<Image> image = Image::parse(file->bytes());
  ASSERT_TRUE(image.ok()) << image.error().message();
  Cfi cfi(*image);
  std::vector<uint8_t> blob = UnwindTable::compile(cfi);
  Result<UnwindTable> table = UnwindTable::open(blob);
  ASSERT_TRUE(table.ok()) << table.error().message();
  EXPECT_GE(table->row_count(), least_rows);

  size_t rows = 0, asked = 0, wrong = 0;
  for (const Cfi::Entry& entry : cfi.list_entries()) {
    bool understood = cfi.visit_rows(entry, [&](const FrameRow& row) {
      CompactRule expected = compact_rule(cfi.arch(), row);
      for (uint64_t svma : {row.begin, row.end - 1}) {
        const CompactRule& got = table->find(svma);
        if (!(got == expected)) {
          ++wrong;
          ADD_FAILURE() << path << " at " << std::hex << svma << ": " << describe(got) << ", expected " << describe(expected);
        }
      }
      ++rows;
      if (expected.kind == CompactRule::Kind::kAsk) { ++asked; }
      return wrong < 5;
    });
    EXPECT_TRUE(understood) << path << " at " << std::hex << entry.begin;
  }
  EXPECT_GE(rows, table->row_count() / 2);
  EXPECT_LT(asked, rows / 100 + 10) << "rows that no compact rule can express should be rare";
}

TEST(UnwindTable, AgreesWithEntriesOfItself) { check_file("/proc/self/exe", 100); }

#if defined(__x86_64__)
#define WICK_LIBDIR "/usr/lib/x86_64-linux-gnu/"
#else
#define WICK_LIBDIR "/usr/lib/aarch64-linux-gnu/"
#endif
TEST(UnwindTable, AgreesWithEntriesOfLibc) { check_file(WICK_LIBDIR "libc.so.6", 5000); }
TEST(UnwindTable, AgreesWithEntriesOfLoader) {
  check_file(host_arch() == Arch::kX86_64 ? "/lib64/ld-linux-x86-64.so.2" : "/lib/ld-linux-aarch64.so.1", 500);
}
TEST(UnwindTable, AgreesWithEntriesOfLibstdcxx) { check_file(WICK_LIBDIR "libstdc++.so.6", 5000); }
TEST(UnwindTable, AgreesWithEntriesOfPython) { check_file("/usr/bin/python3", 5000); }
TEST(UnwindTable, AgreesWithEntriesOfOtherCpu) {
  check_file(host_arch() == Arch::kX86_64 ? "/usr/aarch64-linux-gnu/lib/libc.so.6" : "/usr/x86_64-linux-gnu/lib/libc.so.6", 1000);
}

using Kind = CompactRule::Kind;
const std::vector<uint8_t> kX86Initial{0x0c, 7, 8, 0x90, 1};

// A CFA definition with an expression.
std::vector<uint8_t> cfa_expression(std::vector<uint8_t> code) {
  code.insert(code.begin(), {0x0f, static_cast<uint8_t>(code.size())});
  return code;
}

TEST(UnwindTable, CompilesCommonRules) {
  test::CfiBuilder b;
  size_t cie = b.add_cie("zR", 0x1b, kX86Initial), signal = b.add_cie("zRS", 0x1b, kX86Initial);
  b.add_fde(cie, 0x1000, 0x100, {0x0e, 32, 0x86, 3});                             // sp + 32, fp at -24
  b.add_fde(cie, 0x2000, 0x100, {0x0c, 6, 16, 0x86, 2});                          // fp + 16
  b.add_fde(cie, 0x3000, 0x100, cfa_expression({0x76, 0x78, 0x06}));              // *(fp - 8)
  b.add_fde(cie, 0x4000, 0x100, cfa_expression({0x77, 0x20, 0x06, 0x23, 0x08}));  // *(sp + 32) + 8
  b.add_fde(cie, 0x5000, 0x100, cfa_expression({0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22}));  // linkage table
  b.add_fde(cie, 0x6000, 0x100, {0x07, 16});                                                                    // root
  b.add_fde(cie, 0x7000, 0x100, {0x0c, 10, 0});  // from another register
  b.add_fde(signal, 0x8000, 0x100, {});
  b.add_fde(cie, 0x9000, 0x100, {0x0e, 16, 0x86, 3});    // the slot of fp is below sp: popped
  b.add_fde(cie, 0xa000, 0x100, {0x10, 6, 2, 0x76, 0});  // fp at fp + 0
  Cfi cfi = b.make();
  std::vector<uint8_t> blob = UnwindTable::compile(cfi);
  Result<UnwindTable> table = UnwindTable::open(blob);
  ASSERT_TRUE(table.ok());
  auto expect = [&](uint64_t svma, CompactRule rule) {
    EXPECT_EQ(describe(table->find(svma)), describe(rule)) << std::hex << svma;
  };
  using Fp = CompactRule::FramePointer;
  expect(0x1080, {Kind::kSp, {}, Fp::kAtCfa, 0, 32, -8, -24});
  expect(0x2080, {Kind::kFp, {}, Fp::kAtCfa, 0, 16, -8, -16});
  expect(0x3080, {Kind::kDerefFp, {}, {}, 0, -8, -8, 0});
  expect(0x4080, {Kind::kDerefSp, {}, {}, 1, 32, -8, 0});
  expect(0x5080, {Kind::kPlt, {}, {}, 11, 8, -8, 0});
  expect(0x6080, {Kind::kOutermost, {}, {}, 0, 0, 0, 0});
  expect(0x7080, {Kind::kAsk, {}, {}, 0, 0, 0, 0});
  expect(0x8080, {Kind::kAsk, {}, {}, 0, 0, 0, 0});
  expect(0x9080, {Kind::kSp, {}, Fp::kSame, 0, 16, -8, 0});
  expect(0xa080, {Kind::kSp, {}, Fp::kAtFp, 0, 8, -8, 0});
  for (uint64_t nothing : {0x0, 0xfff, 0x1100, 0x1fff, 0xa100, 0x7fffffff}) {
    EXPECT_EQ(table->find(nothing).kind, Kind::kNone) << std::hex << nothing;
  }
}

TEST(UnwindTable, MarksGaps) {
  test::CfiBuilder b;
  size_t cie = b.add_cie("zR", 0x1b, kX86Initial);
  b.add_fde(cie, 0x1000, 0x3f, {});
  b.add_fde(cie, 0x1040, 0x20, {0x0e, 16});
  b.add_fde(cie, 0x1090, 0x20, {0x0e, 24});
  b.add_fde(cie, 0x51080, 0x20, {0x0e, 32});  // several pages later
  Cfi cfi = b.make();
  std::vector<uint8_t> blob = UnwindTable::compile(cfi);
  Result<UnwindTable> table = UnwindTable::open(blob);
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->find(0x103e).cfa_offset, 8);
  EXPECT_EQ(table->find(0x103f).kind, Kind::kNone) << "even one byte may be a function";
  EXPECT_EQ(table->find(0x1040).cfa_offset, 16);
  EXPECT_EQ(table->find(0x1070).kind, Kind::kNone) << "the gap may be a function";
  EXPECT_EQ(table->find(0x10a0).cfa_offset, 24);
  for (uint64_t svma = 0x10b0; svma < 0x51080; svma += 0x700) {
    EXPECT_EQ(table->find(svma).kind, Kind::kNone) << std::hex << svma;
  }
  EXPECT_EQ(table->find(0x5109f).cfa_offset, 32);
  EXPECT_EQ(table->find(0x510a0).kind, Kind::kNone);
}

TEST(UnwindTable, HandlesFunctionsAcrossPages) {
  test::CfiBuilder b;
  size_t cie = b.add_cie("zR", 0x1b, kX86Initial);
  b.add_fde(cie, 0x1000, 0x100000, {0x04, 0, 0, 8, 0, 0x0e, 16});  // another rule after 512 KiB
  Cfi cfi = b.make();
  std::vector<uint8_t> blob = UnwindTable::compile(cfi);
  Result<UnwindTable> table = UnwindTable::open(blob);
  ASSERT_TRUE(table.ok());
  for (uint64_t svma = 0x1000; svma < 0x101000; svma += 0x777) {
    EXPECT_EQ(table->find(svma).cfa_offset, svma < 0x81000 ? 8 : 16) << std::hex << svma;
  }
}

TEST(UnwindTable, KeepsManyRulesApart) {
  constexpr int kRules = 6000;  // more than the compiler begins with space for
  test::CfiBuilder b;
  size_t cie = b.add_cie("zR", 0x1b, kX86Initial);
  auto offset_of = [](int i) { return 16 + 8 * (i % kRules); };
  for (int i = 0; i < 2 * kRules; ++i) {
    int offset = offset_of(i);
    b.add_fde(cie, 0x1000 + 16 * static_cast<uint64_t>(i), 16,
              {0x0e, static_cast<uint8_t>(0x80 | (offset & 0x7f)), static_cast<uint8_t>(0x80 | (offset >> 7 & 0x7f)),
               static_cast<uint8_t>(offset >> 14)});
  }
  Cfi cfi = b.make();
  std::vector<uint8_t> blob = UnwindTable::compile(cfi);
  Result<UnwindTable> table = UnwindTable::open(blob);
  ASSERT_TRUE(table.ok());
  UnwindTableHeader header;
  std::memcpy(&header, blob.data(), sizeof header);
  EXPECT_EQ(header.rule_count, 2u + kRules) << "each is stored once";
  for (int i = 0; i < 2 * kRules; ++i) {
    ASSERT_EQ(table->find(0x1000 + 16 * static_cast<uint64_t>(i)).cfa_offset, offset_of(i)) << i;
  }
}

TEST(UnwindTable, ResolvesOverlappingEntries) {
  test::CfiBuilder b;
  size_t cie = b.add_cie("zR", 0x1b, kX86Initial);
  b.add_fde(cie, 0x1000, 0x7fffffffffff, {});  // an impossible range
  b.add_fde(cie, 0x2000, 0x100, {0x0e, 16});
  b.add_fde(cie, 0x2000, 0x100, {0x0e, 24});
  Cfi cfi = b.make();
  std::vector<uint8_t> blob = UnwindTable::compile(cfi);
  Result<UnwindTable> table = UnwindTable::open(blob);
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->find(0x1fff).cfa_offset, 8);
  EXPECT_EQ(table->find(0x2080).cfa_offset, 16);
  EXPECT_EQ(table->find(0x2200).kind, Kind::kNone);
}

TEST(UnwindTable, RejectsDamagedTables) {
  test::CfiBuilder b;
  size_t cie = b.add_cie("zR", 0x1b, kX86Initial);
  for (uint64_t i = 0; i < 20; ++i) { b.add_fde(cie, 0x1000 + i * 0x100, 0x80, {0x0e, static_cast<uint8_t>(i * 8 + 8)}); }
  Cfi cfi = b.make();
  std::vector<uint8_t> blob = UnwindTable::compile(cfi);
  ASSERT_TRUE(UnwindTable::open(blob).ok());
  for (size_t size = 0; size < blob.size(); ++size) { EXPECT_FALSE(UnwindTable::open(Bytes(blob).first(size)).ok()) << size; }
  for (size_t at = 0; at < blob.size(); ++at) {
    std::vector<uint8_t> changed = blob;
    changed[at] ^= 0x40;
    EXPECT_FALSE(UnwindTable::open(changed).ok()) << at;
  }
  blob.push_back(0);
  EXPECT_FALSE(UnwindTable::open(blob).ok());
}

// A checksum does not protect against a file crafted on purpose.
TEST(UnwindTable, RejectsInvalidNumbersWithValidChecksum) {
  test::CfiBuilder b;
  size_t cie = b.add_cie("zR", 0x1b, kX86Initial);
  b.add_fde(cie, 0x1000, 0x5000, {0x03, 0, 0x20, 0x0e, 16});
  Cfi cfi = b.make();
  std::vector<uint8_t> blob = UnwindTable::compile(cfi);
  size_t accepted = 0;
  for (size_t at = 0; at < blob.size(); ++at) {
    for (uint8_t value : {0x00, 0x01, 0x7f, 0xff}) {
      std::vector<uint8_t> changed = blob;
      changed[at] = value;
      uint64_t sum = unwind_table_checksum(changed);
      std::memcpy(changed.data() + offsetof(UnwindTableHeader, checksum), &sum, 8);
      Result<UnwindTable> table = UnwindTable::open(changed);
      if (!table.ok()) { continue; }
      ++accepted;
      for (uint64_t svma = 0; svma < 0x20000; svma += 0x3ff) { EXPECT_LE(table->find(svma).kind, Kind::kPlt); }
      table->find(UINT64_MAX);
    }
  }
  EXPECT_GT(accepted, 10u);
}

}  // namespace
}  // namespace wick::elf

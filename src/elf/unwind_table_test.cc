// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/unwind_table.h"

#include <gtest/gtest.h>

#include <cstring>

namespace wick::elf {
namespace {

std::string describe(const CompactRule& r) {
  char text[128];
  std::snprintf(text, sizeof text, "kind %d ra %d fp %d extra %d cfa %d ra %d fp %d", static_cast<int>(r.kind), static_cast<int>(r.ra),
                static_cast<int>(r.fp), r.extra, r.cfa_offset, r.ra_offset, r.fp_offset);
  return text;
}

// Every row of every function: the table and the entries agree at its first and last address.
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
    FrameRow row;
    for (uint64_t at = entry.begin; cfi.find_row(at, row) && row.begin == at && wrong < 5; at = row.end) {
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
    }
  }
  EXPECT_GE(rows, table->row_count() / 2);
  EXPECT_LT(asked, rows / 100 + 10) << "rows too odd for the table should be rare";
}

TEST(UnwindTable, AgreesWithEntriesOfItself) { check_file("/proc/self/exe", 100); }

#if defined(__x86_64__)
#define WICK_LIBDIR "/usr/lib/x86_64-linux-gnu/"
#else
#define WICK_LIBDIR "/usr/lib/aarch64-linux-gnu/"
#endif
TEST(UnwindTable, AgreesWithEntriesOfLibc) { check_file(WICK_LIBDIR "libc.so.6", 5000); }
TEST(UnwindTable, AgreesWithEntriesOfTheLoader) { check_file(host_arch() == Arch::kX86_64 ? "/lib64/ld-linux-x86-64.so.2" : "/lib/ld-linux-aarch64.so.1", 500); }
TEST(UnwindTable, AgreesWithEntriesOfLibstdcxx) { check_file(WICK_LIBDIR "libstdc++.so.6", 5000); }
TEST(UnwindTable, AgreesWithEntriesOfTheOtherCpu) {
  check_file(host_arch() == Arch::kX86_64 ? "/usr/aarch64-linux-gnu/lib/libc.so.6" : "/usr/x86_64-linux-gnu/lib/libc.so.6", 1000);
}

}  // namespace
}  // namespace wick::elf

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/go_pclntab.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "elf/go_table_builder.h"

namespace wick::elf {
namespace {

using Version = GoTable::Version;

// "function file:line" of each frame, innermost first.
std::vector<std::string> chain_at(const GoTable& table, uint64_t svma) {
  std::vector<NamedFrame> chain;
  table.find(svma, chain);
  std::vector<std::string> out;
  for (const NamedFrame& f : chain) {
    out.push_back(strf("%s %s:%u", std::string(f.function).c_str(), std::string(f.file).c_str(), f.line));
  }
  return out;
}

using Chain = std::vector<std::string>;

void check(const GoProgram& program, bool inlines) {
  std::vector<uint8_t> bytes = program.build();
  Result<Image> image = Image::parse(bytes);
  ASSERT_TRUE(image.ok());
  std::optional<GoTable> table = GoTable::find(*image);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->version(), program.version);
  EXPECT_EQ(table->size(), 2u);
  constexpr uint64_t kText = GoProgram::kText;
  EXPECT_EQ(chain_at(*table, kText), Chain{"main.main main.go:5"});
  EXPECT_EQ(chain_at(*table, kText + 0xff), Chain{"main.main main.go:5"});
  EXPECT_EQ(chain_at(*table, kText + 0x107), Chain{"main.work main.go:10"});
  EXPECT_EQ(chain_at(*table, kText + 0x10f), Chain{"main.work main.go:11"});
  Chain inlined = {"main.step step.go:20", "main.work main.go:11"}, flat = {"main.work step.go:20"};
  EXPECT_EQ(chain_at(*table, kText + 0x110), inlines ? inlined : flat);
  EXPECT_EQ(chain_at(*table, kText + 0x13f), inlines ? inlined : flat);
  EXPECT_EQ(chain_at(*table, kText + 0x140), Chain{"main.work main.go:12"});
  EXPECT_EQ(chain_at(*table, kText + 0x17f), Chain{"main.work main.go:12"});
  EXPECT_EQ(chain_at(*table, kText + 0x180), Chain{});
  EXPECT_EQ(chain_at(*table, kText - 1), Chain{});
  EXPECT_EQ(chain_at(*table, UINT64_MAX), Chain{});
}

TEST(GoTable, ReadsAllVersions) {
  for (Version version : {Version::kGo12, Version::kGo116, Version::kGo118, Version::kGo120}) {
    SCOPED_TRACE(static_cast<int>(version));
    check({.version = version}, version == Version::kGo120);
  }
}

TEST(GoTable, ReadsOtherCpu) { check({.machine = EM_AARCH64}, true); }

TEST(GoTable, FindsTableWithoutSection) {
  for (Version version : {Version::kGo12, Version::kGo116, Version::kGo118, Version::kGo120}) {
    check({.version = version, .named_section = false}, version == Version::kGo120);
  }
}

TEST(GoTable, ReadsTextAddressFromModuleData) { check({.text_in_header = false}, true); }

TEST(GoTable, OmitsInlinedFunctionsWithoutModuleData) { check({.module_data = false}, false); }

TEST(GoTable, ReadsPointersFromRelocations) {
  for (uint16_t machine : {EM_X86_64, EM_AARCH64}) {
    for (Version version : {Version::kGo12, Version::kGo116, Version::kGo118, Version::kGo120}) {
      check({.version = version, .relocated = true, .machine = machine}, version == Version::kGo120);
    }
  }
  check({.text_in_header = false, .relocated = true}, true);
}

TEST(GoTable, IgnoresInvalidInlineTrees) { check({.wrong_trees = true}, false); }

TEST(GoTable, RejectsTableWithoutTextAddress) {
  std::vector<uint8_t> bytes = GoProgram{.text_in_header = false, .module_data = false}.build();
  Result<Image> image = Image::parse(bytes);
  ASSERT_TRUE(image.ok());
  EXPECT_FALSE(GoTable::find(*image));
}

TEST(GoTable, FindsNoTableInOtherPrograms) {
  ElfBuilder elf;
  elf.add_load(elf.add_text(0x1000, 0x100));
  std::vector<uint8_t> bytes = elf.build();
  Result<Image> image = Image::parse(bytes);
  ASSERT_TRUE(image.ok());
  EXPECT_FALSE(GoTable::find(*image));
}

}  // namespace
}  // namespace wick::elf

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/plt_row.h"

#include <gtest/gtest.h>

#include <map>

#include "base/mapped_file.h"
#include "elf/elf_builder.h"
#include "elf/unwind_table.h"

namespace wick::elf {
namespace {

constexpr uint64_t kAt = 0x1000;

// Offsets with a known row, and the distance of the CFA from the stack pointer there.
std::map<uint64_t, int64_t> distances(const std::string& section, std::vector<uint8_t> code, uint16_t machine = EM_X86_64) {
  ElfBuilder builder;
  builder.machine = machine;
  size_t size = code.size();
  builder.add({section, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, kAt, std::move(code), 0, 0, 0, 0});
  std::vector<uint8_t> bytes = builder.build();
  Result<Image> image = Image::parse(bytes);
  EXPECT_TRUE(image.ok());
  std::map<uint64_t, int64_t> out;
  FrameRow row;
  for (uint64_t i = 0; i < size; ++i) {
    if (find_plt_row(*image, kAt + i, row)) { out[i] = row.cfa.offset; }
  }
  EXPECT_FALSE(find_plt_row(*image, kAt + size, row));
  EXPECT_FALSE(find_plt_row(*image, kAt - 1, row));
  return out;
}

TEST(PltRow, Lld) {
  auto got = distances(".plt", {0xff, 0x35, 1, 2, 3, 4, 0xff, 0x25, 1, 2, 3, 4,    0x0f, 0x1f, 0x40, 0,    // head
                                0xff, 0x25, 1, 2, 3, 4, 0x68, 0,    0, 0, 0, 0xe9, 1,    2,    3,    4});  // stub
  EXPECT_EQ(got, (std::map<uint64_t, int64_t>{{0, 16}, {6, 24}, {16, 8}, {22, 8}, {27, 16}}));
}

TEST(PltRow, LldWithLandingPads) {
  auto got = distances(".plt", {0xff, 0x35, 1,    2,    3,    4, 0xff, 0x25, 1, 2,    3, 4, 0x0f, 0x1f, 0x40, 0,  //
                                0xf3, 0x0f, 0x1e, 0xfa, 0x68, 0, 0,    0,    0, 0xe9, 1, 2, 3,    4,    0x66, 0x90});
  EXPECT_EQ(got, (std::map<uint64_t, int64_t>{{0, 16}, {6, 24}, {16, 8}, {20, 8}, {25, 16}}));
  got = distances(".plt.sec", {0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 1, 2, 3, 4, 0x0f, 0x1f, 0x44, 0, 0});
  EXPECT_EQ(got, (std::map<uint64_t, int64_t>{{0, 8}, {4, 8}}));
}

TEST(PltRow, Mold) {
  std::vector<uint8_t> code = {0xf3, 0x0f, 0x1e, 0xfa, 0x41, 0x53, 0xff, 0x35, 1, 2, 3, 4, 0xff, 0x25, 1, 2, 3, 4};
  code.resize(32, 0xcc);
  for (uint8_t byte : {0xf3, 0x0f, 0x1e, 0xfa, 0x41, 0xbb, 0, 0, 0, 0, 0xff, 0x25, 1, 2, 3, 4}) { code.push_back(byte); }
  EXPECT_EQ(distances(".plt", code), (std::map<uint64_t, int64_t>{{0, 8}, {4, 8}, {6, 16}, {12, 24}, {32, 8}, {36, 8}, {42, 8}}));
}

TEST(PltRow, ShortStubs) {
  auto got = distances(".plt.got", {0xff, 0x25, 1, 2, 3, 4, 0x66, 0x90, 0xff, 0x25, 1, 2, 3, 4, 0x66, 0x90});
  EXPECT_EQ(got, (std::map<uint64_t, int64_t>{{0, 8}, {8, 8}}));
}

TEST(PltRow, Aarch64) {
  ByteWriter code;
  for (uint32_t instruction :
       {0xd503245fu, 0xa9bf7bf0u, 0x90000010u, 0xf9400211u, 0x91000210u, 0xd61f0220u, 0xd503201fu, 0xd503201fu}) {
    code.u32(instruction);
  }
  for (uint32_t instruction : {0x90000010u, 0xf9400211u, 0x91000210u, 0xd61f0220u}) { code.u32(instruction); }
  std::vector<uint8_t> bytes(code.data().begin(), code.data().end());
  auto got = distances(".plt", bytes, EM_AARCH64);
  EXPECT_EQ(got[0], 0);
  EXPECT_EQ(got[4], 0);
  EXPECT_EQ(got[8], 16);
  EXPECT_EQ(got[20], 16);
  EXPECT_EQ(got[32], 0);
  EXPECT_EQ(got[44], 0);
}

TEST(PltRow, IgnoresOtherSectionsAndCode) {
  EXPECT_TRUE(distances(".text", {0xff, 0x25, 1, 2, 3, 4}).empty());
  EXPECT_TRUE(distances(".plt", {0x55, 0x48, 0x89, 0xe5, 0xc3}).empty());
  EXPECT_TRUE(distances(".plt.sec", {0xff}).empty());
}

// GNU linkers write entries for the PLT: they must agree with the decoded instructions.
TEST(PltRow, AgreesWithEntries) {
  size_t compared = 0;
  for (const char* path : {"/usr/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/x86_64-linux-gnu/libstdc++.so.6", "/usr/bin/bash",
                           "/usr/bin/python3", "/usr/lib/aarch64-linux-gnu/libc.so.6", "/usr/bin/readelf"}) {
    Result<MappedFile> file = MappedFile::open(path);
    if (!file.ok()) { continue; }
    Result<Image> image = Image::parse(file->bytes());
    ASSERT_TRUE(image.ok());
    Cfi cfi(*image);
    for (const Section& section : image->sections()) {
      if (!section.name.starts_with(".plt")) { continue; }
      FrameRow ours, theirs;
      for (uint64_t at = section.vaddr; at < section.vaddr + section.size; ++at) {
        if (!find_plt_row(*image, at, ours) || !cfi.find_row(at, theirs)) { continue; }
        CompactRule rule = compact_rule(image->arch(), theirs);
        int64_t expected = rule.cfa_offset;
        if (rule.kind == CompactRule::Kind::kPlt) { expected += (at & 15) >= rule.extra ? 8 : 0; }
        ASSERT_EQ(ours.cfa.offset, expected) << path << " " << section.name << " at " << std::hex << at;
        ++compared;
      }
    }
  }
  if (compared == 0) { GTEST_SKIP() << "no file with such entries on this machine"; }
  EXPECT_GT(compared, 100u);
}

}  // namespace
}  // namespace wick::elf

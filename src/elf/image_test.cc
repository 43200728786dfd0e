// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/image.h"

#include <gtest/gtest.h>

#include <random>

#include "base/clock.h"
#include "elf/decompress.h"
#include "elf/elf_builder.h"
#include "elf/symbols.h"

namespace wick::elf {
namespace {

ElfBuilder small_program() {
  ElfBuilder builder;
  uint32_t text = builder.add_text(0x401000, 0x200);
  builder.add_build_id({0xde, 0xad, 0xbe, 0xef});
  builder.add_symbols({{"main", 0x401000, 0x10}, {"work", 0x401010, 0x20}});
  builder.add_load(text);
  return builder;
}

// Calls everything that reads an image.
void use(const Image& image) {
  SymbolTable table(image);
  for (size_t i = 0; i < table.size(); i += 1 + table.size() / 100) { ASSERT_LE(table.at(i).start, table.at(i).end); }
  for (uint64_t a : {uint64_t{0}, uint64_t{0x401000}, image.entry(), UINT64_MAX}) {
    table.find(a);
    image.bytes_at_svma(a);
    image.svma_of_file_offset(a);
  }
  size_t sections = 0;
  for (const Section& s : image.sections()) {
    if (++sections > 100) { break; }
    image.section_bytes(s);
    auto contents = section_contents(image, s, 1 << 20);
    if (contents.ok()) { ASSERT_LE(contents->bytes.size(), image.bytes().size() + (1 << 20)); }
  }
}

void try_bytes(const std::vector<uint8_t>& bytes, size_t size) {
  std::unique_ptr<uint8_t[]> exact(new uint8_t[size]);  // exact size, so that sanitizers catch an overread
  std::copy_n(bytes.begin(), size, exact.get());
  Result<Image> image = Image::parse({exact.get(), size});
  if (image.ok()) { use(*image); }
}

TEST(Image, ReadsValidFile) {
  std::vector<uint8_t> bytes = small_program().build();
  Result<Image> image = Image::parse(bytes);
  ASSERT_TRUE(image.ok());
  EXPECT_EQ(image->arch(), Arch::kX86_64);
  EXPECT_EQ(image->build_id(), "deadbeef");
  ASSERT_NE(image->find_section(".text"), nullptr);
  EXPECT_EQ(image->find_section(".nothing"), nullptr);
  EXPECT_EQ(image->section_bytes(*image->find_section(".text")).size(), 0x200u);
  uint64_t offset = image->segments().at(0).offset;
  EXPECT_EQ(image->svma_of_file_offset(offset + 5), 0x401005u);
  EXPECT_EQ(image->svma_of_file_offset(offset + 0x200), std::nullopt);
  EXPECT_EQ(image->bytes_at_svma(0x4011ff).size(), 1u);
  EXPECT_TRUE(image->bytes_at_svma(0x401200).empty());
}

TEST(Image, RejectsOtherFiles) {
  EXPECT_FALSE(Image::parse({}).ok());
  std::string text = "#!/bin/sh\necho hello, and a little more text\n";
  EXPECT_EQ(Image::parse(as_bytes(text)).error().message(), "not an ELF file");
  std::vector<uint8_t> bytes = small_program().build();
  bytes[EI_CLASS] = ELFCLASS32;
  EXPECT_FALSE(Image::parse(bytes).ok());
}

TEST(Image, HandlesTruncationAtEveryByte) {
  std::vector<uint8_t> bytes = small_program().build();
  for (size_t size = 0; size <= bytes.size(); ++size) { try_bytes(bytes, size); }
}

TEST(Image, HandlesExtremeHeaderFields) {
  std::vector<uint8_t> good = small_program().build();
  Elf64_Ehdr header;
  std::memcpy(&header, good.data(), sizeof header);
  // Every 2, 4 and 8 bytes of the file header, program headers and section headers.
  std::vector<size_t> places;
  for (size_t at = EI_NIDENT; at + 8 <= sizeof header + sizeof(Elf64_Phdr); at += 2) { places.push_back(at); }
  for (size_t at = header.e_shoff; at + 8 <= good.size(); at += 4) { places.push_back(at); }
  for (size_t at : places) {
    for (uint64_t value : {uint64_t{0}, uint64_t{1}, uint64_t{0x7fffffff}, uint64_t{0xffffffff}, uint64_t{1} << 63, UINT64_MAX,
                           UINT64_MAX - 15, uint64_t{good.size()}}) {
      for (size_t width : {2, 4, 8}) {
        std::vector<uint8_t> bad = good;
        std::memcpy(bad.data() + at, &value, width);
        try_bytes(bad, bad.size());
      }
    }
  }
}

TEST(Image, HandlesHugeCountsQuickly) {
  // Only section headers: each has the same endless name and is a symbol table over the complete file.
  std::vector<uint8_t> bytes(8 << 20, 'a');
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_machine = EM_X86_64;
  header.e_type = ET_DYN;
  header.e_phoff = header.e_shoff = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 0xffff;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 0;  // the first section holds the count instead
  header.e_shstrndx = 1;
  std::memcpy(bytes.data(), &header, sizeof header);
  for (size_t i = 0; sizeof header + (i + 1) * sizeof(Elf64_Shdr) <= bytes.size(); ++i) {
    uint32_t type = i % 4 == 0 ? SHT_RELA : i % 2 == 0 ? SHT_DYNSYM : SHT_SYMTAB;
    Elf64_Shdr section{0, type, SHF_ALLOC | SHF_EXECINSTR, 0, 0, i == 0 ? UINT64_MAX : bytes.size(), 2, 1, 1, 24};
    std::memcpy(bytes.data() + sizeof header + i * sizeof section, &section, sizeof section);
  }
  uint64_t start = now_ns();
  try_bytes(bytes, bytes.size());
  EXPECT_LT(now_ns() - start, 30'000'000'000u);
}

TEST(Image, HandlesRandomDamage) {
  std::vector<uint8_t> good = small_program().build();
  std::mt19937 random(11);
  for (int round = 0; round < 3000; ++round) {
    std::vector<uint8_t> bad = good;
    for (unsigned i = 0; i < 1 + random() % 8; ++i) { bad[random() % bad.size()] = static_cast<uint8_t>(random()); }
    try_bytes(bad, bad.size());
  }
}

}  // namespace
}  // namespace wick::elf

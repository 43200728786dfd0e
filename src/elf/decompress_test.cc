// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/decompress.h"

#include <gtest/gtest.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <random>

#include "elf/elf_builder.h"

namespace wick::elf {
namespace {

std::vector<uint8_t> sample_text(size_t size) {
  std::vector<uint8_t> out(size);
  for (size_t i = 0; i < size; ++i) {
    out[i] = static_cast<uint8_t>("wick shows where the time goes. "[i % 32] + (i / 5000) % 3);
  }
  return out;
}

std::vector<uint8_t> with_header(uint32_t type, uint64_t size, const std::vector<uint8_t>& packed) {
  ByteWriter out;
  out.u32(type);
  out.u32(0);
  out.u64(size);
  out.u64(1);
  out.bytes(packed);
  return out.take();
}

std::vector<uint8_t> zlib_of(const std::vector<uint8_t>& plain) {
  uLongf size = compressBound(plain.size());
  std::vector<uint8_t> out(size);
  EXPECT_EQ(compress(out.data(), &size, plain.data(), plain.size()), Z_OK);
  out.resize(size);
  return out;
}

std::vector<uint8_t> zstd_of(const std::vector<uint8_t>& plain) {
  std::vector<uint8_t> out(ZSTD_compressBound(plain.size()));
  out.resize(ZSTD_compress(out.data(), out.size(), plain.data(), plain.size(), 1));
  return out;
}

struct Opened {
  std::vector<uint8_t> bytes;
  Image image;
  const Section& section() const { return image.sections().at(1); }
};

Opened open(std::string name, std::vector<uint8_t> contents, uint64_t flags) {
  ElfBuilder builder;
  builder.add({std::move(name), SHT_PROGBITS, flags, 0, std::move(contents), 0, 0, 0, 0});
  std::vector<uint8_t> bytes = builder.build();
  Result<Image> image = Image::parse(bytes);
  EXPECT_TRUE(image.ok());
  return {std::move(bytes), *std::move(image)};
}

std::vector<uint8_t> contents_of(const Opened& o, uint64_t limit = kMaxSectionBytes) {
  Result<SectionContents> contents = section_contents(o.image, o.section(), limit);
  if (!contents.ok()) { return {}; }
  SectionContents moved = *std::move(contents);  // the bytes must survive a move
  return {moved.bytes.begin(), moved.bytes.end()};
}

TEST(Decompress, ReadsEveryKindOfSection) {
  std::vector<uint8_t> plain = sample_text(3'000'000);
  Opened stored = open(".debug_info", plain, 0);
  EXPECT_EQ(compression_of(stored.image, stored.section()), Compression::kNone);
  EXPECT_EQ(contents_of(stored), plain);
  Opened z = open(".debug_info", with_header(ELFCOMPRESS_ZLIB, plain.size(), zlib_of(plain)), SHF_COMPRESSED);
  EXPECT_EQ(compression_of(z.image, z.section()), Compression::kZlib);
  EXPECT_EQ(contents_of(z), plain);
  Opened zs = open(".debug_info", with_header(2, plain.size(), zstd_of(plain)), SHF_COMPRESSED);
  EXPECT_EQ(compression_of(zs.image, zs.section()), Compression::kZstd);
  EXPECT_EQ(contents_of(zs), plain);
  std::vector<uint8_t> old = {'Z', 'L', 'I', 'B'}, packed = zlib_of(plain);
  for (int shift = 56; shift >= 0; shift -= 8) { old.push_back(static_cast<uint8_t>(plain.size() >> shift)); }
  old.insert(old.end(), packed.begin(), packed.end());
  EXPECT_EQ(contents_of(open(".zdebug_info", old, 0)), plain);
}

TEST(Decompress, StopsAtRequestedLimit) {
  std::vector<uint8_t> plain = sample_text(3'000'000);
  for (const std::vector<uint8_t>& packed :
       {with_header(ELFCOMPRESS_ZLIB, plain.size(), zlib_of(plain)), with_header(2, plain.size(), zstd_of(plain))}) {
    Opened o = open(".debug_info", packed, SHF_COMPRESSED);
    Result<SectionContents> contents = section_contents(o.image, o.section(), 1000);
    ASSERT_TRUE(contents.ok());
    EXPECT_TRUE(contents->cut);
    EXPECT_TRUE(std::equal(contents->bytes.begin(), contents->bytes.end(), plain.begin(), plain.begin() + 1000));
  }
}

TEST(Decompress, RejectsDamagedData) {
  std::vector<uint8_t> plain = sample_text(100'000);
  for (uint32_t type : {1u, 2u}) {
    std::vector<uint8_t> good = type == 1 ? zlib_of(plain) : zstd_of(plain);
    std::vector<uint8_t> half(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(good.size() / 2));
    for (const std::vector<uint8_t>& bytes :
         {with_header(type, plain.size(), half), with_header(type, plain.size() + 1, good), with_header(type, UINT64_MAX, good),
          with_header(9, plain.size(), good), std::vector<uint8_t>{1, 2, 3}}) {
      Opened o = open(".debug_info", bytes, SHF_COMPRESSED);
      EXPECT_FALSE(section_contents(o.image, o.section(), 1 << 20).ok());
    }
    std::mt19937 random(1);
    for (int i = 0; i < 300; ++i) {
      std::vector<uint8_t> bad = with_header(type, plain.size(), good);
      bad[random() % bad.size()] = static_cast<uint8_t>(random());
      contents_of(open(".debug_info", bad, SHF_COMPRESSED), 1 << 20);
    }
  }
}

TEST(Decompress, ReadsXz) {
  std::vector<uint8_t> plain = sample_text(3'000'000), packed(100'000);
  size_t used = 0;
  ASSERT_EQ(
      lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, nullptr, plain.data(), plain.size(), packed.data(), &used, packed.size()),
      LZMA_OK);
  packed.resize(used);
  Result<std::vector<uint8_t>> out = decompress_xz(packed, 10'000'000);
  ASSERT_TRUE(out.ok());
  EXPECT_EQ(*out, plain);
  EXPECT_FALSE(decompress_xz(packed, 1000).ok()) << "exceeds the limit";
  EXPECT_FALSE(decompress_xz({packed.data(), packed.size() / 2}, 10'000'000).ok());
  EXPECT_FALSE(decompress_xz({}, 10'000'000).ok());
  EXPECT_FALSE(decompress_xz(plain, 10'000'000).ok());
}

TEST(Decompress, ComputesDebuglinkChecksum) {
  // The CRC's standard check value for the digits 1 to 9.
  EXPECT_EQ(debuglink_crc(as_bytes("123456789")), 0xcbf43926u);
  EXPECT_EQ(debuglink_crc({}), 0u);
}

}  // namespace
}  // namespace wick::elf

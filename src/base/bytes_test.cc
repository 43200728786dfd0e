// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// ByteReader and ByteWriter.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"

namespace wick {
namespace {

using Buffer = std::vector<uint8_t>;

TEST(Bytes, RoundTrips) {
  ByteWriter writer;
  writer.u8(0x12);
  writer.u16(0x3456);
  writer.u32(0x789abcde);
  writer.u64(0x1122334455667788);
  writer.uleb(300);
  writer.text("text");
  Buffer raw = {9, 8, 7};
  writer.bytes(raw);
  EXPECT_EQ(writer.data()[1], 0x56);  // little-endian
  size_t size = writer.size();
  Buffer file = writer.take();
  ASSERT_EQ(file.size(), size);
  ByteReader reader(file);
  EXPECT_EQ(reader.u8(), 0x12);
  EXPECT_EQ(reader.u16(), 0x3456);
  EXPECT_EQ(reader.u32(), 0x789abcdeu);
  EXPECT_EQ(reader.u64(), 0x1122334455667788u);
  EXPECT_EQ(reader.uleb(), 300u);
  EXPECT_EQ(reader.text(), "text");
  EXPECT_EQ(reader.bytes(3)[2], 7);
  EXPECT_TRUE(reader.ok());
  EXPECT_TRUE(reader.at_end());
}

TEST(Bytes, SignedValuesKeepTheirSign) {
  Buffer file = {0xff, 0xfe, 0xff, 0xfd, 0xff, 0xff, 0xff, 0xfc, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  ByteReader reader(file);
  EXPECT_EQ(reader.i8(), -1);
  EXPECT_EQ(reader.i16(), -2);
  EXPECT_EQ(reader.i32(), -3);
  EXPECT_EQ(reader.i64(), -4);
}

TEST(Bytes, RoundTripsVariableLengthNumbers) {
  std::mt19937_64 random(1);
  std::vector<uint64_t> values = {0, 1, 127, 128, 16383, 16384, UINT32_MAX, UINT64_MAX, uint64_t{1} << 63};
  for (int i = 0; i < 1000; ++i) { values.push_back(random() >> (random() % 64)); }
  for (uint64_t value : values) {
    ByteWriter writer;
    writer.uleb(value);
    ByteReader reader(writer.data());
    EXPECT_EQ(reader.uleb(), value);
    EXPECT_TRUE(reader.ok() && reader.at_end());
  }
}

TEST(Bytes, ReadsSignedLeb) {
  auto sleb = [](Buffer bytes) {
    ByteReader reader(bytes);
    int64_t v = reader.sleb();
    EXPECT_TRUE(reader.ok());
    return v;
  };
  EXPECT_EQ(sleb({0x02}), 2);
  EXPECT_EQ(sleb({0x7e}), -2);
  EXPECT_EQ(sleb({0xff, 0x00}), 127);
  EXPECT_EQ(sleb({0x81, 0x7f}), -127);
  EXPECT_EQ(sleb({0x80, 0x01}), 128);
  EXPECT_EQ(sleb({0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f}), INT64_MIN);
  EXPECT_EQ(sleb({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00}), INT64_MAX);
}

TEST(Bytes, RejectsEndlessNumber) {
  Buffer endless(11, 0x80);
  ByteReader a(endless), b(endless);
  EXPECT_EQ(a.uleb(), 0u);
  EXPECT_FALSE(a.ok());
  EXPECT_EQ(b.sleb(), 0);
  EXPECT_FALSE(b.ok());
  Buffer cut = {0x80, 0x80};
  ByteReader c(cut);
  c.uleb();
  EXPECT_FALSE(c.ok());
}

TEST(Bytes, ReadPastEndReturnsZeroAndFailsPermanently) {
  Buffer file = {1, 2, 3};
  ByteReader reader(file);
  EXPECT_EQ(reader.u32(), 0u);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.u8(), 0);  // even a read that would have fit
  EXPECT_EQ(reader.left(), 0u);
  EXPECT_TRUE(reader.at_end());
  EXPECT_FALSE(reader.ok());
}

TEST(Bytes, ChecksSeekSkipAndSpans) {
  Buffer file = {1, 2, 3, 4};
  ByteReader reader(file, 1);
  EXPECT_EQ(reader.u8(), 2);
  reader.skip(1);
  EXPECT_EQ(reader.u8(), 4);
  reader.seek(0);
  EXPECT_EQ(reader.u8(), 1);
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(reader.bytes(0).size(), 0u);
  EXPECT_EQ(reader.bytes(3).size(), 3u);
  EXPECT_TRUE(reader.ok());
  EXPECT_TRUE(ByteReader(file, 4).ok());
  EXPECT_FALSE(ByteReader(file, 5).ok());
  for (uint64_t far : {uint64_t{5}, uint64_t{1} << 32, UINT64_MAX}) {
    ByteReader a(file), b(file), c(file);
    a.seek(far);
    b.skip(far);
    EXPECT_TRUE(c.bytes(far).empty());
    EXPECT_FALSE(a.ok() || b.ok() || c.ok());
  }
  ByteReader nothing(std::span<const uint8_t>{});
  EXPECT_TRUE(nothing.ok() && nothing.at_end());
  EXPECT_EQ(nothing.cstring(), "");
  EXPECT_FALSE(nothing.ok());
}

TEST(Bytes, ReadsTexts) {
  Buffer file = {'a', 'b', 0, 0, 2, 'c', 'd', 'e'};
  ByteReader reader(file);
  EXPECT_EQ(reader.cstring(), "ab");
  EXPECT_EQ(reader.cstring(), "");
  EXPECT_EQ(reader.text(), "cd");
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(reader.cstring(), "");  // no terminator
  EXPECT_FALSE(reader.ok());
  Buffer lies = {200, 1, 'x'};
  ByteReader liar(lies);
  EXPECT_EQ(liar.text(), "");
  EXPECT_FALSE(liar.ok());
}

}  // namespace
}  // namespace wick

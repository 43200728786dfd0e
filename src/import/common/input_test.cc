// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/common/input.h"

#include <gtest/gtest.h>

#include <string>

#include "import/common/testing.h"

namespace wick {
namespace {

using testing_import::gzip, testing_import::zstd;

// Owns the text, like the writer of a pipe.
class TextPieces : public Pieces {
 public:
  TextPieces(std::string text, size_t size) : text_(std::move(text)), pieces_(as_bytes(text_), size) {}
  Result<Bytes> next() override { return pieces_.next(); }

 private:
  std::string text_;
  testing_import::PiecesOf pieces_;
};

Input input_of(const std::string& text, size_t piece) { return Input(std::make_unique<TextPieces>(text, piece)); }

std::string long_text() {
  std::string text;
  for (uint64_t i = 0; i < 300'000; ++i) { text += "line " + std::to_string(i * 7919) + "\n"; }
  return text;
}

Result<std::string> all_of(Input input) {
  WICK_LET(Input unpacked, unpack(std::move(input)));
  WICK_LET(WholeInput whole, read_whole(unpacked));
  return std::string(whole.bytes.begin(), whole.bytes.end());
}

// Not EXPECT_EQ, which would compare megabytes line by line.
void expect_same(const Result<std::string>& got, const std::string& want) {
  ASSERT_TRUE(got.ok()) << got.error().message();
  EXPECT_TRUE(*got == want) << got->size() << " bytes, not " << want.size();
}

TEST(Input, PeekConsumesNothing) {
  Input input = input_of("abcdefgh", 3);
  Bytes head = *input.peek(5);
  EXPECT_EQ(std::string(head.begin(), head.end()), "abcde");
  WholeInput whole = *read_whole(input);
  EXPECT_EQ(std::string(whole.bytes.begin(), whole.bytes.end()), "abcdefgh");
  Input empty = input_of("", 3);
  EXPECT_TRUE(empty.peek(5)->empty());
}

// The memory may outlive the input.
TEST(Input, MemoryIsNotCopied) {
  std::string text = "short";
  Input input(make_memory_pieces(as_bytes(text)));
  EXPECT_EQ(input.peek(100)->data(), as_bytes(text).data());
  Result<WholeInput> whole = read_whole(input);
  ASSERT_TRUE(whole.ok());
  EXPECT_EQ(whole->bytes.data(), as_bytes(text).data());
  EXPECT_EQ(whole->bytes.size(), text.size());
}

TEST(Input, Decompresses) {
  std::string text = long_text();
  for (size_t piece : {size_t{1000}, size_t{1} << 22}) {
    expect_same(all_of(input_of(text, piece)), text);
    expect_same(all_of(input_of(gzip(text), piece)), text);
    expect_same(all_of(input_of(zstd(text), piece)), text);
    expect_same(all_of(input_of(zstd(gzip(text)), piece)), text);
    expect_same(all_of(input_of(gzip(text) + gzip("more") + std::string(512, '\0'), piece)), text + "more");
    expect_same(all_of(input_of(zstd(text) + zstd("more"), piece)), text + "more");
  }
  expect_same(all_of(input_of(gzip(""), 7)), "");
}

TEST(Input, ReturnsTheIntactPartOfDamagedFiles) {
  std::string text = long_text();
  auto unpack_all = [](const std::string& packed, std::string& problem) {
    Input input = *unpack(input_of(packed, 4096));
    WholeInput whole = *read_whole(input);
    problem = input.problem();
    return std::string(whole.bytes.begin(), whole.bytes.end());
  };
  std::string problem;
  for (const std::string& packed : {gzip(text), zstd(text), zstd(gzip(text)), gzip(zstd(text))}) {
    EXPECT_TRUE(unpack_all(packed, problem) == text);
    EXPECT_EQ(problem, "");
    for (size_t size : {size_t{20}, packed.size() / 2, packed.size() - 1}) {
      EXPECT_TRUE(text.starts_with(unpack_all(packed.substr(0, size), problem)));
      EXPECT_NE(problem.find(" file is truncated at byte " + std::to_string(size)), std::string::npos) << problem;
    }
  }
  std::string packed = gzip(text), flipped = packed;
  EXPECT_GT(unpack_all(packed.substr(0, packed.size() / 2), problem).size(), 100'000u);
  for (size_t i = 100; i < 200; ++i) { flipped[i] = static_cast<char>(flipped[i] ^ 0x5a); }
  unpack_all(flipped, problem);
  EXPECT_NE(problem.find("the gzip file is damaged at byte "), std::string::npos) << problem;
  EXPECT_EQ(unpack_all(gzip("one") + "and more", problem), "one");
  EXPECT_EQ(problem,
            "the gzip file is damaged at byte " + std::to_string(gzip("one").size() + 2) + ", after 3 B of decompressed data");
}

TEST(Input, ByteOrderMarksAndUtf16) {
  std::string little(
      "\xff\xfe"
      "a\0\xac\x20\x3d\xd8\x00\xde"
      "\n\0",
      12);
  std::string big(
      "\xfe\xff"
      "\0a\x20\xac\xd8\x3d\xde\x00"
      "\0\n",
      12);
  std::string utf8 = "a\xe2\x82\xac\xf0\x9f\x98\x80\n";
  for (size_t piece : {1, 3, 100}) {
    expect_same(all_of(input_of(little, piece)), utf8);
    expect_same(all_of(input_of(big, piece)), utf8);
    expect_same(all_of(input_of(gzip(big), piece)), utf8);
    expect_same(all_of(input_of("\xef\xbb\xbf" + utf8, piece)), utf8);
    // Half a character.
    expect_same(all_of(input_of(little + "x", piece)), utf8 + "\xef\xbf\xbd");
    expect_same(all_of(input_of(little + std::string("\x3d\xd8"
                                                     "b\0\x00\xde",
                                                     6),
                                piece)),
                utf8 +
                    "\xef\xbf\xbd"
                    "b\xef\xbf\xbd");
  }
  expect_same(all_of(input_of("\xff\xfe", 7)), "");
}

TEST(Input, RejectsDecompressionBombs) {
  std::string zeros(size_t{64} << 20, '\0'), member = zstd(zeros), bomb;
  for (int i = 0; i < 40; ++i) { bomb += member; }
  std::string noise(size_t{1} << 20, '\0');  // counts only once it is read
  for (size_t i = 0; i < noise.size(); ++i) { noise[i] = static_cast<char>(i * i >> 7); }
  bomb += zstd(noise);
  Input input = *unpack(input_of(bomb, 1 << 20));
  uint64_t bytes = 0;
  Result<Bytes> piece = input.next();
  for (; piece.ok() && !piece->empty(); piece = input.next()) { bytes += piece->size(); }
  ASSERT_FALSE(piece.ok());
  EXPECT_NE(piece.error().message().find("400 times their size"), std::string::npos);
  EXPECT_LT(bytes, uint64_t{70} << 20);
}

TEST(Input, TooMuchForOnePiece) {
  Input input = input_of(std::string(5000, 'x'), 1000);
  EXPECT_FALSE(read_whole(input, 4000).ok());
}

TEST(LineReader, LinesSplitBetweenPieces) {
  for (size_t piece : {1, 2, 3, 5, 100}) {
    Input input = input_of("one\r\ntwo\n\nlast", piece);
    LineReader lines(input);
    std::string all;
    std::string_view line;
    while (*lines.next(line)) { all += std::to_string(lines.number()) + ":" + std::string(line) + "|"; }
    EXPECT_EQ(all, "1:one|2:two|3:|4:last|") << piece;
  }
}

TEST(LineReader, TruncatesEndlessLines) {
  Input input = input_of(std::string(3000, 'x') + "\nnext\n", 700);
  LineReader lines(input, 1000);
  std::string_view line;
  ASSERT_TRUE(*lines.next(line));
  EXPECT_EQ(line.size(), 1000u);
  ASSERT_TRUE(*lines.next(line));
  EXPECT_EQ(line, "next");
  EXPECT_EQ(lines.number(), 2u);
  EXPECT_EQ(lines.cut(), 1u);
}

}  // namespace
}  // namespace wick

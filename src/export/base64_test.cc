// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/base64.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace wick {
namespace {

std::string encoded(const std::vector<std::string>& pieces) {
  std::string out;
  write_base64(
      [&](std::string_view piece) {
        out += piece;
        return true;
      },
      [&](const Sink& plain) {
        for (const std::string& piece : pieces) { plain(piece); }
      });
  return out;
}

TEST(Base64, PadsTheEnd) {
  EXPECT_EQ(encoded({}), "");
  EXPECT_EQ(encoded({"f"}), "Zg==");
  EXPECT_EQ(encoded({"fo"}), "Zm8=");
  EXPECT_EQ(encoded({"foo"}), "Zm9v");
  EXPECT_EQ(encoded({"\xff\xfe\xfd"}), "//79");
}

TEST(Base64, PiecesMayHaveAnyLength) { EXPECT_EQ(encoded({"f", "", "ooba", "r"}), encoded({"foobar"})); }

TEST(Base64, StopsWhenTheReaderDoes) {
  size_t calls = 0;
  write_base64(
      [&](std::string_view) {
        ++calls;
        return false;
      },
      [&](const Sink& plain) {
        std::string much(1 << 20, 'x');
        EXPECT_FALSE(plain(much));
      });
  EXPECT_EQ(calls, 1U);
}

}  // namespace
}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <gtest/gtest.h>

namespace wick {
namespace {

TEST(Utf8, RoundTripsEveryCodePoint) {
  for (char32_t v = 0; v <= 0x10ffff; v += v < 0x3000 ? 1 : 37) {
    if (v >= 0xd800 && v <= 0xdfff) { continue; }
    std::string text;
    append_utf8(text, v);
    CodePoint c = decode_utf8(text);
    ASSERT_TRUE(c.valid) << std::hex << static_cast<uint32_t>(v);
    ASSERT_EQ(c.value, v);
    ASSERT_EQ(c.size, text.size());
  }
}

TEST(Utf8, ReplacesInvalidBytesOneByOne) {
  for (const char* bad : {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
                          "\xff", "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\xc3("}) {
    CodePoint c = decode_utf8(bad);
    EXPECT_FALSE(c.valid);
    EXPECT_EQ(c.value, 0xfffdu);
    EXPECT_EQ(c.size, 1u);
  }
  EXPECT_EQ(printable("a\xff\xfe"), "a\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(Utf8, WidthCountsColumns) {
  EXPECT_EQ(display_width("main"), 4);
  EXPECT_EQ(display_width(""), 0);
  EXPECT_EQ(display_width("größe"), 5);
  EXPECT_EQ(display_width("e\xcc\x81"), 1);  // e + combining acute
  EXPECT_EQ(display_width("函数"), 4);
  EXPECT_EQ(display_width("🔥"), 2);
  EXPECT_EQ(display_width("…"), 1);
}

TEST(Utf8, PrintableIsOneSafeLine) {
  EXPECT_EQ(printable("std::vector<int>"), "std::vector<int>");
  EXPECT_EQ(printable("größe"), "größe");
  EXPECT_EQ(printable("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(printable("\x1b[31m"), "\\x1b[31m");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\u202e");  // reverses the text direction
  EXPECT_EQ(printable("\xc2\x9b"), "\\x9b");        // one-byte terminal control character in UTF-8
  EXPECT_EQ(printable("\xef\xbf\xbf"), "\\uffff");  // not allowed in XML
}

}  // namespace
}  // namespace wick

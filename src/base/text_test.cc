// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

namespace wick {
namespace {

using Words = std::vector<std::string>;
using Views = std::vector<std::string_view>;

TEST(Text, Formats) {
  EXPECT_EQ(strf("%s has %d", "x", 3), "x has 3");
  EXPECT_EQ(strf("%s", ""), "");
  std::string big(100'000, 'y');
  EXPECT_EQ(strf("<%s>", big.c_str()), "<" + big + ">");
}

TEST(Text, Splits) {
  EXPECT_EQ(split("a,b,c", ','), (Views{"a", "b", "c"}));
  EXPECT_EQ(split("", ','), (Views{""}));
  EXPECT_EQ(split(",", ','), (Views{"", ""}));
  EXPECT_EQ(split("a,,b,", ','), (Views{"a", "", "b", ""}));
  EXPECT_EQ(split("abc", ','), (Views{"abc"}));
}

TEST(Text, Trims) {
  EXPECT_EQ(trim(" \t a b \r\n"), "a b");
  EXPECT_EQ(trim("   "), "");
  EXPECT_EQ(trim(""), "");
  EXPECT_EQ(trim("x"), "x");
}

TEST(Text, RejectsPartialNumbers) {
  EXPECT_EQ(parse_u64("0"), 0u);
  EXPECT_EQ(parse_u64("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(parse_u64("18446744073709551616"), std::nullopt);
  for (std::string_view bad : {"", "12x", " 12", "12 ", "-1", "+1", "0x10", "1e3", "1.0"}) {
    EXPECT_EQ(parse_u64(bad), std::nullopt) << bad;
  }
  EXPECT_EQ(parse_u64("ff", 16), 255u);
  EXPECT_EQ(parse_u64("fg", 16), std::nullopt);
  EXPECT_EQ(parse_double("1.5"), 1.5);
  EXPECT_EQ(parse_double("-2e3"), -2000.0);
  for (std::string_view bad : {"", "1.5s", " 1", "1,5"}) { EXPECT_EQ(parse_double(bad), std::nullopt) << bad; }
}

TEST(Text, ParsesSizes) {
  EXPECT_EQ(parse_bytes("0"), 0u);
  EXPECT_EQ(parse_bytes("500B"), 500u);
  EXPECT_EQ(parse_bytes("500k"), 500'000u);
  EXPECT_EQ(parse_bytes("1.5 MB"), 1'500'000u);
  EXPECT_EQ(parse_bytes("2G"), 2'000'000'000u);
  for (std::string_view bad : {"", "k", "-1", "1T", "1KiB", "1..5", "1e99G", "99999999999G"}) {
    EXPECT_EQ(parse_bytes(bad), std::nullopt) << bad;
  }
}

TEST(Text, FormatsHex) {
  const uint8_t bytes[] = {0x00, 0x0f, 0xf0, 0xff};
  EXPECT_EQ(to_hex(bytes, 4), "000ff0ff");
  EXPECT_EQ(to_hex(nullptr, 0), "");
}

TEST(Text, FormatsReadableNumbers) {
  EXPECT_EQ(group_thousands(0), "0");
  EXPECT_EQ(group_thousands(999), "999");
  EXPECT_EQ(group_thousands(1000), "1,000");
  EXPECT_EQ(group_thousands(1234567), "1,234,567");
  EXPECT_EQ(group_thousands(UINT64_MAX), "18,446,744,073,709,551,615");
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(999), "999 B");
  EXPECT_EQ(human_bytes(1000), "1.0 kB");
  EXPECT_EQ(human_bytes(9'949), "9.9 kB");
  EXPECT_EQ(human_bytes(9'960), "10 kB");
  EXPECT_EQ(human_bytes(999'400), "999 kB");
  EXPECT_EQ(human_bytes(999'600), "1.0 MB");
  EXPECT_EQ(human_bytes(1'234'567'890), "1.2 GB");
  EXPECT_EQ(human_bytes(5'000'000'000'000'000), "5000 TB");
}

TEST(Text, ShellQuoteRoundTrips) {
  EXPECT_EQ(shell_quote("plain-word_1.2/x=y:z,+@%^"), "plain-word_1.2/x=y:z,+@%^");
  EXPECT_EQ(shell_quote(""), "''");
  EXPECT_EQ(shell_quote("two words"), "'two words'");
  EXPECT_EQ(shell_quote("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quote("naïve café"), "'naïve café'");
  EXPECT_EQ(shell_quote("it's\x1b[31m\\\n"), "$'it\\'s\\x1b[31m\\\\\\x0a'");
  EXPECT_EQ(shell_quote("a\u202e\xff"), "$'a\\xe2\\x80\\xae\\xff'");
  bool has_bash = std::system("command -v bash >/dev/null") == 0;
  for (std::string word :
       {"a b", "$HOME", "`ls`", "a'b\"c", "*", "~", "\\", "#x", "!", "é", "-n", "a\nb", "it's \\ \x1b]0;x\a", "\u202e"}) {
    bool is_posix = !shell_quote(word).starts_with("$");
    if (!is_posix && !has_bash) { continue; }
    std::string command = "printf '[%s]' " + shell_quote(word);
    FILE* shell = ::popen((is_posix ? command : "bash <<'END'\n" + command + "\nEND\n").c_str(), "r");
    ASSERT_NE(shell, nullptr);
    std::string got(200, '\0');
    got.resize(std::fread(got.data(), 1, got.size(), shell));
    ::pclose(shell);
    EXPECT_EQ(got, "[" + word + "]");
  }
}

TEST(Text, FindsNearestWords) {
  const Words commands = {"record", "report", "flamegraph", "collapse", "doctor"};
  EXPECT_EQ(nearest_words("reprot", commands).at(0), "report");
  EXPECT_EQ(nearest_words("recrod", commands).at(0), "record");
  EXPECT_EQ(nearest_words("flame", commands), (Words{"flamegraph"}));  // a substring
  EXPECT_EQ(nearest_words("zzzzzz", commands), Words{});
  EXPECT_EQ(nearest_words("", commands), Words{});
  EXPECT_EQ(nearest_words("report", commands).at(0), "report");
  EXPECT_EQ(nearest_words("cycels", {"cpu-cycles", "cycles", "cycle"}, 1), (Words{"cycles"}));
  EXPECT_EQ(nearest_words("abc", {"abd", "abe", "abf", "abg"}).size(), 3u);
}

}  // namespace
}  // namespace wick

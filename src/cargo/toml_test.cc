// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cargo/toml.h"

#include <gtest/gtest.h>

namespace wick::cargo {
namespace {

std::string value_of(std::string_view text, std::initializer_list<std::string_view> path) {
  std::vector<TomlValue> values = read_toml(text);
  const TomlValue* found = find_toml(values, path);
  return found != nullptr ? found->text : "(none)";
}

TEST(Toml, FindsValuesInTablesDottedKeysAndInlineTables) {
  EXPECT_EQ(value_of("[profile.release]\ndebug = 1\n", {"profile", "release", "debug"}), "1");
  EXPECT_EQ(value_of("profile.release.debug = true", {"profile", "release", "debug"}), "true");
  EXPECT_EQ(value_of("[profile]\nrelease = { lto = \"fat\", debug = 0 }\nx = 1", {"profile", "release", "debug"}), "0");
  EXPECT_EQ(value_of("[profile]\nrelease = { lto = \"fat\", debug = 0 }\nx = 1", {"profile", "x"}), "1");
  EXPECT_EQ(value_of("[ profile . 'release' ] # why\n\"debug\" = 'none' # not\r\n", {"profile", "release", "debug"}), "none");
  EXPECT_EQ(value_of("[profile.release.package.\"*\"]\ndebug = 2", {"profile", "release", "package", "*", "debug"}), "2");
}

TEST(Toml, TheLastValueWins) { EXPECT_EQ(value_of("a = 1\na = 2", {"a"}), "2"); }

TEST(Toml, IsNotMisledByStringsAndComments) {
  std::string text =
      "# [profile.release]\n# debug = 0\n[package]\ndescription = \"\"\"\n[profile.release]\nstrip = true\n\"\"\"\n"
      "license = '[profile.release]'\nkeywords = [\"a # b\", # c\n 'd]', ]\n[profile.release]\nlto = \"a\\\"b\"\n";
  EXPECT_EQ(value_of(text, {"profile", "release", "strip"}), "(none)");
  EXPECT_EQ(value_of(text, {"profile", "release", "debug"}), "(none)");
  EXPECT_EQ(value_of(text, {"profile", "release", "lto"}), "a\"b");
  EXPECT_EQ(value_of(text, {"package", "keywords"}), "a # b\nd]");
}

TEST(Toml, SkipsWhatItDoesNotUnderstand) {
  EXPECT_EQ(value_of("= 3\n[\nx\n[[bin]]\nname = \"a\"\n[p]\n? = 1\nb = 2", {"p", "b"}), "2");
  EXPECT_EQ(value_of("", {"p"}), "(none)");
  EXPECT_EQ(value_of("a = [{b = 1}, {b = 2}]\nc = 3", {"c"}), "3");
}

TEST(Toml, EndsOnTextsThatNeverEnd) {
  for (std::string text : {std::string(100'000, '['), "a = " + std::string(100'000, '['), "a = " + std::string(100'000, '{'),
                           std::string("a = \"\"\"b"), std::string("a = \"b\\"), std::string("a = [1,"), std::string("a = {b = [{")}) {
    read_toml(text);
  }
}

}  // namespace
}  // namespace wick::cargo

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/shell_words.h"

#include <gtest/gtest.h>

namespace wick {
namespace {

using Words = std::vector<std::string>;

Words words_of(std::string_view text) {
  Result<Words> words = split_shell_words(text);
  EXPECT_TRUE(words.ok()) << text;
  return words.ok() ? *words : Words{};
}

TEST(ShellWords, SplitsAsAShell) {
  EXPECT_EQ(words_of("./app  --arg\tx"), (Words{"./app", "--arg", "x"}));
  EXPECT_EQ(words_of("sh -c 'echo $HOME | wc' \"a b\" c\\ d ''"), (Words{"sh", "-c", "echo $HOME | wc", "a b", "c d", ""}));
  EXPECT_EQ(words_of(R"(x"a\"b\n"'c\'d)"), (Words{R"(xa"b\nc\d)"}));
}

TEST(ShellWords, RefusesWhatNeedsAShell) {
  for (const char* text : {"a | b", "a > f", "a $X", "a \"$X\"", "a *", "a; b", "a `b`"}) {
    Result<Words> words = split_shell_words(text);
    ASSERT_FALSE(words.ok()) << text;
    EXPECT_EQ(words.error().code(), Errc::kUsage);
    EXPECT_TRUE(words.error().hint().starts_with("wick stat --compare 'sh -c ")) << words.error().hint();
  }
  EXPECT_FALSE(split_shell_words("a 'b").ok());
  EXPECT_FALSE(split_shell_words("  ").ok());
}

}  // namespace
}  // namespace wick

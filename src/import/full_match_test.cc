// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/full_match.h"

#include <gtest/gtest.h>

#include <random>
#include <regex>
#include <string>

namespace wick {
namespace {

bool fits(std::string_view pattern, std::string_view text) {
  std::optional<FullMatch> match = FullMatch::parse(pattern);
  EXPECT_TRUE(match) << pattern;
  return match && match->matches(text);
}

TEST(FullMatch, WholeNames) {
  EXPECT_TRUE(fits("malloc|calloc", "calloc"));
  EXPECT_FALSE(fits("malloc|calloc", "mallocs"));
  EXPECT_TRUE(fits("malloc.*", "malloc_internal"));
  EXPECT_TRUE(fits("(.*::)?operator new(\\[\\])?", "std::operator new[]"));
  EXPECT_TRUE(fits("a+b?[c-e_]*", "aabced_"));
  EXPECT_FALSE(fits("[^a-z]+", "ABc"));
  EXPECT_TRUE(fits("\\w+\\.\\d", "x_1.7"));
  EXPECT_TRUE(fits("", ""));
  EXPECT_TRUE(fits("(|a)*b", "aab"));
  EXPECT_TRUE(fits("(a*)*", "aaa"));
}

TEST(FullMatch, WhatIsNotKnown) {
  for (const char* pattern :
       {"a{2}", "^a", "a$", "(?i)a", "(a", "a)", "[a", "*", "a**", "\\1", "\\bx", "a\\", "[[:alpha:]]", "[z-a]"}) {
    EXPECT_FALSE(FullMatch::parse(pattern)) << pattern;
  }
  EXPECT_FALSE(FullMatch::parse(std::string(10000, 'a')));
  EXPECT_FALSE(FullMatch::parse(std::string(1000, '(') + std::string(1000, ')')));
}

// What takes others until the end of days.
TEST(FullMatch, TimeIsBound) { EXPECT_FALSE(fits("(a*)*(a|aa)+(.*.*)*x", std::string(5000, 'a'))); }

TEST(FullMatch, AsStdRegex) {
  std::mt19937 random(7);
  const std::string letters = "ab.*+?|()[]^-\\";
  int compared = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string pattern, text;
    for (unsigned n = 1 + random() % 7; n > 0; --n) { pattern += letters[random() % letters.size()]; }
    for (unsigned n = random() % 5; n > 0; --n) { text += "ab."[random() % 3]; }
    std::optional<FullMatch> mine = FullMatch::parse(pattern);
    if (!mine || pattern.find('[') != pattern.npos) { continue; }
    try {
      std::regex theirs(pattern);
      EXPECT_EQ(mine->matches(text), std::regex_match(text, theirs)) << pattern << " on " << text;
      ++compared;
    } catch (const std::regex_error&) { continue; }
  }
  EXPECT_GT(compared, 1000);
}

}  // namespace
}  // namespace wick

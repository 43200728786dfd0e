// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Allocates for each line and each word.

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

static std::string make_text() {
  std::string text;
  for (int i = 0; i < 4000; ++i) { text += "a line with a rather long_word_number_" + std::to_string(i * 7919 % 4000) + " and some more_of_the_longer_words\n"; }
  return text;
}

static std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t end; (end = text.find(separator, begin)) != text.npos; begin = end + 1) { parts.push_back(text.substr(begin, end - begin)); }
  parts.push_back(text.substr(begin));
  return parts;
}

static size_t count_long_words(const std::string& text) {
  size_t count = 0;
  for (const std::string& line : split(text, '\n')) {
    for (const std::string& word : split(line, ' ')) { count += word.size() > 16; }
  }
  return count;
}

int main() {
  std::string text = make_text();
  size_t count = 0;
  for (int round = 0; round < 100; ++round) { count += count_long_words(text); }
  std::printf("%zu\n", count);
}

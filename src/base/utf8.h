// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names come from untrusted files and may contain any bytes; output must be UTF-8 of known width.

#include <cstddef>
#include <string>
#include <string_view>

namespace wick {

struct CodePoint {
  char32_t value;
  size_t size;
  bool valid;
};

// The code point at the start of `text` (not empty). An invalid byte gives U+FFFD, size 1, valid == false.
CodePoint decode_utf8(std::string_view text);
void append_utf8(std::string& out, char32_t value);

// Columns in a terminal: 0 for combining marks and control characters, 2 for wide East Asian characters and emoji.
int display_width(char32_t value);
int display_width(std::string_view text);

// One line that is safe to show anywhere: invalid bytes become U+FFFD; control characters, line separators and bidirectional
// marks are escaped as \n, \t, \x1b or \u202e.
std::string printable(std::string_view text);

}  // namespace wick

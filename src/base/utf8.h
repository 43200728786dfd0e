// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names come out of foreign files and may hold any bytes; what is shown must be UTF-8, and must know how wide it is.

#include <cstddef>
#include <string>
#include <string_view>

namespace wick {

struct CodePoint {
  char32_t value;
  size_t size;
  bool valid;
};

// The code point at the beginning of `text` (not empty). A byte that begins none gives U+FFFD, size 1, valid == false.
CodePoint decode_utf8(std::string_view text);
void append_utf8(std::string& out, char32_t value);

// Columns in a terminal: 0 for combining marks and control characters, 2 for wide East Asian characters and emoji.
int display_width(char32_t value);
int display_width(std::string_view text);

// One line that can be shown anywhere: invalid bytes become U+FFFD; control characters, line separators and the marks that turn
// the direction of text around are written as \n, \t, \x1b or \u202e.
std::string printable(std::string_view text);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Appends to the text.

#include <cstddef>
#include <cstdio>
#include <string>

static std::string join(size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) { text.append(std::to_string(i)).append(", "); }
  return text;
}

int main() { std::printf("%zu\n", join(40'000).size()); }

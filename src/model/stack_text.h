// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Stacks in folded text: "root;caller;leaf".

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace wick {

struct CountedStack {
  std::string_view stack{};
  int64_t weight = 0;
};

// Orders by frames: a stack, its extensions, then its siblings. Negative: `a` comes first.
inline int compare_stacks(std::string_view a, std::string_view b) {
  size_t both = std::min(a.size(), b.size()), at = 0;
  while (at + 8 <= both && std::memcmp(a.data() + at, b.data() + at, 8) == 0) { at += 8; }
  while (at < both && a[at] == b[at]) { ++at; }
  if (at == both) { return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1; }
  auto rank = [](char c) { return c == ';' ? 0 : 1 + static_cast<unsigned char>(c); };
  return rank(a[at]) - rank(b[at]);
}
inline bool stack_comes_before(std::string_view a, std::string_view b) { return compare_stacks(a, b) < 0; }

}  // namespace wick

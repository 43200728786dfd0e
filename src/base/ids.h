// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

namespace wick {

// An id is a row number that knows its table, so that a string cannot be taken for a stack.
template <typename Tag>
struct Id {
  uint32_t value = UINT32_MAX;

  constexpr bool valid() const { return value != UINT32_MAX; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

}  // namespace wick

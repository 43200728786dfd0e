// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

namespace wick {

// A typed row number: the id of a string cannot be used as the id of a stack.
template <typename Tag>
struct Id {
  uint32_t value = UINT32_MAX;

  constexpr bool valid() const { return value != UINT32_MAX; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

}  // namespace wick

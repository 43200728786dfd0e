// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace wick {

enum class Paging : uint8_t { kAuto, kNever };

// Writes to standard output. If that is a terminal with fewer rows than the text has lines, shows it in $PAGER or less.
Status write_paged(std::string_view text, Paging paging);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "capture/capture.h"

namespace wick::capture {

// The bytes of the same recording with other symbols. `file` is what `read` was read from. Other blocks are copied unchanged,
// including those of later versions; only symbols are written again. Data after damage is dropped; the end mark stays.
Result<std::vector<uint8_t>> replace_symbols(std::span<const uint8_t> file, const Capture& read,
                                             std::span<const FrameSymbols> symbols);

}  // namespace wick::capture

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "capture/capture.h"

namespace wick::capture {

// The bytes of a file that holds the same recording with other names. `file` is what `read` came from. Blocks are taken over as
// they are, those of later versions too; only symbols are written anew. What stands behind a damage is left out; the end mark is
// there if it was.
Result<std::vector<uint8_t>> replace_symbols(std::span<const uint8_t> file, const Capture& read,
                                             std::span<const FrameSymbols> symbols);

}  // namespace wick::capture

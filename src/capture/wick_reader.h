// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "capture/capture.h"

namespace wick::capture {

bool looks_like_wick(std::span<const uint8_t> bytes);

// Reads the intact part: a damaged or missing tail sets Capture::damage and leaves the rest usable. Fails if nothing is usable:
// another kind of file, a newer major version, no info block.
Result<Capture> read_wick(std::span<const uint8_t> bytes);

}  // namespace wick::capture

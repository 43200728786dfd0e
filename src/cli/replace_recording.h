// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace wick {

// Writes a changed recording to `output` ("-": standard output), or replaces `file` if `output` is empty. A replaced file keeps
// owner and permissions, and a link stays a link.
Status replace_recording(const std::string& file, const std::string& output, const std::vector<uint8_t>& bytes);

}  // namespace wick

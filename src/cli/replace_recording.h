// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace wick {

// Writes a changed recording to `output` ("-": standard output), or replaces `file` if `output` is empty and `file` still leads
// to the file that was `read`. A replaced file keeps owner and permissions. base/output_file.h says which links are followed.
Status replace_recording(const std::string& file, const std::optional<FileId>& read, const std::string& output,
                         const std::vector<uint8_t>& bytes);

}  // namespace wick

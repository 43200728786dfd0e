// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Profiles of other tools -> Profile. Detected by content; docs/formats.md lists the formats and what is read.

#include <span>
#include <string>
#include <string_view>

#include "import/common/reader.h"

namespace wick {

// In order of detection: magic numbers first, readers that accept almost any text last.
std::span<const Reader> readers();
const Reader* find_reader(std::string_view name);  // null: no such name
const Reader* detect_reader(const Head& head);     // null: unknown

// For decompressed bytes.
Head head_of(Bytes bytes);
Result<Profile> import_profile(Input& input, const Reader& reader, const ImportOptions& options);
// The warning for a profile whose input ended early (Input::problem).
std::string problem_warning(const std::string& problem);

}  // namespace wick

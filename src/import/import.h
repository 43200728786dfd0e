// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Profiles of other tools -> Profile. Detected by content; docs/formats.md lists them with what is read of each.

#include <span>
#include <string>
#include <string_view>

#include "import/common/reader.h"

namespace wick {

// In the order in which they are asked: those with a magic number first, those that would take almost any text last.
std::span<const Reader> readers();
const Reader* find_reader(std::string_view name);  // nothing: no such name
const Reader* detect_reader(const Head& head);     // nothing: not known

// Of what was unpacked.
Head head_of(Bytes bytes);
Result<Profile> import_profile(Input& input, const Reader& reader, const ImportOptions& options);
// Of a profile whose input ended early (Input::problem).
std::string problem_warning(const std::string& problem);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A file of folded stacks as lines, for callers that do not need frames.

#include <optional>
#include <string>

#include "base/fd.h"
#include "base/mapped_file.h"
#include "import/text/folded.h"

namespace wick {

struct LoadedFolded {
  MappedFile file;
  FoldedText text;
};
// Empty if the file has another format, cannot be read twice, or cannot be read; load_profile() reports the reason.
std::optional<LoadedFolded> find_folded_text(const std::string& path, const Reader* reader = nullptr);

}  // namespace wick

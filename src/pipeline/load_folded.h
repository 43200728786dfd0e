// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A file of folded stacks as its lines, for what needs no frames.

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
// Nothing: the file is something else, cannot be read twice, or cannot be read at all; load_profile() tells.
std::optional<LoadedFolded> find_folded_text(const std::string& path, const Reader* reader = nullptr);

}  // namespace wick

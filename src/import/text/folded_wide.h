// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Folded stacks for a picture: what is too narrow to be seen (ImportOptions::least_share) is not taken apart.

#include <optional>

#include "import/common/reader.h"

namespace wick {

// As read_folded, but a stack ends at the first frame that has less than the least share of all samples; the leaf follows it
// directly. Nothing where the text has more than stacks with whole counts: then read_folded is to be asked.
std::optional<Profile> read_wide_folded(Bytes text, const ImportOptions& options);

}  // namespace wick

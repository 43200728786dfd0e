// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Profiles of Haskell programs, +RTS -p or -P: the tree of cost centres.

#include "import/common/reader.h"

namespace wick {

bool is_ghc_prof(const Head& head);
Result<Profile> read_ghc_prof(Input& input, const ImportOptions& options);
constexpr Reader kGhcProfReader = {"ghcprof", "a GHC profile", is_ghc_prof, read_ghc_prof};

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/profile.h"
#include "pipeline/load.h"

namespace wick {

// Adds symbols, lines and inlined functions to another tool's profile that only has addresses (samply's before a browser has
// opened it, pprof's of native programs), if the file of that build is found. Files of another build, or without a recorded
// build, are not used.
[[nodiscard]] Profile name_imported(Profile profile, const LoadOptions& options);

}  // namespace wick

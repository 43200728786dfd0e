// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/profile.h"
#include "pipeline/load.h"

namespace wick {

// The profile of another tool with names, lines and inlined functions for the code that it only has the places of (samply's
// before a browser has seen it, pprof's of native programs), where the file of that build is found. A file of another build, or
// of which the profile does not tell the build, is not used.
[[nodiscard]] Profile name_imported(Profile profile, const LoadOptions& options);

}  // namespace wick

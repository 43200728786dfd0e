// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace wick {

// The directory for data that can be rebuilt (compiled unwind tables): $XDG_CACHE_HOME/wick, else ~/.cache/wick. Creates it if
// needed. Empty if neither is usable; another user's directory is not (under sudo it would fill with root's files).
std::string find_cache_dir();

// The same, but creates nothing.
std::string expected_cache_dir();

}  // namespace wick

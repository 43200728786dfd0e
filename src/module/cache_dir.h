// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace wick {

// The folder for what may be thrown away and made again (compiled unwind tables): $XDG_CACHE_HOME/wick, else ~/.cache/wick. Made
// when it is not there. Empty when neither can be used; a folder of another user is not (under sudo it would fill with files of
// root).
std::string find_cache_dir();

// The same, as far as can be told without making anything.
std::string expected_cache_dir();

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace wick {

// Splits a command as a shell does, with quotes and backslashes. Anything else that only a shell understands ($, |, >, *) is an
// error outside of quotes: without a shell it would reach the program as text.
Result<std::vector<std::string>> split_shell_words(std::string_view text);

}  // namespace wick

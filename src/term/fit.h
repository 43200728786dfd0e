// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "term/style.h"

namespace wick {

// Shortens `text` to `width` columns by omitting its middle; keeps more of the end than of the beginning.
std::string fit_middle(const Style& style, std::string_view text, int width);

// The same by omitting its end. Escape sequences of paint() are kept, and have no width.
std::string fit_start(const Style& style, std::string_view text, int width);

// Like fit_middle() for a function name: omits parameters first ("f(…)"), then template arguments ("vector<…>"), then the middle.
std::string fit_name(const Style& style, std::string_view name, int width);

std::string pad_right(std::string text, int width);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "term/style.h"

namespace wick {

// At most `width` columns of `text`: its middle is left out, the end more than the beginning is kept.
std::string fit_middle(const Style& style, std::string_view text, int width);

// The same for the name of a function: parameters go first ("f(…)"), then template arguments ("vector<…>"), then the middle.
std::string fit_name(const Style& style, std::string_view name, int width);

std::string pad_right(std::string text, int width);

}  // namespace wick

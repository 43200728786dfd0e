// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A report as text for the terminal: what was recorded, what is missing, then the table or the tree.

#include <cstddef>
#include <optional>
#include <string>

#include "term/style.h"
#include "view/report.h"

namespace wick {

// `limit`: rows, or children of a node (0: all); nothing: what fits.
std::string render_report(const Report& report, std::optional<size_t> limit, const Style& style);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A report as text: the recording, losses, then a table or a tree.

#include <cstddef>
#include <optional>
#include <string>

#include "term/style.h"
#include "view/report.h"

namespace wick {

// `limit`: rows, or children per node (0: all); not set: chosen by the output.
std::string render_report(const Report& report, std::optional<size_t> limit, const Style& style);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Chooses the format of `wick export`.

#include <string>

#include "base/result.h"
#include "export/formats.h"

namespace wick {

// By --format, else by the extension of the output. An error lists the formats.
Result<const ExportFormat*> choose_format(const std::string& name, const std::string& output);

// One line per format, for the help text.
std::string describe_formats();

}  // namespace wick

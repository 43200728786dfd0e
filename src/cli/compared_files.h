// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// FILE2: commands that show one profile compare two.

#include <string>

#include "base/result.h"
#include "cli/profile_options.h"
#include "view/diff.h"

namespace wick {

// After the profile's own options.
void add_second_file(CLI::App& app, std::string& file, const std::string& description);

// `options.file` is before, `after` is after.
Result<DiffRequest> understand_comparison(const ProfileOptions& options, const std::string& after);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/stat_options.h"

namespace wick {

// All of `wick stat`: measures, prints and returns the exit code.
int show_stat(const StatArguments& arguments);

}  // namespace wick

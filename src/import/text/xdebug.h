// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Traces of PHP's xdebug (.xt), in the machine (trace_format=1) and the human format (0).

#include "import/common/reader.h"

namespace wick {

bool is_xdebug(const Head& head);
Result<Profile> read_xdebug(Input& input, const ImportOptions& options);
constexpr Reader kXdebugReader = {"xdebug", "an xdebug trace", is_xdebug, read_xdebug};

}  // namespace wick

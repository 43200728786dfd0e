// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The output of `xctrace export` for an Instruments recording: tables as XML.

#include "import/common/reader.h"

namespace wick {

bool is_xctrace(const Head& head);
Result<Profile> read_xctrace(Input& input, const ImportOptions& options);
constexpr Reader kXctraceReader = {"xctrace", "xctrace XML", is_xctrace, read_xctrace};

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The text that `perf script` prints, with any fields.

#include "import/common/reader.h"

namespace wick {

bool is_perf_script(const Head& head);
Result<Profile> read_perf_script(Input& input, const ImportOptions& options);
constexpr Reader kPerfScriptReader = {"perf-script", "perf script text", is_perf_script, read_perf_script};

// Approximate bytes per worker at a time; the profile does not depend on it.
constexpr size_t kPerfScriptChunk = size_t{2} << 20;
Result<Profile> read_perf_script(Input& input, const ImportOptions& options, size_t chunk_bytes);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The text that `perf script` prints, whatever fields were asked for.

#include "import/common/reader.h"

namespace wick {

bool is_perf_script(const Head& head);
Result<Profile> read_perf_script(Input& input, const ImportOptions& options);
constexpr Reader kPerfScriptReader = {"perf-script", "perf script text", is_perf_script, read_perf_script};

// About so many bytes go to one worker at a time; the profile is the same for any number.
constexpr size_t kPerfScriptChunk = size_t{2} << 20;
Result<Profile> read_perf_script(Input& input, const ImportOptions& options, size_t chunk_bytes);

}  // namespace wick

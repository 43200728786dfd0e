// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The output of `pprof -raw` and `pprof -traces`.

#include "import/common/reader.h"

namespace wick {

bool is_pprof_raw(const Head& head);
Result<Profile> read_pprof_raw(Input& input, const ImportOptions& options);
constexpr Reader kPprofRawReader = {"go", "pprof -raw text", is_pprof_raw, read_pprof_raw};

bool is_pprof_traces(const Head& head);
Result<Profile> read_pprof_traces(Input& input, const ImportOptions& options);
constexpr Reader kPprofTracesReader = {"go-traces", "pprof -traces text", is_pprof_traces, read_pprof_traces};

}  // namespace wick

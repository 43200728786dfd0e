// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/common/reader.h"

namespace wick {

bool is_pprof(const Head& head);
Result<Profile> read_pprof(Input& input, const ImportOptions& options);
constexpr Reader kPprofReader = {"pprof", "pprof profile", is_pprof, read_pprof};

bool is_otlp(const Head& head);
Result<Profile> read_otlp(Input& input, const ImportOptions& options);
constexpr Reader kOtlpReader = {"otlp", "OpenTelemetry profiles", is_otlp, read_otlp};

}  // namespace wick

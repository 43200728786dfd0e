// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "pipeline/load.h"

namespace wick {

// perf.data -> Profile, with the same unwinding, tables and symbols as a wick recording.
Result<Profile> load_perf_data(Input& input, const LoadOptions& options);
// The directory of perf record --threads or --kcore. Errors name it.
Result<Profile> load_perf_folder(const std::string& path, const LoadOptions& options);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "pipeline/load.h"

namespace wick {

// perf.data -> Profile, through the same unwinding, tables and names as a recording of ours.
Result<Profile> load_perf_data(Input& input, const LoadOptions& options);
// The folder of perf record --threads or --kcore. Errors name it.
Result<Profile> load_perf_folder(const std::string& path, const LoadOptions& options);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pipeline/load.h"

namespace wick {

// perf.data -> Profile, through the same unwinding, tables and names as a recording of ours.
Result<Profile> load_perf_data(Input& input, const LoadOptions& options);

}  // namespace wick

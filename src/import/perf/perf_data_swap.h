// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "capture/perf_records.h"

namespace wick {

// Converts a kernel record from the other byte order, in place. Unknown kinds stay unchanged. `layout`: that of the sample, or
// for other records the one that determines the trailing ID fields (sample_type 0: none).
void swap_perf_record(std::span<uint8_t> record, const PerfLayout& layout);

}  // namespace wick

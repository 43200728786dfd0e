// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "capture/perf_records.h"

namespace wick {

// A record of the kernel's, written by a machine of the other byte order -> in ours, in place. What its kind has no rule for
// stays as it is. `layout`: of samples their own, of other records the one that rules the id fields at their end (sample_type 0:
// none).
void swap_perf_record(std::span<uint8_t> record, const PerfLayout& layout);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "capture/raw.h"

namespace wick {

// The executable mappings in the text of /proc/PID/maps, in the order of their addresses. Lines that are not understood are left
// out. Memory without a file is "//anon", or as the kernel names it ("[vdso]", "[heap]", "[anon:name]").
std::vector<MmapEvent> parse_proc_maps(std::string_view text, uint32_t pid, uint64_t time_ns);

// The same for a living process, as one of its threads shows it. What has ended has no mappings; what we may not look into is an
// error.
Result<std::vector<MmapEvent>> load_proc_maps(pid_t pid, pid_t tid, uint64_t time_ns);

}  // namespace wick

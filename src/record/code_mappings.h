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

// The executable mappings in /proc/PID/maps, by address. Skips malformed lines. Memory without a file is "//anon" or has the
// kernel's name ("[vdso]", "[heap]", "[anon:name]").
std::vector<MmapEvent> parse_code_mappings(std::string_view text, uint32_t pid, uint64_t time_ns);

// The same for a running process, read through one of its threads. An ended process has no mappings; a permission error is an
// error.
Result<std::vector<MmapEvent>> load_code_mappings(pid_t pid, pid_t tid, uint64_t time_ns);

}  // namespace wick

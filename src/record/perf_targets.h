// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The state when recording starts: which threads to attach to, and their names and mappings (the kernel only reports changes).

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "capture/raw.h"
#include "record/options.h"

namespace wick {

// Threads of the processes and threads in the options. A missing one is an error if `must_live`, else skipped.
Result<std::vector<pid_t>> load_target_threads(const RecordOptions& options, bool must_live);

// The directory of a cgroup given by absolute path or by name below perf's cgroup mount.
Result<std::string> find_cgroup_folder(const std::string& name);
Result<std::vector<pid_t>> load_cgroup_processes(const std::string& folder);

// Names, forks and mappings of running processes as if they happened at `time_ns`.
std::vector<SideEvent> describe_processes(const std::vector<pid_t>& pids, uint64_t time_ns);

}  // namespace wick

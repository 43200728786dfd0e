// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What already runs when recording begins: which threads to attach to, and what is known of them (the kernel tells only of
// changes).

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "capture/raw.h"
#include "record/options.h"

namespace wick {

// Threads of the processes and threads named in the options. One that is not there is an error if it `must_live`, else left out.
Result<std::vector<pid_t>> load_target_threads(const RecordOptions& options, bool must_live);

// The folder of a cgroup given by absolute path or by name below the cgroup mount that perf uses.
Result<std::string> find_cgroup_folder(const std::string& name);
Result<std::vector<pid_t>> load_cgroup_processes(const std::string& folder);

// Names, forks and mappings of running processes as if they had just happened, at `time_ns`.
std::vector<SideEvent> describe_processes(const std::vector<pid_t>& pids, uint64_t time_ns);

}  // namespace wick

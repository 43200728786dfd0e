// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a thread waits for: the kind from its system call, the object from the call's arguments and its process's files.

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "capture/wait.h"
#include "os/task_call.h"

namespace wick {

// What is behind a descriptor of the process, as /proc/PID/fd shows it: "socket:[4711]", "pipe:[4712]", "/dev/pts/0", a path;
// empty: unknown.
using FindFile = std::function<std::string(uint64_t descriptor)>;

// `state`: as in /proc/PID/stat ('S', 'D', 'T', …).
capture::WaitCause find_wait_cause(const TaskCall& call, char state, const FindFile& find_file);

// Whether the state of a thread in this call says more than the call itself.
bool depends_on_state(const TaskCall& call);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/types.h>

namespace wick {

// ptrace(2) without variadic arguments and the request type that differs between C libraries. Returns 0, or -1 and errno.
inline long ptrace_call(__ptrace_request request, pid_t tid, unsigned long address, unsigned long data) {
  return ::ptrace(request, tid, reinterpret_cast<void*>(address), reinterpret_cast<void*>(data));
}

// Whether waitid() reported an end. For a traced thread it also reports stops that were not requested.
inline bool is_end(const siginfo_t& info) {
  return info.si_pid != 0 && (info.si_code == CLD_EXITED || info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED);
}

}  // namespace wick

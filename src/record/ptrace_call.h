// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/ptrace.h>
#include <sys/types.h>

namespace wick {

// ptrace(2) without its variable arguments and request types that differ between C libraries. 0, or -1 and errno.
inline long ptrace_call(__ptrace_request request, pid_t tid, unsigned long address, unsigned long data) {
  return ::ptrace(request, tid, reinterpret_cast<void*>(address), reinterpret_cast<void*>(data));
}

}  // namespace wick

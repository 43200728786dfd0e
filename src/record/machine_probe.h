// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Probes too expensive for recording, for `wick doctor`: it reports what really happened.

#include <cstdint>

#include "record/machine.h"

namespace wick {

// Seizes, interrupts and releases a child as ptrace sampling does. Returns 0 or the errno.
int probe_ptrace();
// The largest ring (bytes, a power of two, at most `want`) that can be mapped for one of our events; 0 if none.
uint64_t probe_ring_bytes(uint64_t want);
// Loads a program of two instructions for perf events. Returns 0 or the errno.
int probe_bpf();
// Opens an event on the process `pid`, user space only.
EventProbe probe_process(int pid);
// The ID of a tracepoint ("sched", "sched_switch"); 0 with errno if it cannot be read.
uint64_t find_tracepoint(const char* system, const char* name, int& errnum);

}  // namespace wick

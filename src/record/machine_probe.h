// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tries that cost more than recording wants to spend, for `wick doctor`: what is told is what really happened.

#include <cstdint>

#include "record/machine.h"

namespace wick {

// A child of ours is seized, interrupted and let go, as sampling by ptrace does it. 0, or the errno that stopped it.
int probe_ptrace();
// The largest ring (bytes, a power of two, at most `want`) that can be mapped for one event of ours; 0 when none.
uint64_t probe_ring_bytes(uint64_t want);
// A program of two instructions is loaded for perf events. 0, or the errno.
int probe_bpf();
// An event on the process `pid`, user side only.
EventProbe probe_process(int pid);
// The number of a tracepoint ("sched", "sched_switch"); 0 with errno when it cannot be read.
uint64_t find_tracepoint(const char* system, const char* name, int& errnum);

}  // namespace wick

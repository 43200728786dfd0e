// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "record/event_spec.h"

namespace wick {

enum class UnwindMode { kDwarf, kFramePointers, kNone };

// Maximum length of a frame pointer chain: the kernel's default for perf_event_max_stack, and the ptrace engine's.
constexpr uint32_t kMostPerfChain = 127, kMostPtraceChain = 4096;

// What to record and how, for every engine. Exactly one kind of target is set (cpus may be combined with others).
struct RecordOptions {
  std::vector<std::string> command;
  std::string directory;  // where the command starts; empty: the current one
  std::vector<pid_t> pids, tids;
  bool system_wide = false;
  std::vector<int> cpus;  // empty: all
  std::string cgroup;     // path below the cgroup file system
  bool inherit = true;

  std::vector<EventSpec> events;  // never empty
  bool waits = false;             // also where threads wait: as the events "ready" and "blocked" after those above
  uint64_t rate_hz = 997;
  UnwindMode unwind = UnwindMode::kDwarf;
  uint32_t stack_size = 0;    // bytes copied per sample; 0: the engine decides
  bool start_enabled = true;  // false: no sampling before Engine::enable() (--delay)
};

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What an engine says about itself. The pipeline, the summary, doctor and the file's header go by these properties, so that a new
// engine is a row in make_engine.cc and nothing else.

#include <cstdint>
#include <string>

#include "capture/capture.h"

namespace wick {

struct EngineInfo {
  std::string name;   // for --engine and the file's header
  std::string needs;  // what the system may refuse it: "perf_event_open"

  capture::SampleKind samples = capture::SampleKind::kOnCpu;

  bool attaches = true;             // to what runs already: processes, CPUs, cgroups. Else it launches commands only
  bool samples_kernel = false;      // stacks include the kernel's side
  bool hides_kernel_time = false;   // samples stand for time in user space only, and nothing for time in the kernel
  bool shares_clock = false;        // one sampling clock runs on across threads: none is too short for it
  bool grows_copies = false;        // threads with deep stacks get copies of max_stack_bytes
  uint32_t stack_bytes = 0;         // copied of each stack; 0: none, it reads stacks whole
  uint32_t max_stack_bytes = 0;     // the most that it can copy
  uint32_t max_chain = UINT32_MAX;  // addresses that it follows by frame pointers, the kernel's side included
  std::string chain_limit;          // what sets max_chain, for people
  std::string misses;               // why CPU time may have no sample, and what would sample it
  std::string misses_between;       // the same for threads with many samples, if the reason differs
};

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Samples of exiting tasks without an ID. The kernel releases a task's ID before it switches the task out for the last time.
// Events of CPUs still sample it, as thread -1 (and process -1 if it was the last thread). In programs with thousands of short
// threads this is 4% of the time. The task has reported its exit on the same CPU before, so it is the one that did so last.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "capture/raw.h"

namespace wick {

class EndedTasks {
 public:
  void on_exit(uint32_t cpu, const ExitEvent& exit) { exits_[cpu].push_back(exit); }
  // Sets the sample's IDs if they are missing. False: unknown.
  bool name(RawSample& sample) const;
  // No earlier sample will come.
  void forget_until(uint64_t time_ns);

 private:
  std::unordered_map<uint32_t, std::vector<ExitEvent>> exits_;  // by CPU, in order of time
};

}  // namespace wick

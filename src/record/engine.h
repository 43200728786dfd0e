// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What perf rings and ptrace sampling have in common. One thread drives an engine: start, pump again and again, stop.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "capture/raw.h"
#include "record/options.h"

namespace wick {

// What the engine knows of samples that did not come through, and of CPU time. Names as in docs/file-format.md ("lost.ring_full",
// …).
struct EngineCounter {
  std::string name;
  uint64_t value = 0;
};

enum class TargetState { kRunning, kEnded };

class Engine {
 public:
  virtual ~Engine() = default;

  // Attaches, and lets a launched command go. When this returns, sampling is on (or waits for enable()).
  virtual Status start(const sigset_t& child_signal_mask) = 0;
  virtual void enable() = 0;

  // Waits until there is something to do, `wake_fd` is readable or `deadline_ns` (CLOCK_MONOTONIC) has passed, hands over what
  // there is, and returns. kEnded: the launched process (all attached ones) ended; everything it left was handed over.
  virtual Result<TargetState> pump(RawSink& sink, int wake_fd, uint64_t deadline_ns) = 0;
  // Ends sampling, hands over the rest, lets go of the target, which lives on if it still lives.
  virtual void stop(RawSink& sink) = 0;

  virtual pid_t launched_pid() const = 0;              // -1: attached
  virtual std::optional<int> exit_status() const = 0;  // wait status of the launched process, once it ended
  virtual std::vector<EngineCounter> counters() const = 0;
  virtual std::vector<std::string> notes() const = 0;  // one line each: what the user should know of how it is recorded
};

}  // namespace wick

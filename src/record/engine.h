// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The common interface of engines. One thread drives an engine: start, pump repeatedly, stop.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "capture/raw.h"
#include "record/engine_info.h"
#include "record/options.h"

namespace wick {

// Samples lost by the engine, and CPU time. Names as in docs/file-format.md ("lost.ring_full", …).
struct EngineCounter {
  std::string name;
  uint64_t value = 0;
};

// The recorder's own code that runs in the kernel on the target's time.
struct KernelCode {
  uint64_t begin = 0, end = 0;
  std::string name;
};

enum class TargetState { kRunning, kEnded };

class Engine {
 public:
  virtual ~Engine() = default;

  virtual EngineInfo info() const = 0;  // certain once it has started

  // Attaches, and starts a launched command. On return, sampling is on (or waits for enable()).
  virtual Status start(const sigset_t& child_signal_mask) = 0;
  virtual void enable() = 0;

  // Waits for data, for `wake_fd` to become readable or for `deadline_ns` (CLOCK_MONOTONIC), passes all data to the sink, and
  // returns. kEnded: the launched process (or all attached ones) ended, and all its data was passed on.
  virtual Result<TargetState> pump(RawSink& sink, int wake_fd, uint64_t deadline_ns) = 0;
  // Before the recorder is suspended: lets go of threads that would wait for it.
  virtual void suspend() {}
  // Brings counters up to date that are otherwise known only after stop().
  virtual void measure() {}
  // Ends sampling, passes on the rest, and releases the target, which continues if it is still running.
  virtual void stop(RawSink& sink) = 0;

  virtual pid_t launched_pid() const = 0;              // -1: attached
  virtual std::optional<int> exit_status() const = 0;  // wait status of the launched process, once it ended
  virtual std::vector<EngineCounter> counters() const = 0;
  virtual std::vector<KernelCode> kernel_code() const { return {}; }
  virtual std::vector<std::string> notes() const = 0;  // one line each: what the user should know about the recording
};

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// SIGINT, SIGTERM, SIGHUP and SIGQUIT as a pollable descriptor, so that a recording always ends with a complete file; and SIGTSTP
// (Ctrl-Z), so that no traced thread waits for a recorder that is suspended.

#include <signal.h>

#include <cstdint>
#include <functional>
#include <optional>

#include "base/fd.h"
#include "base/result.h"

namespace wick {

struct StopSignal {
  int number = 0;
  bool from_terminal = false;  // sent by the terminal (Ctrl-C), so the complete foreground group has received it
};

class StopSignals {
 public:
  // Blocks the signals for this thread and those it starts, until destroyed.
  static Result<StopSignals> open();
  // Never has any: another part of the program watches for signals.
  static StopSignals none() {
    StopSignals signals;
    signals.active_ = false;
    return signals;
  }
  StopSignals(StopSignals&& other) noexcept
      : fd_(std::move(other.fd_)),
        before_(other.before_),
        active_(std::exchange(other.active_, false)),
        before_suspend_(std::move(other.before_suspend_)) {}
  StopSignals& operator=(StopSignals&&) = delete;
  ~StopSignals();

  int fd() const { return fd_.get(); }
  std::optional<StopSignal> next();  // the next pending signal, without waiting; at SIGTSTP, suspends this process first
  void set_before_suspend(std::function<void()> before) { before_suspend_ = std::move(before); }
  const sigset_t& mask_before() const { return before_; }
  // Discards pending signals and unblocks all before the end of this object's life.
  void unblock();

 private:
  StopSignals() = default;
  Fd fd_;
  sigset_t before_{};
  bool active_ = true;
  std::function<void()> before_suspend_;
};

// Forwards the signal to a launched process unless the terminal has already sent it there.
void pass_on(const StopSignal& signal, pid_t pid);

// Ends a launched process as Ctrl-C would, unless it was `asked` to end already, and escalates if it does not react. Returns its
// wait status.
int end_process(pid_t pid, bool asked);
// Waits for a launched process until `deadline_ns` at the latest and forwards signals meanwhile. Returns its wait status.
std::optional<int> wait_for_process(pid_t pid, StopSignals& signals, uint64_t deadline_ns = UINT64_MAX);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// SIGINT, SIGTERM, SIGHUP and SIGQUIT as something to poll, so that recording always ends in a whole file.

#include <signal.h>

#include <optional>

#include "base/fd.h"
#include "base/result.h"

namespace wick {

struct StopSignal {
  int number = 0;
  bool from_terminal = false;  // sent by the terminal (Ctrl-C), so that the whole foreground group has got it
};

class StopSignals {
 public:
  // Blocks the signals for this thread and those it starts; undone at the end.
  static Result<StopSignals> open();
  StopSignals(StopSignals&& other) noexcept
      : fd_(std::move(other.fd_)), before_(other.before_), active_(std::exchange(other.active_, false)) {}
  StopSignals& operator=(StopSignals&&) = delete;
  ~StopSignals();

  int fd() const { return fd_.get(); }
  std::optional<StopSignal> next();  // what came, without waiting
  const sigset_t& mask_before() const { return before_; }

 private:
  StopSignals() = default;
  Fd fd_;
  sigset_t before_{};
  bool active_ = true;
};

// Passes the signal on to a launched process unless the terminal has sent it there already.
void pass_on(const StopSignal& signal, pid_t pid);

// Ends a launched process as Ctrl-C would, unless it was `asked` to end already; if it will not, more and more firmly. Returns
// its wait status.
int end_process(pid_t pid, bool asked);
// Waits for a launched process; a signal that comes meanwhile is passed on. Returns its wait status.
int wait_for_process(pid_t pid, StopSignals& signals);

}  // namespace wick

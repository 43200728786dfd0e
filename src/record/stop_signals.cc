// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/stop_signals.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "base/clock.h"

namespace wick {
namespace {

// Waits up to `limit_ns`, -1 being "still running".
int poll_exit(pid_t pid, uint64_t limit_ns) {
  uint64_t end = now_ns() + limit_ns;
  for (;;) {
    int status = 0;
    pid_t done = ::waitpid(pid, &status, WNOHANG);
    if (done == pid && (WIFEXITED(status) || WIFSIGNALED(status))) { return status; }  // not a stop that ptrace left behind
    if (done < 0 && errno != EINTR) { return 0; }
    if (now_ns() >= end) { return -1; }
    ::usleep(5000);
  }
}

}  // namespace

Result<StopSignals> StopSignals::open() {
  StopSignals signals;
  sigset_t stop;
  ::sigemptyset(&stop);
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) { ::sigaddset(&stop, number); }
  sigset_t blocked = stop;
  ::sigaddset(&blocked, SIGPIPE);  // whoever read our messages may go away without ending the recording
  ::pthread_sigmask(SIG_BLOCK, &blocked, &signals.before_);
  signals.fd_ = Fd(::signalfd(-1, &stop, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!signals.fd_) { return Error::from_errno(errno, "cannot watch for signals"); }
  return signals;
}

StopSignals::~StopSignals() {
  if (!active_) { return; }
  while (next()) {}  // or an unread one would end us as soon as it is let through
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<StopSignal> StopSignals::next() {
  signalfd_siginfo info{};
  if (!fd_ || ::read(fd_.get(), &info, sizeof info) != sizeof info) { return std::nullopt; }
  return StopSignal{static_cast<int>(info.ssi_signo), info.ssi_code == SI_KERNEL};
}

void pass_on(const StopSignal& signal, pid_t pid) {
  bool has_it = signal.from_terminal && ::getpgid(pid) == ::getpgrp();
  if (!has_it) { ::kill(pid, signal.number); }
}

int end_process(pid_t pid, bool asked) {
  struct Step {
    int signal;
    uint64_t patience_ns;
  };
  for (Step step : {Step{SIGINT, 2'000'000'000}, Step{SIGTERM, 2'000'000'000}, Step{SIGKILL, 10'000'000'000}}) {
    bool has_it = asked && step.signal == SIGINT;
    if (!has_it) { ::kill(pid, step.signal); }
    int status = poll_exit(pid, step.patience_ns);
    if (status != -1) { return status; }
  }
  return 0;
}

int wait_for_process(pid_t pid, StopSignals& signals) {
  for (;;) {
    int status = poll_exit(pid, 50'000'000);
    if (status != -1) { return status; }
    while (std::optional<StopSignal> signal = signals.next()) { pass_on(*signal, pid); }
  }
}

}  // namespace wick

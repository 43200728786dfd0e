// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "os/stop_signals.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "os/proc_tasks.h"

namespace wick {
namespace {

// Waits up to `limit_ns`; returns -1 if the process is still running.
int poll_exit(pid_t pid, uint64_t limit_ns) {
  uint64_t end = now_ns() + limit_ns;
  for (;;) {
    int status = 0;
    pid_t done = ::waitpid(pid, &status, WNOHANG);
    if (done == pid && (WIFEXITED(status) || WIFSIGNALED(status))) { return status; }  // not a ptrace stop
    if (done < 0 && errno != EINTR) { return 0; }
    if (now_ns() >= end) { return -1; }
    ::usleep(5000);
  }
}

// The descendants of a process that Ctrl-C would reach with it: those of its group, so no daemons. Held by descriptors, since
// PIDs are reused, and since a process whose parent has ended is no longer a descendant.
class Descendants {
 public:
  explicit Descendants(pid_t root) : group_(::getpgid(root)), known_{root} {}

  void look() {
    std::unordered_map<pid_t, std::vector<pid_t>> children;
    for (pid_t pid : load_process_ids()) {
      if (std::optional<TaskStat> stat = load_task_stat(pid, pid)) { children[stat->parent_pid].push_back(pid); }
    }
    for (size_t i = 0; i < known_.size(); ++i) {
      for (pid_t child : children[known_[i]]) {
        if (std::find(known_.begin(), known_.end(), child) != known_.end()) { continue; }
        known_.push_back(child);
        Fd fd = open_pidfd(child);
        if (fd && ::getpgid(child) == group_) { fds_.push_back(std::move(fd)); }
      }
    }
  }
  void send(int number) const {
    for (const Fd& fd : fds_) { ::syscall(SYS_pidfd_send_signal, fd.get(), number, nullptr, 0); }
  }

 private:
  pid_t group_;
  std::vector<pid_t> known_;  // the root first
  std::vector<Fd> fds_;
};

// As SIGTSTP does by default: the kernel ignores it where nothing would continue this process.
void suspend() {
  sigset_t terminal_stop;
  ::sigemptyset(&terminal_stop);
  ::sigaddset(&terminal_stop, SIGTSTP);
  ::pthread_sigmask(SIG_UNBLOCK, &terminal_stop, nullptr);
  ::raise(SIGTSTP);
  ::pthread_sigmask(SIG_BLOCK, &terminal_stop, nullptr);
}

}  // namespace

Result<StopSignals> StopSignals::open() {
  StopSignals signals;
  sigset_t stop;
  ::sigemptyset(&stop);
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP}) { ::sigaddset(&stop, number); }
  sigset_t blocked = stop;
  ::sigaddset(&blocked, SIGPIPE);  // the reader of our messages may go away without ending the recording
  ::sigaddset(&blocked, SIGCHLD);  // a thread that does not block it would consume the signal that the ptrace engine waits for
  ::pthread_sigmask(SIG_BLOCK, &blocked, &signals.before_);
  signals.fd_ = Fd(::signalfd(-1, &stop, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!signals.fd_) { return Error::from_errno(errno, "cannot watch for signals"); }
  return signals;
}

StopSignals::~StopSignals() { unblock(); }

void StopSignals::unblock() {
  if (!std::exchange(active_, false)) { return; }
  while (next()) {}  // a pending signal would end this process once unblocked
  sigset_t pipe;
  ::sigemptyset(&pipe);
  ::sigaddset(&pipe, SIGPIPE);
  timespec no_wait{};
  static_cast<void>(::sigtimedwait(&pipe, nullptr, &no_wait));
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<StopSignal> StopSignals::next() {
  signalfd_siginfo info{};
  for (;;) {
    if (!fd_ || ::read(fd_.get(), &info, sizeof info) != sizeof info) { return std::nullopt; }
    if (info.ssi_signo != SIGTSTP) { break; }
    if (before_suspend_) { before_suspend_(); }
    suspend();
  }
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
  Descendants descendants(pid);
  for (Step step : {Step{SIGINT, 2'000'000'000}, Step{SIGTERM, 2'000'000'000}, Step{SIGKILL, 10'000'000'000}}) {
    bool has_it = asked && step.signal == SIGINT;
    descendants.look();
    if (!has_it) {
      ::kill(pid, step.signal);
      descendants.send(step.signal);
    }
    int status = poll_exit(pid, step.patience_ns);
    if (status != -1) { return status; }
  }
  return 0;
}

std::optional<int> wait_for_process(pid_t pid, StopSignals& signals, uint64_t deadline_ns) {
  while (now_ns() < deadline_ns) {
    int status = poll_exit(pid, 50'000'000);
    if (status != -1) { return status; }
    while (std::optional<StopSignal> signal = signals.next()) { pass_on(*signal, pid); }
  }
  return std::nullopt;
}

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "os/command_output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <system_error>

namespace wick {

Status CommandOutput::redirect() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) { return Error::from_errno(errno, "cannot create a pipe"); }
  reader_ = Fd(ends[0]);
  Fd writer(ends[1]), nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  stop_ = Fd(::eventfd(0, EFD_CLOEXEC));
  if (!nothing || !stop_) { return Error::from_errno(errno, "cannot redirect the command's output"); }
  try {
    thread_ = std::thread([this] { read(); });
  } catch (const std::system_error&) { return Error("cannot start a thread (process limit)"); }
  std::fflush(stdout);
  std::fflush(stderr);
  for (int i = 0; i < 3; ++i) {
    saved_[i] = Fd(::fcntl(i, F_DUPFD_CLOEXEC, 3));
    ::dup2(i == 0 ? nothing.get() : writer.get(), i);
  }
  return ok_status();
}

void CommandOutput::restore() {
  for (int i = 0; i < 3; ++i) {
    if (saved_[i]) { ::dup2(saved_[i].get(), i); }
    saved_[i].reset();
  }
}

void CommandOutput::read() {
  std::string buffer(16 << 10, '\0');
  for (;;) {
    pollfd fds[] = {{reader_.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}};
    if (::poll(fds, 2, -1) < 0 && errno != EINTR) { return; }
    // What was written before the end is still read.
    if (fds[0].revents == 0 && fds[1].revents != 0) { return; }
    if (fds[0].revents == 0) { continue; }
    ssize_t got = ::read(reader_.get(), buffer.data(), buffer.size());
    if (got <= 0) { return; }
    std::lock_guard lock(mutex_);
    last_.append(buffer, 0, static_cast<size_t>(got));
    if (last_.size() > 2 * kMostBytes) {
      last_.erase(0, last_.size() - kMostBytes);
      is_cut_ = true;
    }
  }
}

std::string CommandOutput::end() {
  restore();
  if (thread_.joinable()) {
    uint64_t one = 1;
    if (::write(stop_.get(), &one, sizeof one) < 0) { return {}; }
    thread_.join();
  }
  std::lock_guard lock(mutex_);
  if (last_.size() > kMostBytes) {
    last_.erase(0, last_.size() - kMostBytes);
    is_cut_ = true;
  }
  // Not from the middle of a line.
  if (is_cut_) { last_.erase(0, last_.find('\n') + 1); }
  return std::move(last_);
}

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace wick::capture {

// Why a thread does not run. Numbers are those of the file.
enum class WaitKind : uint8_t {
  kUnknown = 0,
  kLock = 1,        // futex: mutexes, condition variables, semaphores, joins
  kSleep = 2,       // for a time
  kPoll = 3,        // for any of several files: poll, select, epoll
  kSocket = 4,      // data or room in a socket, or a connection
  kPipe = 5,        // data or room in a pipe
  kFile = 6,        // any other file: eventfd, timerfd, terminals, locks on files
  kChild = 7,       // the end of a child
  kDisk = 8,        // uninterruptible: a block device, a network file system
  kPageFault = 9,   // a page of memory, from disk
  kUserFault = 10,  // a page that another thread provides (userfaultfd)
  kStopped = 11,    // by a signal or a debugger
  kSignal = 12,     // for a signal
  kMessage = 13,    // System V and POSIX message queues and semaphores
  kOther = 14,      // another system call
};
inline constexpr std::array<std::string_view, 15> kWaitKindNames = {
    "unknown", "lock",       "sleep",      "poll",    "socket", "pipe",    "file",  "child",
    "disk",    "page fault", "user fault", "stopped", "signal", "message", "other",
};

struct WaitCause {
  WaitKind kind = WaitKind::kUnknown;
  // What it waits for, if known: an address of a lock, a path, "socket:[4711]", the name of a system call.
  std::string object;
  friend bool operator==(const WaitCause&, const WaitCause&) = default;
};

}  // namespace wick::capture

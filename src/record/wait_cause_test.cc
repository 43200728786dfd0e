// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/wait_cause.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>

namespace wick {
namespace {

using capture::WaitCause;
using capture::WaitKind;

WaitCause cause_of(long number, const std::string& file = "", char state = 'S', uint64_t argument = 3) {
  TaskCall call;
  call.number = number;
  call.arguments[0] = argument;
  return find_wait_cause(call, state, [&](uint64_t descriptor) { return descriptor == argument ? file : "another file"; });
}

TEST(WaitCause, SystemCallsHaveAKind) {
  EXPECT_EQ(cause_of(SYS_futex, "", 'S', 0x7f01), (WaitCause{WaitKind::kLock, "0x7f01"}));
  EXPECT_EQ(cause_of(SYS_clock_nanosleep), (WaitCause{WaitKind::kSleep, "clock_nanosleep"}));
  EXPECT_EQ(cause_of(SYS_epoll_pwait), (WaitCause{WaitKind::kPoll, "epoll_pwait"}));
  EXPECT_EQ(cause_of(SYS_wait4), (WaitCause{WaitKind::kChild, "wait4"}));
  EXPECT_EQ(cause_of(SYS_rt_sigtimedwait).kind, WaitKind::kSignal);
}

TEST(WaitCause, DescriptorsTellWhatIsBehindThem) {
  EXPECT_EQ(cause_of(SYS_read, "pipe:[12]"), (WaitCause{WaitKind::kPipe, "pipe:[12]"}));
  EXPECT_EQ(cause_of(SYS_read, "socket:[12]"), (WaitCause{WaitKind::kSocket, "socket:[12]"}));
  EXPECT_EQ(cause_of(SYS_read, "/dev/pts/0"), (WaitCause{WaitKind::kFile, "/dev/pts/0"}));
  EXPECT_EQ(cause_of(SYS_accept4, ""), (WaitCause{WaitKind::kSocket, "accept4"})) << "the file is unknown";
}

TEST(WaitCause, StateTellsDisksAndStops) {
  EXPECT_EQ(cause_of(SYS_fsync, "/var/x", 'D'), (WaitCause{WaitKind::kDisk, "/var/x"}));
  EXPECT_EQ(cause_of(SYS_read, "pipe:[12]", 'D').kind, WaitKind::kPipe);
  EXPECT_EQ(cause_of(SYS_read, "/var/x", 'T').kind, WaitKind::kStopped);
  EXPECT_EQ(cause_of(-1, "", 'D').kind, WaitKind::kPageFault);
  EXPECT_EQ(cause_of(-1, "", 'S').kind, WaitKind::kUserFault);
  EXPECT_EQ(cause_of(100'000).kind, WaitKind::kOther);
}

}  // namespace
}  // namespace wick

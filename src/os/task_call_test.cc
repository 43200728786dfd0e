// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "os/task_call.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace wick {
namespace {

TEST(TaskCall, ParsesCallsAndOtherWaits) {
  std::optional<TaskCall> call = parse_task_call("202 0x7f01 0x80 0x0 0x0 0x0 0xffffffff 0x7ffd10 0x7f2ad\n");
  ASSERT_TRUE(call);
  EXPECT_EQ(call->number, 202);
  EXPECT_EQ(call->arguments[0], 0x7f01u);
  EXPECT_EQ(call->arguments[5], 0xffffffffu);
  EXPECT_EQ(call->sp, 0x7ffd10u);
  EXPECT_EQ(call->pc, 0x7f2adu);
  std::optional<TaskCall> fault = parse_task_call("-1 0x7ffd10 0x7f2ad\n");
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->number, -1);
  EXPECT_EQ(fault->pc, 0x7f2adu);
}

TEST(TaskCall, RejectsAnythingElse) {
  for (const char* text : {"running\n", "", "202", "202 0x1 0x2\n", "-1 0x1\n", "-2 0x1 0x2\n", "-1 0x1 0x2 0x3\n", "-1 1 2\n",
                           "202 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x12345678901234567\n"}) {
    EXPECT_FALSE(parse_task_call(text)) << text;
  }
}

TEST(TaskCall, ReadsAChildThatWaits) {
  int fds[2];
  ASSERT_EQ(::pipe(fds), 0);
  pid_t child = ::fork();
  if (child == 0) {
    char byte;
    ::_exit(::read(fds[0], &byte, 1) == 1 ? 0 : 1);
  }
  Fd file = open_task_call(child, child);
  std::optional<TaskCall> call;
  for (int i = 0; i < 1000 && file && !(call && call->number == SYS_read); ++i) {
    ::usleep(1000);
    call = read_task_call(file);
  }
  EXPECT_EQ(::write(fds[1], "x", 1), 1);
  ::waitpid(child, nullptr, 0);
  if (!file) { GTEST_SKIP() << "/proc/PID/syscall may not be read"; }
  ASSERT_TRUE(call);
  EXPECT_EQ(call->number, SYS_read);
  EXPECT_EQ(call->arguments[0], static_cast<uint64_t>(fds[0]));
  EXPECT_FALSE(read_task_call(file)) << "it has ended";
}

}  // namespace
}  // namespace wick

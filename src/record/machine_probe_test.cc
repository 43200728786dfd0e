// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/machine_probe.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace wick {
namespace {

TEST(MachineProbe, PtraceLeavesNoChildBehind) {
  int errnum = probe_ptrace();
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
  if (load_machine().ptrace_scope.value_or(0) <= 2 && load_machine().seccomp_mode == 0) { EXPECT_EQ(errnum, 0); }
}

TEST(MachineProbe, RingSizeIsPowerOfTwo) {
  if (!probe_software_clock().opened) {
    EXPECT_EQ(probe_ring_bytes(1 << 19), 0u);
    GTEST_SKIP() << "no events here";
  }
  uint64_t ring = probe_ring_bytes(1 << 19);
  EXPECT_LE(ring, 1u << 19);
  EXPECT_EQ(ring & (ring - 1), 0u);
  EXPECT_GT(ring, 0u);
}

TEST(MachineProbe, OwnProcessMatchesSoftwareClock) { EXPECT_EQ(probe_process(::getpid()).opened, probe_software_clock().opened); }

TEST(MachineProbe, ReportsMissingProcess) {
  EventProbe probe = probe_process(0x3ffffff);
  EXPECT_FALSE(probe.opened);
  EXPECT_NE(probe.errnum, 0);
}

TEST(MachineProbe, ReportsMissingTracepoint) {
  int errnum = 0;
  EXPECT_EQ(find_tracepoint("no_such_system", "no_such_event", errnum), 0u);
  EXPECT_NE(errnum, 0);
}

}  // namespace
}  // namespace wick

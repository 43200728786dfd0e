// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/stop_clock.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "os/proc_tasks.h"
#include "record/event_spec.h"
#include "record/perf_open.h"
#include "record/ptrace_call.h"
#include "record/stop_sampler.h"

namespace wick {
namespace {

uint64_t bit(int number) { return uint64_t{1} << (number - 1); }

TEST(StopClock, ChoosesASignalThatTheThreadDoesNotUse) {
  EXPECT_EQ(choose_stop_signal(0, 0), SIGURG);
  EXPECT_EQ(choose_stop_signal(bit(SIGURG), 0), SIGWINCH);
  EXPECT_EQ(choose_stop_signal(0, bit(SIGURG)), SIGWINCH);
  EXPECT_EQ(choose_stop_signal(bit(SIGURG), bit(SIGWINCH)), std::nullopt);
  EXPECT_EQ(choose_stop_signal(~uint64_t{0}, 0), std::nullopt);
}

class SameMoment : public ::testing::Test {
 protected:
  SameMoment() {
    numbers = register_numbers(host_arch());
    sample.user.set(numbers.pc, 0x1000);
    sample.user.set(numbers.sp, 0x7000);
    sample.user.set(numbers.fp, 0x7100);
    sample.user.set(1, 5);
    stopped = sample.user;
  }
  RegisterNumbers numbers{};
  RawSample sample;
  Registers stopped;
};

TEST_F(SameMoment, NeedsAllRegistersInUserSpace) {
  EXPECT_TRUE(is_same_moment(sample, stopped));
  stopped.set(1, 6);
  EXPECT_FALSE(is_same_moment(sample, stopped));
  stopped.set(1, 5);
  stopped.set(numbers.pc, 0x0ffe);
  EXPECT_FALSE(is_same_moment(sample, stopped));
}

TEST_F(SameMoment, ASystemCallMayChangeSomeAndBeRestarted) {
  sample.in_kernel = true;
  stopped.set(1, 6);
  EXPECT_TRUE(is_same_moment(sample, stopped));
  stopped.set(numbers.pc, 0x1000 - (host_arch() == Arch::kX86_64 ? 2 : 4));
  EXPECT_TRUE(is_same_moment(sample, stopped));
  stopped.set(numbers.pc, 0x1004);
  EXPECT_FALSE(is_same_moment(sample, stopped));
  stopped = sample.user;
  stopped.set(numbers.sp, 0x7008);
  EXPECT_FALSE(is_same_moment(sample, stopped));
}

TEST_F(SameMoment, NeedsRegisters) {
  EXPECT_FALSE(is_same_moment(sample, Registers{}));
  sample.user = {};
  EXPECT_FALSE(is_same_moment(sample, stopped));
}

[[noreturn]] void burn_forever() {
  volatile uint64_t x = 1;
  for (;;) { x = x * 3 + 1; }
}

TEST(StopClock, StopsAThreadAtEachSample) {
  pid_t child = ::fork();
  if (child == 0) { burn_forever(); }
  ASSERT_GT(child, 0);
  if (ptrace_call(PTRACE_SEIZE, child, 0, 0) != 0) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    GTEST_SKIP() << "ptrace is not permitted";
  }
  RecordOptions options;
  options.rate_hz = 997;
  EventSpec spec = default_software_event();
  perf_event_attr attr = sampling_attr(spec, options, PerfPlan{});
  std::unique_ptr<StopClock> clock = StopClock::start(attr, child, child, 1'000'000);
  if (clock != nullptr) {
    uint64_t weight = 0;
    for (int i = 0; i < 20; ++i) {
      int status = 0;
      ASSERT_EQ(::waitpid(child, &status, __WALL), child);
      ASSERT_TRUE(WIFSTOPPED(status)) << status;
      ASSERT_TRUE(clock->has_stopped(WSTOPSIG(status))) << status;
      std::optional<StoppedRegisters> registers = read_stopped_registers(child);
      ASSERT_TRUE(registers);
      std::span<RawSample> samples = clock->take();
      ASSERT_EQ(samples.size(), 1u) << i;
      EXPECT_TRUE(is_same_moment(samples[0], registers->user));
      EXPECT_EQ(samples[0].tid, static_cast<uint32_t>(child));
      weight += samples[0].weight;
      clock->rearm(i == 18 ? 3'000'000 : 0);
      ASSERT_EQ(ptrace_call(PTRACE_CONT, child, 0, 0), 0);
    }
    EXPECT_GT(weight, (20'000'000u * 15 / 16) + 1'500'000u);  // the last one represents about four periods
    EXPECT_LT(weight, (20'000'000u * 17 / 16) + 4'500'000u);
  }
  bool was_refused = clock == nullptr;
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, __WALL);
  if (was_refused) { GTEST_SKIP() << "perf_event_open is not permitted"; }
}

}  // namespace
}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/perf_targets.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "os/proc_tasks.h"

namespace wick {
namespace {

constexpr pid_t kNobody = 999'999'999;

TEST(PerfTargets, EndedTargetIsErrorOrSkipped) {
  RecordOptions options;
  options.pids = {::getpid(), kNobody};
  options.tids = {::gettid(), kNobody};
  EXPECT_FALSE(load_target_threads(options, true).ok());
  Result<std::vector<pid_t>> living = load_target_threads(options, false);
  ASSERT_TRUE(living.ok());
  EXPECT_EQ(std::count(living->begin(), living->end(), ::getpid()), 1);  // a sanitizer may have its own threads
  EXPECT_EQ(std::count(living->begin(), living->end(), kNobody), 0);
}

TEST(PerfTargets, FindsMappingsAfterFirstThreadEnded) {
  pid_t pid = ::fork();
  if (pid == 0) {
    std::thread([] { ::usleep(30'000'000); }).detach();
    ::syscall(SYS_exit, 0);  // only this thread
  }
  auto state = [&] { return load_task_stat(pid, pid).value_or(TaskStat{}).state; };
  for (int i = 0; i < 500 && state() != 'Z'; ++i) { ::usleep(10'000); }
  ASSERT_EQ(state(), 'Z');
  std::vector<SideEvent> events = describe_processes({pid}, 1);
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  auto is_mapping = [](const SideEvent& event) { return std::holds_alternative<MmapEvent>(event); };
  EXPECT_TRUE(std::any_of(events.begin(), events.end(), is_mapping));
}

}  // namespace
}  // namespace wick

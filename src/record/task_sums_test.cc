// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/task_sums.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "os/proc_tasks.h"

namespace wick {
namespace {

#if defined(__SANITIZE_THREAD__)
#define WICK_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WICK_TSAN 1
#endif
#endif
#ifdef WICK_TSAN
constexpr uint64_t kTasks = 7;  // the sanitizer starts two threads
#else
constexpr uint64_t kTasks = 5;
#endif

// A child, and threads that it starts on one CPU, wait for each other. They report what /proc says just before they end: at least
// that much must be in the sums once they have ended, and nothing of a process that is not followed.
TEST(TaskSums, AddsUpWhatEndedThreadsWaited) {
  Result<TaskSums> sums = TaskSums::load();
  if (!sums.ok()) { GTEST_SKIP() << sums.error().message(); }
  int go[2], out[2];
  ASSERT_EQ(::pipe(go), 0);
  ASSERT_EQ(::pipe(out), 0);
  pid_t child = ::fork();
  if (child == 0) {
    char byte = 0;
    if (::read(go[0], &byte, 1) != 1) { ::_exit(1); }
    cpu_set_t allowed, one;
    ::sched_getaffinity(0, sizeof allowed, &allowed);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &allowed)) { ++cpu; }
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    ::sched_setaffinity(0, sizeof one, &one);
    std::atomic<uint64_t> waited = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        while (thread_cpu_ns() < 20'000'000) {}
        waited += load_task_times(::getpid(), ::gettid()).value_or(TaskTimes{}).wait_ns;
      });
    }
    for (std::thread& thread : threads) { thread.join(); }
    uint64_t all = waited;
    ::_exit(::write(out[1], &all, sizeof all) == sizeof all ? 0 : 1);
  }
  ASSERT_TRUE(sums->follow(child).ok());
  EXPECT_EQ(sums->read().living, 1u);
  ASSERT_EQ(::write(go[1], "g", 1), 1);
  uint64_t waited = 0;
  ASSERT_EQ(::read(out[0], &waited, sizeof waited), static_cast<ssize_t>(sizeof waited));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_GT(waited, 0u);
  TaskSums::Ended ended = sums->read();
  EXPECT_GE(ended.wait_ns, waited);
  EXPECT_EQ(ended.living, 0u);
  EXPECT_LE(ended.ending, kTasks);
  for (int fd : {go[0], go[1], out[0], out[1]}) { ::close(fd); }
}

}  // namespace
}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "os/proc_tasks.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

namespace wick {
namespace {

TEST(ProcTasks, ReadsStatWithAnyName) {
  std::string tail = " S 41 42 42 0 -1 4194560 1 0 0 0 5 6 0 3 20 0 1 0 1250 8192 100 1\n";
  auto stat = parse_task_stat("42 (bash)" + tail, 100);
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->name, "bash");
  EXPECT_EQ(stat->state, 'S');
  EXPECT_EQ(stat->parent_pid, 41);
  EXPECT_EQ(stat->start_ns, 12'500'000'000u);
  EXPECT_EQ(stat->cpu_ns, 110'000'000u);
  EXPECT_EQ(stat->system_ns, 90'000'000u);
  stat = parse_task_stat("42 (a) R 1 (b c)" + tail, 100);
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->name, "a) R 1 (b c");
  EXPECT_EQ(stat->parent_pid, 41);
}

TEST(ProcTasks, RejectsMalformedStat) {
  for (const char* text :
       {"", "42", "42 (a", "42 a) S 1", ")(", "42 (a) S", "42 (a) S x 42 42 0 -1 1 1 0 0 0 5 6 0 0 20 0 1 0 1250 1",
        "42 (a) S 1 42 42 0 -1 1 1 0 0 0 5 6 0 0 20 0 1 0 start 1", "42 (a) SS 1 42 42 0 -1 1 1 0 0 0 5 6 0 0 20 0 1 0 1 1"}) {
    EXPECT_FALSE(parse_task_stat(text, 100)) << text;
  }
}

TEST(ProcTasks, ReadsStolenTime) {
  std::string cpus = "\ncpu0 1 2 3 4 5 6 7 9 0 0\nintr 1\n";
  EXPECT_EQ(parse_stolen_time("cpu  10 20 30 40 50 60 70 125 0 0" + cpus, 100), 1'250'000'000u);
  EXPECT_EQ(parse_stolen_time("cpu  10 20 30 40 50 60 70 125", 100), 1'250'000'000u);
  for (const char* text : {"", "cpu  10 20 30 40 50 60 70", "cpu0 1 2 3 4 5 6 7 9 9 9", "cpu  10 20 30 40 50 60 70 x 0 0"}) {
    EXPECT_EQ(parse_stolen_time(text + cpus, 100), 0u) << text;
  }
}

TEST(ProcTasks, ReadsSchedstat) {
  auto times = parse_schedstat("123456789 4321 17\n");
  ASSERT_TRUE(times);
  EXPECT_EQ(times->run_ns, 123456789u);
  EXPECT_EQ(times->wait_ns, 4321u);
  EXPECT_EQ(times->slices, 17u);
  for (const char* text : {"", "1", "1 2", "1 2 ", "x 1 2", "1 y 2", "-1 2 3", "99999999999999999999 1 2"}) {
    EXPECT_FALSE(parse_schedstat(text)) << text;
  }
}

TEST(ProcTasks, ReadsStatusNumbers) {
  std::string_view text = "Name:\tTgid: 3\nTgid:\t12\nTracerPid:\t0\nTgidX:\t9\n";
  EXPECT_EQ(parse_status_number(text, "Tgid"), 12u);
  EXPECT_EQ(parse_status_number(text, "TracerPid"), 0u);
  EXPECT_EQ(parse_status_number(text, "Pid"), std::nullopt);
  EXPECT_EQ(parse_status_number(text, "Name"), std::nullopt);
}

TEST(ProcTasks, FindsOwnProcess) {
  std::vector<pid_t> processes = load_process_ids();
  EXPECT_TRUE(std::binary_search(processes.begin(), processes.end(), ::getpid()));
  pid_t other = 0;
  std::thread thread([&] {
    other = ::gettid();
    ::prctl(PR_SET_NAME, "odd )name(");
    EXPECT_EQ(load_task_name(::getpid(), other), "odd )name(");
    auto stat = load_task_stat(::getpid(), other);
    ASSERT_TRUE(stat);
    EXPECT_EQ(stat->name, "odd )name(");
    EXPECT_EQ(stat->state, 'R');
    EXPECT_EQ(stat->parent_pid, ::getppid());
    std::vector<pid_t> tasks = load_task_ids(::getpid());
    EXPECT_EQ(std::count(tasks.begin(), tasks.end(), other), 1);
    EXPECT_EQ(std::count(tasks.begin(), tasks.end(), ::getpid()), 1);
    EXPECT_EQ(load_process_of_thread(other), ::getpid());
    EXPECT_TRUE(load_task_times(::getpid(), other));
  });
  thread.join();
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  auto stat = load_task_stat(::getpid(), ::getpid());
  ASSERT_TRUE(stat);
  uint64_t now_boot_ns = static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
  EXPECT_LE(stat->start_ns, now_boot_ns);
  EXPECT_LT(now_boot_ns - stat->start_ns, 3600'000'000'000u);
}

TEST(ProcTasks, EndedTaskIsMissing) {
  constexpr pid_t kNone = 0x7ffffffe;
  EXPECT_TRUE(load_task_ids(kNone).empty());
  EXPECT_EQ(load_task_name(kNone, kNone), "");
  EXPECT_FALSE(load_task_stat(kNone, kNone));
  EXPECT_FALSE(load_process_of_thread(kNone));
}

}  // namespace
}  // namespace wick

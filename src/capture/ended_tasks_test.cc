// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "capture/ended_tasks.h"

#include <gtest/gtest.h>

namespace wick {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

RawSample sample(uint64_t time_ns, uint32_t pid, uint32_t tid, uint32_t cpu) {
  RawSample s;
  s.time_ns = time_ns;
  s.pid = pid;
  s.tid = tid;
  s.cpu = cpu;
  return s;
}

std::pair<uint32_t, uint32_t> named(const EndedTasks& tasks, RawSample s) {
  return tasks.name(s) ? std::pair{s.pid, s.tid} : std::pair{kNone, kNone};
}

TEST(EndedTasks, NamesTheLastExitOfTheCpu) {
  EndedTasks tasks;
  tasks.on_exit(0, {10, 7, 71});
  tasks.on_exit(1, {15, 7, 75});
  tasks.on_exit(0, {20, 7, 72});
  tasks.on_exit(0, {30, 8, 8});
  EXPECT_EQ(named(tasks, sample(12, 7, kNone, 0)), (std::pair{7u, 71u}));
  EXPECT_EQ(named(tasks, sample(20, 7, kNone, 0)), (std::pair{7u, 72u}));
  EXPECT_EQ(named(tasks, sample(25, 7, kNone, 1)), (std::pair{7u, 75u}));
  EXPECT_EQ(named(tasks, sample(31, kNone, kNone, 0)), (std::pair{8u, 8u}));
}

TEST(EndedTasks, NamesNothingWithoutEvidence) {
  EndedTasks tasks;
  tasks.on_exit(0, {10, 7, 71});
  EXPECT_EQ(named(tasks, sample(9, 7, kNone, 0)), (std::pair{kNone, kNone})) << "before the exit";
  EXPECT_EQ(named(tasks, sample(11, 7, kNone, 1)), (std::pair{kNone, kNone})) << "another CPU";
  EXPECT_EQ(named(tasks, sample(11, 8, kNone, 0)), (std::pair{kNone, kNone})) << "another process";
}

TEST(EndedTasks, LeavesTasksWithAnIdAlone) {
  EndedTasks tasks;
  tasks.on_exit(0, {10, 7, 71});
  EXPECT_EQ(named(tasks, sample(11, 7, 72, 0)), (std::pair{7u, 72u}));
}

TEST(EndedTasks, KeepsTheLastExitWhenForgetting) {
  EndedTasks tasks;
  for (uint32_t i = 1; i <= 5; ++i) { tasks.on_exit(0, {i * 10, 7, i}); }
  tasks.forget_until(35);
  EXPECT_EQ(named(tasks, sample(36, 7, kNone, 0)), (std::pair{7u, 3u}));
  EXPECT_EQ(named(tasks, sample(45, 7, kNone, 0)), (std::pair{7u, 4u}));
  EXPECT_EQ(named(tasks, sample(25, 7, kNone, 0)), (std::pair{kNone, kNone}));
}

}  // namespace
}  // namespace wick

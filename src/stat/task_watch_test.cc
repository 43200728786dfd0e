// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "stat/task_watch.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace wick::stat {
namespace {

TEST(TaskWatch, ReadsFaultsAndSwitchesOfAThread) {
  constexpr size_t kPages = 1000;
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  void* memory = ::mmap(nullptr, kPages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  ASSERT_EQ(::madvise(memory, kPages * page, MADV_NOHUGEPAGE), 0);
  TaskUse before = load_task_use(::getpid(), ::gettid(), true);
  for (size_t i = 0; i < kPages; ++i) { static_cast<volatile char*>(memory)[i * page] = 1; }
  for (int i = 0; i < 20; ++i) { ::usleep(1000); }
  TaskUse after = load_task_use(::getpid(), ::gettid(), true);
  EXPECT_GE(after.faults, before.faults + kPages);
  EXPECT_GE(after.voluntary, before.voluntary + 20);
  EXPECT_GT(after.run_ns, before.run_ns);
  ::munmap(memory, kPages * page);
}

TEST(TaskWatch, AnEndedThreadHasUsedNothing) {
  TaskUse use = load_task_use(::getpid(), 1, true);  // not a thread of this process
  EXPECT_EQ(use.faults + use.voluntary + use.run_ns, 0u);
}

}  // namespace
}  // namespace wick::stat

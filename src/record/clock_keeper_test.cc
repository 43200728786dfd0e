// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/clock_keeper.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

namespace wick {
namespace {

constexpr uint64_t kMs = 1'000'000;

void short_threads(ClockKeeper& keeper, uint32_t pid, uint32_t first, uint32_t count, uint64_t begin_ns) {
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t at = begin_ns + i * kMs;
    keeper.on_fork({at, pid, pid, first + i, pid});
    keeper.on_exit({at + kMs / 2, pid, first + i});
  }
}

std::vector<pid_t> found(ClockKeeper& keeper, uint64_t now_ns) {
  std::vector<pid_t> tids = keeper.find_long_lived(now_ns);
  std::sort(tids.begin(), tids.end());
  return tids;
}

TEST(ClockKeeper, FindsLongLivedThreadsBesideShortOnesOnce) {
  ClockKeeper keeper;
  keeper.on_fork({kMs, 100, 100, 101, 100});
  EXPECT_TRUE(found(keeper, 300 * kMs).empty());  // no short ones
  short_threads(keeper, 100, 1000, 20, 300 * kMs);
  keeper.on_fork({398 * kMs, 100, 100, 102, 100});
  EXPECT_EQ(found(keeper, 400 * kMs), (std::vector<pid_t>{100, 101}));
  EXPECT_EQ(found(keeper, 500 * kMs), (std::vector<pid_t>{102}));
  EXPECT_TRUE(found(keeper, 600 * kMs).empty());
}

TEST(ClockKeeper, LeavesEndedThreadsAlone) {
  ClockKeeper keeper;
  keeper.begin(100);
  keeper.on_fork({kMs, 100, 100, 101, 100});
  short_threads(keeper, 100, 1000, 20, 2 * kMs);
  keeper.on_exit({90 * kMs, 100, 101});
  EXPECT_EQ(found(keeper, 100 * kMs), (std::vector<pid_t>{100}));
}

TEST(ClockKeeper, NeedsManyShortThreads) {
  ClockKeeper keeper;
  keeper.begin(100);
  short_threads(keeper, 100, 1000, 5, kMs);
  EXPECT_TRUE(found(keeper, 200 * kMs).empty());
}

TEST(ClockKeeper, ForgetsEventsOfEndedThreads) {
  ClockKeeper keeper;
  auto own = static_cast<uint32_t>(::getpid());
  keeper.begin(own);
  keeper.keep(static_cast<pid_t>(own));
  if (keeper.kept() == 0) { GTEST_SKIP() << "perf_event_open is not permitted"; }
  keeper.on_exit({1, own, own});
  EXPECT_EQ(keeper.kept(), 0u);
}

}  // namespace
}  // namespace wick

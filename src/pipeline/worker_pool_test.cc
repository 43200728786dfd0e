// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>

#include "pipeline/no_threads_testing.h"

namespace wick {
namespace {

TEST(WorkerPool, EveryWorkerWorksOncePerRound) {
  WorkerPool pool(3);
  ASSERT_EQ(pool.size(), 4u);
  std::vector<int> done(4);  // one element per worker: TSan would report a race
  for (int round = 1; round <= 100; ++round) {
    pool.run([&](unsigned worker) { ++done[worker]; });
    for (int n : done) { ASSERT_EQ(n, round); }
  }
}

TEST(WorkerPool, WithoutHelpersTheCallerWorks) {
  WorkerPool pool(0);
  int done = 0;
  pool.run([&](unsigned worker) { done += worker == 0 ? 1 : 100; });
  EXPECT_EQ(done, 1);
}

TEST(WorkerPool, CallerDoesThePartOfMissingThreads) {
  int rounds = run_without_threads([] {
    WorkerPool pool(3);
    std::vector<int> done(4);
    for (int round = 0; round < 3; ++round) {
      pool.run([&](unsigned worker) { ++done[worker]; });
    }
    return done == std::vector<int>{3, 3, 3, 3} ? 3 : 0;
  });
  EXPECT_EQ(rounds, 3);
}

}  // namespace
}  // namespace wick

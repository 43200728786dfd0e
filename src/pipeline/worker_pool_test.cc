// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>

namespace wick {
namespace {

TEST(WorkerPool, EveryWorkerWorksOncePerRound) {
  WorkerPool pool(3);
  ASSERT_EQ(pool.size(), 4u);
  std::vector<int> done(4);  // each worker has its own element: a race would be seen by TSan
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

}  // namespace
}  // namespace wick

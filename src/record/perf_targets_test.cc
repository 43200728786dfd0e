// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/perf_targets.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace wick {
namespace {

constexpr pid_t kNobody = 999'999'999;

TEST(PerfTargets, OneThatEndedIsAnErrorOrLeftOut) {
  RecordOptions options;
  options.pids = {::getpid(), kNobody};
  options.tids = {::gettid(), kNobody};
  EXPECT_FALSE(load_target_threads(options, true).ok());
  Result<std::vector<pid_t>> living = load_target_threads(options, false);
  ASSERT_TRUE(living.ok());
  EXPECT_EQ(*living, std::vector<pid_t>{::getpid()});
}

}  // namespace
}  // namespace wick

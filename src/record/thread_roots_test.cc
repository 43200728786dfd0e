// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/thread_roots.h"

#include <gtest/gtest.h>

namespace wick {
namespace {

TEST(ThreadRoots, UsesFirstSeenRoot) {
  ThreadRoots roots;
  EXPECT_TRUE(roots.covers(10, 12, 100));
  EXPECT_FALSE(roots.covers(11, 12, 100));
  EXPECT_TRUE(roots.covers(10, 12, 200));
  EXPECT_TRUE(roots.covers(11, 13, 200));
}

TEST(ThreadRoots, ReusedTidStartsOver) {
  ThreadRoots roots;
  EXPECT_TRUE(roots.covers(10, 12, 100));
  roots.begin(12, 300);
  roots.begin(12, 301);
  // Two rings are read one after the other: the old thread's last samples may come after the new one's first.
  EXPECT_TRUE(roots.covers(11, 12, 400));
  EXPECT_TRUE(roots.covers(10, 12, 200));
  EXPECT_FALSE(roots.covers(11, 12, 200));
  EXPECT_FALSE(roots.covers(10, 12, 500));
  EXPECT_TRUE(roots.covers(11, 12, 500));
}

}  // namespace
}  // namespace wick

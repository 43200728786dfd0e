// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "base/result.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <memory>
#include <string>

namespace wick {
namespace {

Result<int> half(int n) {
  if (n % 2 != 0) { return Error("%d is odd", n).with_code(Errc::kBadInput); }
  return n / 2;
}

Result<int> quarter(int n) {
  WICK_LET(int h, half(n));
  WICK_LET(int q, half(h));
  return q;
}

Status check(int n) {
  WICK_OK(half(n));
  return ok_status();
}

TEST(Result, HoldsValueOrError) {
  Result<int> good = half(4);
  ASSERT_TRUE(good.ok());
  EXPECT_TRUE(static_cast<bool>(good));
  EXPECT_EQ(*good, 2);
  Result<int> bad = half(3);
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().message(), "3 is odd");
  EXPECT_EQ(bad.error().code(), Errc::kBadInput);
  EXPECT_EQ(half(4).value_or(9), 2);
  EXPECT_EQ(half(3).value_or(9), 9);
}

TEST(Result, LetReturnsFirstError) {
  EXPECT_EQ(*quarter(8), 2);
  EXPECT_EQ(quarter(6).error().message(), "3 is odd");
  EXPECT_EQ(quarter(5).error().message(), "5 is odd");
  EXPECT_EQ(quarter(5).error().code(), Errc::kBadInput);
  EXPECT_TRUE(check(2).ok());
  EXPECT_EQ(check(1).error().message(), "1 is odd");
}

TEST(Result, HoldsMoveOnlyTypes) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
  std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 5);
}

TEST(Result, ErrorCollectsContextAndHint) {
  Error inner = Error("no such event").context("cannot count \"x\"");
  Error error = std::move(inner).context("wick").with_hint("perf list").with_code(Errc::kUsage);
  EXPECT_EQ(error.message(), "wick: cannot count \"x\": no such event");
  EXPECT_EQ(error.hint(), "perf list");
  EXPECT_EQ(error.code(), Errc::kUsage);
  EXPECT_EQ(error.errnum(), 0);
}

TEST(Result, ErrnoGivesTextAndCode) {
  Error error = Error::from_errno(ENOENT, "cannot open %s", "x");
  EXPECT_EQ(error.message(), "cannot open x: no such file or directory");
  EXPECT_EQ(error.code(), Errc::kNotFound);
  EXPECT_EQ(error.errnum(), ENOENT);
  EXPECT_EQ(Error::from_errno(EACCES, "x").code(), Errc::kPermission);
  EXPECT_EQ(Error::from_errno(EPERM, "x").code(), Errc::kPermission);
  EXPECT_EQ(Error::from_errno(ENOSPC, "x").code(), Errc::kNoSpace);
  EXPECT_EQ(Error::from_errno(ESRCH, "x").code(), Errc::kNotFound);
  EXPECT_EQ(Error::from_errno(EIO, "x").code(), Errc::kOther);
}

TEST(Result, MessageMayContainPercentSigns) {
  std::string name = "100%s%n";
  EXPECT_EQ(Error("cannot open %s", name.c_str()).context("50%d").message(), "50%d: cannot open 100%s%n");
}

using ResultDeathTest = ::testing::Test;

TEST(ResultDeathTest, MissingValueAbortsWithMessage) {
  Result<int> bad = half(3);
  EXPECT_DEATH(static_cast<void>(*bad), "3 is odd");
  Result<int> good = half(2);
  EXPECT_DEATH(static_cast<void>(good.error()), "internal error");
  EXPECT_DEATH(WICK_ASSERT(1 + 1 == 3, "sums are right"), "internal error: sums are right .1 . 1 == 3, ");
}

}  // namespace
}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/record_options.h"

#include <gtest/gtest.h>

namespace wick {
namespace {

RecordArguments a_command() {
  RecordArguments arguments;
  arguments.command = {"true"};
  return arguments;
}

TEST(RecordOptions, TheDefaultRateIsWhatTheKernelAllows) {
  Machine machine;
  machine.max_sample_rate_hz = 100'000;
  Result<RecordRequest> request = understand(a_command(), machine);
  ASSERT_TRUE(request.ok());
  EXPECT_EQ(request->options.rate_hz, 997u);
  EXPECT_TRUE(request->notes.empty());

  machine.max_sample_rate_hz = 500;
  request = understand(a_command(), machine);
  ASSERT_TRUE(request.ok());
  EXPECT_EQ(request->options.rate_hz, 500u);
  EXPECT_EQ(request->notes.size(), 1u);

  RecordArguments asked = a_command();
  asked.rate = "997";
  EXPECT_FALSE(understand(asked, machine).ok()) << "what was asked for is not quietly replaced";
}

}  // namespace
}  // namespace wick

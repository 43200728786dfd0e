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

TEST(RecordOptions, DefaultRateIsCappedByTheKernelLimit) {
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

TEST(RecordOptions, ARecordingNeedsAFile) {
  RecordArguments arguments = a_command();
  arguments.output = "-";
  Result<RecordRequest> request = understand(arguments, Machine());
  ASSERT_FALSE(request.ok());
  EXPECT_EQ(request.error().code(), Errc::kUsage);
  arguments.output = "./-";
  EXPECT_TRUE(understand(arguments, Machine()).ok());
}

TEST(RecordOptions, PerfSpellings) {
  auto mode = [](const char* call_graph, const char* unwind = "") {
    RecordArguments arguments = a_command();
    arguments.call_graph = call_graph;
    arguments.unwind = unwind;
    Result<RecordRequest> request = understand(arguments, Machine());
    return request.ok() ? std::optional(request->options.unwind) : std::nullopt;
  };
  EXPECT_EQ(mode(""), UnwindMode::kDwarf);
  EXPECT_EQ(mode("fp"), UnwindMode::kFramePointers);
  for (const char* word : {"dwarf", "dwarf,8192", "dwarf,64k", "lbr"}) { EXPECT_EQ(mode(word), UnwindMode::kDwarf) << word; }
  for (const char* word : {"fb", "dwarf,", "dwarf,much", "fp,8192", "lbr,1", ","}) {
    EXPECT_EQ(mode(word), std::nullopt) << word;
  }
  EXPECT_EQ(mode("", "fp"), UnwindMode::kFramePointers);
  EXPECT_EQ(mode("fp", "fp"), UnwindMode::kFramePointers);
  EXPECT_EQ(mode("fp", "dwarf"), std::nullopt);
}

TEST(RecordOptions, AutoEventHasNoPeriod) {
  RecordArguments arguments = a_command();
  arguments.events = "auto";
  EXPECT_TRUE(understand(arguments, Machine()).ok());
  arguments.period = 1000;
  EXPECT_FALSE(understand(arguments, Machine()).ok());
}

}  // namespace
}  // namespace wick

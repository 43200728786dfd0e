// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/record_summary.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace wick {
namespace {

std::string summary_of(const RecordingOutcome& outcome) {
  RecordRequest request;
  request.output = "profile.wick";
  ::testing::internal::CaptureStderr();
  print_record_summary(outcome, request);
  return ::testing::internal::GetCapturedStderr();
}

TEST(RecordSummary, NamesOfOthersDoNotReachTheTerminalRaw) {
  RecordingOutcome outcome;
  outcome.totals.samples = 200;
  outcome.hottest = {{"ev\x1b[31mil\xff", "mod\x1b.so", 100}};
  outcome.unnamed = {{"/tmp/\x1b[2J", "", "", 100}};
  std::string text = summary_of(outcome);
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
  EXPECT_EQ(text.find('\xff'), std::string::npos) << text;
  EXPECT_NE(text.find("ev\\x1b[31mil"), std::string::npos) << text;
}

TEST(RecordSummary, LongNamesAreCutBetweenCharacters) {
  std::string name = "f<";
  for (int i = 0; i < 100; ++i) { name += "é"; }
  RecordingOutcome outcome;
  outcome.totals.samples = 200;
  outcome.hottest = {{name, "app", 100}};
  std::string text = summary_of(outcome);
  EXPECT_EQ(printable(text.substr(0, text.find('\n'))), text.substr(0, text.find('\n')));
  size_t at = text.find("f<");
  std::string shown = text.substr(at, text.find("  (app)") - at);
  EXPECT_EQ(printable(shown), shown);
  EXPECT_LE(display_width(shown), 90);
}

}  // namespace
}  // namespace wick

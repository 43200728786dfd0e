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

TEST(RecordSummary, EscapesControlCharactersInNames) {
  RecordingOutcome outcome;
  outcome.totals.samples = 200;
  outcome.hottest = {{"ev\x1b[31mil\xff", "mod\x1b.so", 100}};
  outcome.unnamed = {{"/tmp/\x1b[2J", "", "", 100}};
  std::string text = summary_of(outcome);
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
  EXPECT_EQ(text.find('\xff'), std::string::npos) << text;
  EXPECT_NE(text.find("ev\\x1b[31mil"), std::string::npos) << text;
}

TEST(RecordSummary, TruncatesNamesBetweenCharacters) {
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

// The summary of `samples` samples in `elapsed_ms`, with `cpu_ms` on a CPU.
std::string summary_of_times(uint64_t samples, uint64_t cpu_ms, uint64_t elapsed_ms, RecordOptions options = {}) {
  RecordingOutcome outcome;
  outcome.totals.samples = samples;
  outcome.totals.threads = outcome.totals.processes = samples > 0;
  outcome.cpu_ns = cpu_ms * 1'000'000;
  outcome.elapsed_ns = elapsed_ms * 1'000'000;
  outcome.events = {{"cpu-clock", "ns", 997}};
  RecordRequest request;
  request.output = "profile.wick";
  request.options = std::move(options);
  ::testing::internal::CaptureStderr();
  print_record_summary(outcome, request);
  return ::testing::internal::GetCapturedStderr();
}

TEST(RecordSummary, IdleTargetsGetNoAdviceToRecordLonger) {
  RecordOptions command, system;
  command.command = {"sleep", "2"};
  system.system_wide = true;
  std::string idle = summary_of_times(20, 20, 2000, command);
  EXPECT_NE(idle.find("\nonly 20 samples: too few to be reliable; used 20.0 ms of CPU in 2.0 s: mostly waiting\n"),
            std::string::npos)
      << idle;
  EXPECT_EQ(idle.find("record longer"), std::string::npos) << idle;
  std::string busy = summary_of_times(20, 20, 22, command);
  EXPECT_NE(
      busy.find(
          "\nonly 20 samples: too few to be reliable; record longer, more often (-F 9997) or several runs (--iterations 20)\n"),
      std::string::npos)
      << busy;
  std::string all = summary_of_times(20, 20, 2000, system);
  EXPECT_EQ(all.find("waiting"), std::string::npos) << all;
  EXPECT_EQ(all.find("--iterations"), std::string::npos) << all;
  EXPECT_EQ(summary_of_times(200, 200, 20000, command).find("waiting"), std::string::npos);
}

TEST(RecordSummary, NoSamples) {
  RecordOptions command;
  command.command = {"sleep", "0.1"};
  EXPECT_EQ(summary_of_times(0, 1, 101, command),
            "recorded no samples in 0.1 s\n"
            "used 1.0 ms of CPU in 0.1 s: mostly waiting\n"
            "wrote profile.wick (0 B)   next: wick report\n");
  std::string brief = summary_of_times(0, 1, 2, command);
  EXPECT_NE(brief.find("\nused only 1.0 ms of CPU: record more often (-F 9997) or several runs (--iterations 20)\n"),
            std::string::npos)
      << brief;
  std::string none = summary_of_times(0, 0, 300, command);
  EXPECT_NE(none.find("\nused less than 1 ms of CPU in 0.3 s: mostly waiting\n"), std::string::npos) << none;
  none = summary_of_times(0, 0, 2, command);
  EXPECT_NE(none.find("\nused less than 1 ms of CPU: record more often"), std::string::npos) << none;
}

TEST(RecordSummary, ShortTimesAreInMilliseconds) {
  RecordingOutcome outcome;
  outcome.totals.samples = 200;
  outcome.cpu_ns = 72'000'000;
  outcome.unseen_ns = 68'400'000;
  std::string text = summary_of(outcome);
  EXPECT_NE(text.find("kernel: 68.4 ms of 72.0 ms of CPU time (95.0%) was in the kernel and not sampled\n"), std::string::npos)
      << text;
}

TEST(RecordSummary, StolenTimeIsAnUpperLimit) {
  RecordingOutcome outcome;
  outcome.totals.samples = 200;
  outcome.cpu_ns = 1'000'000'000;
  outcome.stolen_ns = 5'000'000;
  EXPECT_EQ(summary_of(outcome).find("stolen:"), std::string::npos) << "a trace needs no line";
  outcome.stolen_ns = 68'400'000;
  std::string text = summary_of(outcome);
  EXPECT_NE(text.find("stolen: up to 68.4 ms in which the host"), std::string::npos) << text;
}

// The summary has no code for specific engines.
TEST(RecordSummary, ShowsWhatTheEngineMissesAndItsLimits) {
  RecordingOutcome outcome;
  outcome.totals.samples = 200;
  outcome.events = {{"cpu-clock", "ns", 997}};
  outcome.times.sampled = outcome.times.unsampled = 1'000'000'000;
  outcome.engine.misses = "it was asleep";
  outcome.engine.chain_limit = "7 frames";
  outcome.engine.max_stack_bytes = 4711;
  EXPECT_NE(
      summary_of(outcome).find("time:   50.0% of 2.00 s of CPU time was not sampled, shown as [unsampled]: it was asleep\n"),
      std::string::npos);
  outcome.engine.misses_between = "it looked away";
  EXPECT_NE(summary_of(outcome).find("shown as [unsampled]: it was asleep\n"), std::string::npos);
  outcome.times.unsampled_between = 900'000'000;
  EXPECT_NE(summary_of(outcome).find("shown as [unsampled]: it looked away\n"), std::string::npos);
  outcome.lost = 150;
  EXPECT_NE(summary_of(outcome).find("shown as [unsampled]: samples were lost\n"), std::string::npos);
  outcome.lost = 0;
  outcome.totals.quality[static_cast<size_t>(capture::StackQuality::kCut)] = 200;
  outcome.counters = {{"stacks.cut", 200}, {"stacks.too_deep", 100}, {"deep.refused", 1}};
  EXPECT_NE(summary_of(outcome).find("--stack-size 4711)\n"), std::string::npos);
  RecordRequest request;
  request.options.unwind = UnwindMode::kFramePointers;
  ::testing::internal::CaptureStderr();
  print_record_summary(outcome, request);
  std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("stacks: 50.0% truncated, deeper than --max-depth or 7 frames\n"), std::string::npos) << text;
}

// wick does not enlarge the copy for counted events, so the summary names the option that does.
TEST(RecordSummary, SaysHowToCompleteStacksOfCountedEvents) {
  RecordingOutcome outcome;
  outcome.totals.samples = 200;
  outcome.totals.quality[static_cast<size_t>(capture::StackQuality::kWhole)] = 150;
  outcome.totals.quality[static_cast<size_t>(capture::StackQuality::kCut)] = 50;
  outcome.counters = {{"stacks.cut", 50}};
  outcome.engine.stack_bytes = 4096;
  outcome.engine.max_stack_bytes = 65528;
  RecordRequest request;
  request.options.events = {EventSpec{}};
  auto summary = [&] {
    ::testing::internal::CaptureStderr();
    print_record_summary(outcome, request);
    return ::testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(summary().find("--stack-size"), std::string::npos) << "by rate, threads get larger copies or are stopped";
  request.options.events[0].period = 1;
  EXPECT_NE(summary().find("25.0% longer than the copied part); copy more of each stack with --stack-size 16384 -c 10\n"),
            std::string::npos)
      << summary();
  outcome.engine.stack_bytes = 32768;
  request.options.events[0].period = 10;
  EXPECT_NE(summary().find("--stack-size 65528\n"), std::string::npos) << summary();
  outcome.engine.stack_bytes = 65528;
  EXPECT_EQ(summary().find("--stack-size"), std::string::npos) << summary();
}

TEST(RecordSummary, SaysThatDeepThreadsWereStoppedTooLate) {
  RecordingOutcome outcome;
  outcome.totals.samples = 200;
  outcome.totals.quality[static_cast<size_t>(capture::StackQuality::kStopped)] = 150;
  outcome.totals.quality[static_cast<size_t>(capture::StackQuality::kCut)] = 50;
  outcome.counters = {{"stacks.cut", 50}, {"samples.made", 300}, {"samples.late", 15}};
  EXPECT_EQ(summary_of(outcome).find("too late"), std::string::npos) << summary_of(outcome);
  outcome.counters[2].value = 50;
  EXPECT_NE(summary_of(outcome).find("25.0% truncated (25.0% longer than the copied part); wick stopped threads with deep stacks "
                                     "too late (busy machine or short bursts)\n"),
            std::string::npos)
      << summary_of(outcome);
}

TEST(RecordSummary, WarnsOfSamplesThatShowLess) {
  RecordingOutcome outcome;
  outcome.totals.samples = 200;
  outcome.counters = {{"samples.kernel_unknown", 50}};
  EXPECT_NE(
      summary_of(outcome).find("kernel: 25.0% of samples, of threads with deep stacks, were in system calls and lack kernel "
                               "functions\n"),
      std::string::npos);
  outcome.counters = {{"samples.coarse", 20}};
  EXPECT_EQ(summary_of(outcome).find("less exact"), std::string::npos);
  outcome.counters = {{"samples.coarse", 100}};
  EXPECT_NE(summary_of(outcome).find("time:   50.0% of samples represent 4 periods or more (busy machine or very deep stacks): "
                                     "shares are less exact\n"),
            std::string::npos);
}

TEST(RecordSummary, ShowsThatMaxSizeEndedIt) {
  RecordingOutcome outcome;
  outcome.totals.samples = 200;
  outcome.stopped_by = StopReason::kMaxSize;
  RecordRequest request;
  request.limits.max_size_bytes = 20'000;
  request.options.command = {"app"};
  ::testing::internal::CaptureStderr();
  print_record_summary(outcome, request);
  std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_TRUE(text.starts_with("recording stopped at --max-size ")) << text;
  EXPECT_NE(text.find("; the command ran on without being recorded\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace wick

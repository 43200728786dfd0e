// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/unwind_stage.h"

#include <gtest/gtest.h>

#include "capture/wick_writer.h"

namespace wick {
namespace {

constexpr uint32_t kPid = 2'000'000'000;  // above any real PID

// The quality of a single sample.
capture::StackQuality quality_of(const UnwindOptions& options, const RawSample& sample) {
  capture::WickWriter writer;
  capture::Info info;
  info.events = {{"cpu-clock", "ns", 997}};
  writer.begin(info);
  LiveProcesses processes;
  UnwindStage stage(options, processes, writer);
  RawBatch batch;
  batch.samples.push_back(sample);
  stage.consume(batch);
  UnwindTotals totals = stage.totals();
  for (size_t i = 0; i < totals.quality.size(); ++i) {
    if (totals.quality[i] > 0) { return static_cast<capture::StackQuality>(i); }
  }
  return capture::StackQuality::kWhole;
}

RawSample sample_at(uint64_t ip) {
  RawSample sample;
  sample.time_ns = 10;
  sample.pid = sample.tid = kPid;
  sample.weight = 1;
  sample.ip = ip;
  return sample;
}

TEST(UnwindStage, StacksOf32BitProgramsAreIncomplete) {
  RawSample sample = sample_at(0x8049000);
  sample.is_32bit = true;
  EXPECT_EQ(quality_of({}, sample), capture::StackQuality::kNoRow);
  sample.in_kernel = true;
  EXPECT_EQ(quality_of({}, sample), capture::StackQuality::kNoRow);
  sample.is_32bit = false;
  EXPECT_EQ(quality_of({}, sample), capture::StackQuality::kKernelThread);
}

TEST(UnwindStage, TruncatedFramePointerChainsAreIncomplete) {
  UnwindOptions options;
  options.mode = UnwindMode::kFramePointers;
  options.max_chain = 10;
  std::vector<uint64_t> user(8, 0x1000), kernel(2, 0xffff'ffff'8000'0000);
  RawSample sample = sample_at(0x1000);
  sample.user_chain = user;
  EXPECT_EQ(quality_of(options, sample), capture::StackQuality::kFramePointers);
  sample.kernel_chain = kernel;
  EXPECT_EQ(quality_of(options, sample), capture::StackQuality::kTooDeep);
  sample.kernel_chain = {};
  options.max_depth = 7;
  EXPECT_EQ(quality_of(options, sample), capture::StackQuality::kTooDeep);
}

TEST(UnwindStage, WithoutAModeTheSampleDecides) {
  UnwindOptions options;
  options.mode = std::nullopt;
  std::vector<uint64_t> user(8, 0x1000);
  RawSample sample = sample_at(0x1000);
  EXPECT_EQ(quality_of(options, sample), capture::StackQuality::kNotWalked);
  sample.in_kernel = true;
  EXPECT_EQ(quality_of(options, sample), capture::StackQuality::kKernelThread);
  sample.in_kernel = false;
  sample.user_chain = user;
  EXPECT_EQ(quality_of(options, sample), capture::StackQuality::kFramePointers);
  sample.user.valid = 1;
  EXPECT_EQ(quality_of(options, sample), capture::StackQuality::kBadRow) << "registers, as few as they are, go before a chain";
}

}  // namespace
}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/live_stage.h"

#include <gtest/gtest.h>

#include "capture/wick_writer.h"

namespace wick {
namespace {

constexpr uint32_t kPid = 2'000'000'000;  // beyond any that lives

// The quality that a single sample gets.
capture::StackQuality quality_of(const LiveOptions& options, const RawSample& sample) {
  capture::WickWriter writer;
  capture::Info info;
  info.events = {{"cpu-clock", "ns", 997}};
  writer.begin(info);
  LiveStage stage(options, writer);
  RawBatch batch;
  batch.samples.push_back(sample);
  stage.consume(batch);
  LiveTotals totals = stage.totals();
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

TEST(LiveStage, StacksOf32BitProgramsAreNotWhole) {
  RawSample sample = sample_at(0x8049000);
  sample.is_32bit = true;
  EXPECT_EQ(quality_of({}, sample), capture::StackQuality::kNoRow);
  sample.in_kernel = true;
  EXPECT_EQ(quality_of({}, sample), capture::StackQuality::kNoRow);
  sample.is_32bit = false;
  EXPECT_EQ(quality_of({}, sample), capture::StackQuality::kKernelThread);
}

TEST(LiveStage, AChainOfFramePointersThatWasCutIsNotWhole) {
  LiveOptions options;
  options.unwind = UnwindMode::kFramePointers;
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

}  // namespace
}  // namespace wick

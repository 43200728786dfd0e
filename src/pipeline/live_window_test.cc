// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/live_window.h"

#include <gtest/gtest.h>

#include "capture/wick_writer.h"

namespace wick {
namespace {

constexpr uint64_t kSecond = 1'000'000'000, kStart = 5000 * kSecond;

// A recording of a thread that is in function a, then in function b.
struct Recorder {
  explicit Recorder(uint64_t window_s) : window(file, window_s * kSecond), stacks(file) {
    capture::Info info;
    info.start_ns = kStart;
    info.events = {{"cpu-clock", "ns", 100, capture::SampleKind::kOnCpu}};
    static_cast<void>(file.begin(info));
    window.begin(info);
    capture::ModuleId module = window.add_module({capture::ModuleKind::kFile, "/bin/app", "abcd"});
    capture::FrameId root = window.add_frame({module, 0x10});
    for (uint64_t i = 0; i < 2; ++i) {
      capture::FrameId frame = window.add_frame({module, 0x100 + i});
      if (i == 0) { outer = window.add_stack({root, {}}); }
      leaf[i] = window.add_stack({frame, outer});
    }
    thread = window.add_thread({.pid = 7, .tid = 7, .process = {0}, .name = "app", .start_ns = kStart});
  }

  void sample(double at_s, int which, uint64_t weight = 10'000'000) {
    window.add_sample(
        {.time_ns = kStart + static_cast<uint64_t>(at_s * 1e9), .thread = thread, .stack = leaf[which], .weight = weight});
  }
  void publish(double at_s, uint64_t lost = 0) {
    window.publish(kStart + static_cast<uint64_t>(at_s * 1e9), {{"lost.ring_full", lost}}, stacks, {});
  }

  capture::WickWriter file;
  LiveWindow window;
  StackTable stacks;
  capture::StackId outer, leaf[2];
  capture::ThreadId thread;
};

std::vector<uint64_t> leaves(const LivePicture& p) {
  std::vector<uint64_t> out;
  for (const capture::Sample& s : p.capture.samples) {
    out.push_back(p.capture.frames[p.capture.stacks[s.stack.value].frame.value].address);
  }
  return out;
}

TEST(LiveWindow, HasTheLastSecondsOnly) {
  Recorder r(2);
  r.sample(0.5, 0);
  r.sample(1.5, 0);
  r.publish(2.2);
  EXPECT_EQ(leaves(r.window.picture()), (std::vector<uint64_t>{0x100, 0x100}));
  r.sample(2.5, 1);
  r.sample(3.5, 1);
  r.publish(3.2);
  LivePicture p = r.window.picture();
  EXPECT_EQ(leaves(p), (std::vector<uint64_t>{0x100, 0x101})) << "1.2 s until 3.2 s";
  r.publish(3.6);
  p = r.window.picture();
  EXPECT_EQ(leaves(p), (std::vector<uint64_t>{0x101, 0x101}));
  EXPECT_EQ(p.capture.frames.size(), 2u) << "rows that no sample uses are left out";
  EXPECT_EQ(p.begin_ns, kStart + 1'600'000'000);
  EXPECT_EQ(p.end_ns, kStart + 3'600'000'000);
}

TEST(LiveWindow, TheEndIncludesTheLastSamples) {
  Recorder r(2);
  r.sample(1.0, 0);
  r.sample(1.5004, 1);
  r.publish(1.5006);
  EXPECT_EQ(leaves(r.window.picture()), (std::vector<uint64_t>{0x100})) << "windows end at full milliseconds";
  r.window.publish_last(kStart + 1'500'600'000, {}, r.stacks, {});
  EXPECT_EQ(leaves(r.window.picture()), (std::vector<uint64_t>{0x100, 0x101}));
}

TEST(LiveWindow, SamplesOutOfOrderAreInTheirPlace) {
  Recorder r(2);
  r.sample(1.0, 0);
  r.sample(3.0, 1);
  r.sample(2.0, 0);  // of a thread that was stopped to read its stack
  r.publish(3.5);
  LivePicture p = r.window.picture();
  EXPECT_EQ(leaves(p), (std::vector<uint64_t>{0x100, 0x101}));
  EXPECT_LT(p.capture.samples[0].time_ns, p.capture.samples[1].time_ns);
}

TEST(LiveWindow, MemoryDoesNotGrowWithTheSamples) {
  Recorder r(2);
  for (int i = 0; i < 10'000; ++i) {
    r.sample(0.01 * i, i % 2);
    if (i % 100 == 0) { r.publish(0.01 * i); }
  }
  EXPECT_LE(r.window.sample_count(), 400u);
  EXPECT_EQ(r.file.pending_samples(), 10'000u) << "the file has them all";
}

TEST(LiveWindow, LossesAreThoseOfTheWindow) {
  Recorder r(3);
  for (int s = 1; s <= 10; ++s) {
    r.sample(s - 0.5, 0);
    r.publish(s, s < 5 ? 100 : 120);
  }
  ASSERT_EQ(r.window.picture().capture.counters[0].value, 0u) << "120 at 7 s, 120 at 10 s";
  r.publish(11, 123);
  EXPECT_EQ(r.window.picture().capture.counters[0].value, 3u);
}

TEST(LiveWindow, KnowsWhatAThreadHadBefore) {
  Recorder r(2);
  r.sample(0.5, 0, 7);
  r.sample(1.0, 0, 8);
  r.sample(3.5, 0, 9);
  r.publish(4.0);
  r.sample(4.5, 0, 10);  // not published yet
  LivePicture p = r.window.picture();
  ASSERT_EQ(p.others.size(), 1u);
  EXPECT_EQ(p.others[0].weight, 25u);
  EXPECT_EQ(p.others[0].samples, 3u);
}

TEST(LiveWindow, EndedThreadsAreForgotten) {
  Recorder r(2);
  for (uint32_t i = 0; i < 1000; ++i) {
    uint64_t now = kStart + i * kSecond / 10;
    capture::Thread t{.pid = 7, .tid = 100 + i, .process = {0}, .name = "short", .start_ns = now};
    capture::ThreadId id = r.window.add_thread(t);
    t.end_ns = now + 1;
    t.counted = 1'000'000;
    r.window.update_thread(id, t);
    r.publish(0.1 * i);
  }
  LivePicture p = r.window.picture();
  EXPECT_LE(p.capture.threads.size(), 22u) << "20 in two seconds, and the first of the process";
  EXPECT_GE(p.capture.threads.size(), 19u);
  for (const capture::Thread& t : p.capture.threads) { EXPECT_EQ(p.capture.threads[t.process.value].name, "app"); }
}

// The time of an ended thread is balanced with all its samples, not only with those of the window.
TEST(LiveWindow, BalancedTimeIsThatOfTheWholeRecording) {
  Recorder r(2);
  capture::Thread t{.pid = 7, .tid = 8, .process = {0}, .name = "worker", .start_ns = kStart};
  capture::ThreadId worker = r.window.add_thread(t);
  for (int i = 0; i < 100; ++i) {
    r.window.add_sample({.time_ns = kStart + static_cast<uint64_t>(i) * kSecond / 20,
                         .thread = worker,
                         .stack = r.leaf[0],
                         .weight = 10'000'000});
  }
  t.end_ns = kStart + 5 * kSecond;
  t.counted = 900'000'000;  // of 1,000,000,000 that its samples stand for
  r.window.update_thread(worker, t);
  r.publish(5.0);
  LivePicture p = r.window.picture();
  LoadOptions options{.look_up = false, .others = p.others, .begin_ns = p.begin_ns, .end_ns = p.end_ns};
  Profile window = build_profile(p.capture, options);
  int64_t sum = 0;
  for (const Sample& s : window.samples()) { sum += s.weight; }
  ASSERT_EQ(p.capture.samples.size(), 40u);
  EXPECT_NEAR(static_cast<double>(sum), 0.9 * 40 * 10'000'000, 100);
}

}  // namespace
}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/wait_watch.h"

#include <gtest/gtest.h>

#include <deque>

namespace wick {
namespace {

constexpr uint64_t kPeriod = 1'000'000, kMs = 1'000'000;
constexpr uint32_t kBlocked = 2;

PerfSwitch in(uint32_t tid, uint64_t time_ns) { return {1, tid, time_ns, false, false}; }
PerfSwitch out(uint32_t tid, uint64_t time_ns) { return {1, tid, time_ns, true, false}; }
PerfSwitch preempted(uint32_t tid, uint64_t time_ns) { return {1, tid, time_ns, true, true}; }

// A watch whose looks happen at given times.
struct Watched {
  // Looks at all threads that wait, from then on for so long.
  void look(uint64_t begin_ns, uint64_t length_ns = 1000, LookResult found = LookResult::kSeen) {
    next = {begin_ns, length_ns};
    result = found;
    watch.look();
  }
  struct Taken {
    uint64_t weight, wait_ns;
    bool has_stack, has_ended;
    friend bool operator==(const Taken&, const Taken&) = default;
  };
  std::vector<Taken> take(uint64_t upto_ns) {
    std::vector<RawSample> samples;
    watch.take(upto_ns, samples, counts);
    std::vector<Taken> all;
    for (const RawSample& s : samples) {
      EXPECT_EQ(s.event, kBlocked);
      EXPECT_NE(s.wait, nullptr);
      all.push_back({s.weight, s.wait_ns, s.user.valid != 0, s.wait_has_ended});
    }
    return all;
  }
  std::pair<uint64_t, uint64_t> counted() const {
    std::pair<uint64_t, uint64_t> sum;
    for (const SideEvent& event : counts) {
      sum.first += std::get<WaitCountEvent>(event).ready_ns;
      sum.second += std::get<WaitCountEvent>(event).blocked_ns;
    }
    return sum;
  }

  std::pair<uint64_t, uint64_t> next;
  LookResult result = LookResult::kSeen;
  size_t looks = 0, most_bytes = 0;
  std::vector<SideEvent> counts;
  WaitWatch watch{{kPeriod, kBlocked}, [this](pid_t, pid_t, size_t bytes, Fd&, WaitLook& look) {
                    ++looks;
                    most_bytes = bytes;
                    look.begin_ns = next.first;
                    look.end_ns = next.first + next.second;
                    look.call.pc = 0x1234;
                    look.stack.resize(64);
                    return result;
                  }};
};

using Taken = std::vector<Watched::Taken>;

TEST(WaitWatch, LongWaitCountsWithItsLength) {
  Watched w;
  w.watch.on_fork({1 * kMs, 1, 1, 7, 1});
  w.watch.on_switch(in(7, 2 * kMs));
  w.watch.on_switch(out(7, 3 * kMs));
  w.look(4 * kMs);
  w.look(5 * kMs);
  EXPECT_EQ(w.looks, 1u) << "a thread that waits does not move";
  w.watch.on_switch(in(7, 13 * kMs));
  EXPECT_EQ(w.take(20 * kMs), (Taken{{10 * kMs, 10 * kMs, true, true}}));
  w.watch.on_exit({20 * kMs, 1, 7});
  w.take(20 * kMs);
  EXPECT_EQ(w.counted(), std::pair(1 * kMs, 10 * kMs)) << "a new thread waits for a CPU first";
}

TEST(WaitWatch, LookThatEndsAfterItsWaitProvesNothing) {
  Watched w;
  w.watch.on_switch(out(7, 10 * kMs));
  w.look(10 * kMs + 100, 5000);
  w.watch.on_switch(in(7, 10 * kMs + 3000));
  EXPECT_EQ(w.take(20 * kMs), (Taken{{3000, 3000, false, true}}));
  EXPECT_EQ(w.watch.missed(), 1u);
}

TEST(WaitWatch, LookOfAnotherWaitIsNotUsed) {
  Watched w;
  w.watch.on_switch(out(7, 10 * kMs));
  w.look(12 * kMs);
  w.watch.on_switch(in(7, 11 * kMs));  // reported late: the look met the next wait
  w.watch.on_switch(out(7, 11 * kMs + 500));
  w.watch.on_switch(in(7, 40 * kMs));
  EXPECT_EQ(w.take(50 * kMs), (Taken{{29 * kMs - 500, 29 * kMs - 500, false, true}}));
}

TEST(WaitWatch, ShortWaitCountsWithAllSinceTheLastLook) {
  Watched w;
  uint64_t at = 10 * kMs;
  for (int i = 0; i < 9; ++i, at += 200'000) {
    w.watch.on_switch(out(7, at));
    w.watch.on_switch(in(7, at + 100'000));
  }
  w.watch.on_switch(out(7, at));
  w.look(at + 50'000);
  w.watch.on_switch(in(7, at + 100'000));
  EXPECT_EQ(w.take(20 * kMs), (Taken{{1 * kMs, 100'000, true, true}}));
}

TEST(WaitWatch, TimeWithoutLookHasNoSample) {
  Watched w;
  w.watch.on_switch(out(7, 10 * kMs));
  w.watch.on_switch(in(7, 10 * kMs + 100'000));
  w.watch.finish(20 * kMs);
  EXPECT_TRUE(w.take(20 * kMs).empty());
  EXPECT_EQ(w.counted(), std::pair(uint64_t{0}, uint64_t{100'000}));
}

TEST(WaitWatch, LongWaitWithoutLookIsToldWithoutStack) {
  Watched w;
  w.watch.on_switch(out(7, 10 * kMs));
  w.watch.on_switch(in(7, 15 * kMs));
  EXPECT_EQ(w.take(20 * kMs), (Taken{{5 * kMs, 5 * kMs, false, true}}));
}

TEST(WaitWatch, PreemptedThreadIsReady) {
  Watched w;
  w.watch.on_switch(in(7, 1 * kMs));
  w.watch.on_switch(preempted(7, 2 * kMs));
  w.look(3 * kMs);
  EXPECT_EQ(w.looks, 0u);
  w.watch.on_switch(in(7, 6 * kMs));
  w.watch.finish(7 * kMs);
  EXPECT_TRUE(w.take(7 * kMs).empty());
  EXPECT_EQ(w.counted(), std::pair(4 * kMs, uint64_t{0}));
}

TEST(WaitWatch, WaitThatGoesOnIsToldInParts) {
  constexpr uint64_t kSecond = 1000 * kMs;
  Watched w;
  w.watch.begin(1, 7, 1 * kMs);  // has waited since before the recording
  w.look(2 * kMs);
  EXPECT_TRUE(w.take(3 * kMs).empty());
  w.watch.on_switch(in(7, 4 * kMs));
  EXPECT_EQ(w.take(4 * kMs), (Taken{{3 * kMs, 3 * kMs, true, true}}));
  w.watch.on_switch(out(7, 5 * kMs));
  w.look(6 * kMs);
  EXPECT_EQ(w.take(2 * kSecond), (Taken{{2 * kSecond - 5 * kMs, 2 * kSecond - 5 * kMs, true, false}}));
  w.watch.finish(3 * kSecond);
  EXPECT_EQ(w.take(3 * kSecond), (Taken{{kSecond, 3 * kSecond - 5 * kMs, true, true}}));
  EXPECT_EQ(w.counted().second, 3 * kMs + 3 * kSecond - 5 * kMs);
}

TEST(WaitWatch, LostSwitchesEndEveryWait) {
  Watched w;
  w.watch.on_switch(out(7, 10 * kMs));
  w.look(11 * kMs);
  w.watch.on_lost();
  w.watch.on_switch(in(7, 50 * kMs));
  w.watch.on_switch(preempted(7, 51 * kMs));
  w.watch.on_switch(in(7, 52 * kMs));
  w.watch.finish(60 * kMs);
  EXPECT_TRUE(w.take(60 * kMs).empty());
  EXPECT_EQ(w.counted(), std::pair(uint64_t{0}, uint64_t{0}));
}

TEST(WaitWatch, ForbiddenThreadsAreLeftAlone) {
  Watched w;
  w.watch.on_switch(out(7, 10 * kMs));
  w.look(11 * kMs, 0, LookResult::kForbidden);
  w.watch.on_switch(in(7, 12 * kMs));
  w.watch.on_switch(out(7, 13 * kMs));
  w.look(14 * kMs);
  EXPECT_EQ(w.looks, 1u);
}

TEST(WaitWatch, KernelThreadsAreLeftOut) {
  Watched w;
  w.watch.on_switch(out(7, 10 * kMs));
  w.look(11 * kMs, 0, LookResult::kKernelThread);
  w.watch.on_switch(in(7, 50 * kMs));
  w.watch.finish(60 * kMs);
  EXPECT_TRUE(w.take(60 * kMs).empty());
  EXPECT_EQ(w.counted(), std::pair(uint64_t{0}, uint64_t{0}));
}

TEST(WaitWatch, TimeBeforeAnExecBelongsToTheProgramBefore) {
  Watched w;
  w.watch.on_switch(out(7, 10 * kMs));
  w.look(11 * kMs);
  w.watch.on_switch(in(7, 15 * kMs));
  w.watch.on_exec(1, 7, 20 * kMs);
  w.take(30 * kMs);
  ASSERT_EQ(w.counts.size(), 1u);
  EXPECT_LT(time_of(w.counts[0]), 20 * kMs);
}

TEST(WaitWatch, StackThatNeedsMoreIsCopiedFurther) {
  Watched w;
  w.watch.on_switch(out(7, 10 * kMs));
  w.look(10 * kMs + 100);
  size_t before = w.most_bytes;
  w.watch.on_switch(in(7, 10 * kMs + 9000));
  std::vector<RawSample> samples;
  w.watch.take(20 * kMs, samples, w.counts);
  ASSERT_EQ(samples.size(), 1u);
  std::vector<uint8_t> all(4 * before);
  samples[0].stack = all;  // nothing was missing
  samples[0].needs_more = true;
  for (int i = 0; i < 2; ++i) { w.watch.on_unwound(samples[0]); }
  w.watch.on_switch(out(7, 30 * kMs));
  w.look(30 * kMs + 100);
  EXPECT_GT(w.most_bytes, before);
}

}  // namespace
}  // namespace wick

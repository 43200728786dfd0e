// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "model/profile_builder.h"

#include <gtest/gtest.h>

#include <string>

namespace wick {
namespace {

TEST(ProfileBuilder, InternsEverythingOnce) {
  ProfileBuilder b;
  EXPECT_EQ(b.string("a"), b.string("a"));
  EXPECT_NE(b.string("a"), b.string("b"));
  EXPECT_FALSE(b.string("").valid());
  std::string with_zero("x\0y", 3);
  EXPECT_NE(b.string(with_zero), b.string("x"));
  EXPECT_EQ(b.text(b.string(with_zero)), with_zero);

  ModuleId libc = b.module("/lib/libc.so.6", "0abc");
  EXPECT_EQ(libc, b.module("/lib/libc.so.6", "0abc"));
  EXPECT_NE(libc, b.module("/lib/libc.so.6", "0abd"));
  FunctionId f = b.function("read", "read", libc);
  EXPECT_EQ(f, b.function("read", "read", libc));
  EXPECT_NE(f, b.function("read", "read", {}));
  EXPECT_NE(f, b.function("read", "read", libc, false));
  FrameId frame = b.frame({.function = f, .address = 16});
  EXPECT_EQ(frame, b.frame({.function = f, .address = 16}));
  EXPECT_NE(frame, b.frame({.function = f, .address = 17}));
  EXPECT_NE(frame, b.frame({.function = f, .address = 16, .inlined = true}));
  EXPECT_NE(frame, b.frame({.function = f, .address = 16, .line = 3}));
  StackId root = b.stack(frame, {});
  EXPECT_EQ(root, b.stack(frame, {}));
  EXPECT_NE(root, b.stack(frame, root));
  EXPECT_EQ(b.event("cycles", "cycles", 997), b.event("cycles", "cycles", 997));
  EXPECT_NE(b.event("cycles", "cycles", 997), b.event("instructions", "instructions", 997));

  Profile p = std::move(b).build();
  EXPECT_EQ(p.text(p[libc].name), "libc.so.6");
  EXPECT_EQ(p.text(p[libc].path), "/lib/libc.so.6");
  EXPECT_EQ(p.functions().size(), 3u);
  EXPECT_EQ(p.events().size(), 2u);
}

TEST(ProfileBuilder, CalleesOfFewAndOfManyAreFoundAgain) {
  ProfileBuilder b;
  std::vector<FrameId> frames;
  for (int i = 0; i < 100; ++i) { frames.push_back(b.named_frame("f" + std::to_string(i))); }
  EXPECT_EQ(b.named_frame("f7"), frames[7]);
  EXPECT_EQ(b.frame({.function = b.function("f7", {}, {})}), frames[7]);
  StackId root = b.stack(frames[0], {});
  for (StackId caller : {StackId{}, root}) {
    std::vector<StackId> stacks;
    for (FrameId f : frames) { stacks.push_back(b.stack(f, caller)); }
    for (size_t i = 0; i < frames.size(); ++i) { EXPECT_EQ(b.stack(frames[i], caller), stacks[i]); }
  }
  Profile p = std::move(b).build();
  EXPECT_EQ(p.stacks().size(), 200u);
  EXPECT_EQ(p.frames().size(), 100u);
}

TEST(ProfileBuilder, StringsSurviveGrowth) {
  ProfileBuilder b;
  std::vector<StringId> ids;
  for (int i = 0; i < 10000; ++i) { ids.push_back(b.string("s" + std::to_string(i))); }
  for (int i = 0; i < 10000; ++i) { ASSERT_EQ(b.string("s" + std::to_string(i)), ids[static_cast<size_t>(i)]); }
}

TEST(ProfileBuilder, SortsSamplesStablyAndGivesThoseWithoutAStackOne) {
  ProfileBuilder b;
  EventId e = b.event("cpu-clock", "ns", 997);
  ThreadId t = b.add_thread(b.add_process(1, "app"), 1, "app");
  StackId s = b.stack(b.frame({.function = b.function("main", "", {})}), {});
  b.add_sample({.time_ns = 30, .thread = t, .stack = s, .event = e, .weight = 1});
  b.add_sample({.time_ns = 10, .thread = t, .stack = s, .event = e, .weight = 2});
  b.add_sample({.time_ns = 10, .thread = t, .event = e, .weight = 3});
  Profile p = std::move(b).build();
  ASSERT_EQ(p.samples().size(), 3u);
  EXPECT_EQ(p.samples()[0].weight, 2);
  EXPECT_EQ(p.samples()[1].weight, 3);
  EXPECT_EQ(p.samples()[2].weight, 1);
  const Function& unknown = p[p[p[p.samples()[1].stack].frame].function];
  EXPECT_EQ(p.text(unknown.name), "[unknown]");
  EXPECT_FALSE(unknown.known);
}

TEST(ProfileBuilder, LossesOfAKindAddUp) {
  ProfileBuilder b;
  b.add_loss("lost.ring_full", 2, true);
  b.add_loss("stacks.cut", 1, false);
  b.add_loss("lost.ring_full", 3, true);
  b.add_loss("lost.throttled", 0, true);
  Profile p = std::move(b).build();
  ASSERT_EQ(p.losses().size(), 2u);
  EXPECT_EQ(p.losses()[0].count, 5u);
  EXPECT_TRUE(p.losses()[0].samples);
  EXPECT_FALSE(p.losses()[1].samples);
}

TEST(ProfileBuilder, DeepStackHasCallersFirst) {
  ProfileBuilder b;
  FrameId frame = b.frame({.function = b.function("descend", "", {})});
  StackId s;
  for (int i = 0; i < 20000; ++i) { s = b.stack(frame, s); }
  Profile p = std::move(b).build();  // checks the order
  EXPECT_EQ(p.stacks().size(), 20000u);
}

TEST(ProfileBuilder, ManySamples) {  // finishes at once, or the tables do not scale
  ProfileBuilder b;
  EventId e = b.event("cpu-clock", "ns", 997);
  ThreadId t = b.add_thread(b.add_process(1, "app"), 1, "app");
  ModuleId m = b.module("/usr/bin/app");
  for (uint64_t i = 0; i < 100'000; ++i) {
    StackId s;
    for (uint64_t depth = 0; depth < 5; ++depth) {
      FunctionId f = b.function("f" + std::to_string(i * 7 % (10 + depth * 100)), "", m);
      s = b.stack(b.frame({.function = f, .address = i % 3}), s);
    }
    b.add_sample({.time_ns = i, .thread = t, .stack = s, .event = e, .weight = 1});
  }
  Profile p = std::move(b).build();
  EXPECT_EQ(p.samples().size(), 100'000u);
}

}  // namespace

struct BrokenProfile {
  Profile profile;
  std::vector<Stack>& stacks = profile.stacks_;
};

namespace {

TEST(CheckProfileDeathTest, EndsTheProgramOnABrokenPromise) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  ProfileBuilder bad_frame;
  bad_frame.frame({});
  EXPECT_DEATH(std::move(bad_frame).build(), "a frame's function is in the profile");
  ProfileBuilder b;
  b.stack(b.named_frame("main"), {});
  BrokenProfile bad_order{std::move(b).build()};
  bad_order.stacks[0].caller = StackId{0};
  EXPECT_DEATH(check_profile(bad_order.profile), "callers come before callees");
}

TEST(ProfileBuilder, ChangesAProfileThatWasBuilt) {
  ProfileBuilder b;
  EventId e = b.event("samples", "samples", 0, 2);
  ThreadId t = b.add_thread(b.add_process(1, "app"), 1, "app");
  FrameId main = b.named_frame("main"), f = b.named_frame("f"), g = b.named_frame("g");
  StackId in_f = b.stack(f, b.stack(main, {})), in_g = b.stack(g, in_f);
  for (StackId s : {in_g, in_f, in_g}) { b.add_sample({.thread = t, .stack = s, .event = e, .weight = 1}); }
  Profile before = std::move(b).build();

  ProfileBuilder changed(before);
  EXPECT_EQ(changed.so_far(), before);
  FrameId h = changed.frame({.function = changed.function("h", {}, {})});
  EXPECT_EQ(h.value, before.frames().size());
  EXPECT_EQ(changed.named_frame("h"), h) << "added rows are interned";
  std::vector<Stack> old = changed.take_stacks();
  EXPECT_EQ(old, before.stacks());
  StackId in_h = changed.stack(h, changed.stack(main, {}));
  EXPECT_EQ(changed.stack(main, {}), StackId{0});
  changed.change_samples([&](Sample& s) {
    bool stays = s.stack == in_g;
    s.stack = in_h;
    return stays;
  });
  changed.refine_events(5);
  Profile after = with_warning(std::move(changed).build(), "changed");
  EXPECT_EQ(after.samples().size(), 2u);
  EXPECT_EQ(after.stacks(), (std::vector<Stack>{{main, {}}, {h, StackId{0}}}));
  EXPECT_EQ(after.samples()[1].stack, in_h);
  EXPECT_EQ(after.events()[0].divisor, 10u);
  EXPECT_EQ(after.warnings(), std::vector<std::string>{"changed"});
  EXPECT_EQ(before.samples().size(), 3u);
}

TEST(ProfileBuilder, TextsOfMegabytesAreCut) {
  ProfileBuilder b;
  std::string huge = std::string(ProfileBuilder::kMostTextBytes - 1, 'a') + "\xc3\xa9" + std::string(1 << 20, 'b');
  StringId cut = b.string(huge);
  EXPECT_EQ(b.text(cut), std::string(ProfileBuilder::kMostTextBytes - 1, 'a')) << "no half characters";
  EXPECT_EQ(b.string(huge + "more"), cut);
  std::string longest(ProfileBuilder::kMostTextBytes, 'c');
  EXPECT_EQ(b.text(b.string(longest)), longest);
  Profile profile = std::move(b).build();
  EXPECT_EQ(profile.warnings(), std::vector<std::string>{"1 name is longer than 64 kB and was truncated"});
}

TEST(ProfileBuilder, RecordsWhatMergingDrops) {
  ProfileBuilder b;
  b.merge_samples();
  b.set_imported("a test", true);
  EventId e = b.event("samples", "samples");
  ThreadId t = b.add_thread(b.add_process(0, ""), 0, "");
  b.rename_named_frames([](std::string_view name) { return std::string(name.substr(0, 1)); });
  StackId s = b.stack(b.named_frame("first"), {});
  EXPECT_EQ(b.stack(b.named_frame("fifth"), {}), s) << "called the same";
  b.add_sample({.time_ns = 5, .thread = t, .stack = s, .event = e, .cpu = 3, .weight = 1, .count = 1});
  Profile p = std::move(b).build();
  EXPECT_TRUE(p.left_behind().times);
  EXPECT_TRUE(p.left_behind().cpus);
  EXPECT_FALSE(p.has_times());
  EXPECT_FALSE(p.losses_known()) << "a file of another tool that tells of none";
  EXPECT_EQ(p.text(p.functions()[0].name), "f");
}

TEST(ProfileBuilder, EventsBeyondTheLimitAreOne) {
  ProfileBuilder b;
  EventId first = b.event("event0", "count");
  for (size_t i = 1; i < ProfileBuilder::kMostEvents; ++i) { b.event("event" + std::to_string(i), "count"); }
  EventId other = b.event("one more", "count");
  EXPECT_EQ(b.event("and another", "count"), other);
  EXPECT_EQ(b.event("event0", "count"), first);
  Profile profile = std::move(b).build();
  EXPECT_EQ(profile.events().size(), ProfileBuilder::kMostEvents + 1);
  EXPECT_EQ(profile.text(profile[other].name), "other");
}

// Of one sorted run, a few, and many; equal times keep the order in which they were added.
TEST(ProfileBuilder, SortsSamplesByTime) {
  for (uint64_t runs : {1, 2, 3, 8, 9, 500}) {
    ProfileBuilder b;
    EventId e = b.event("e", "ns");
    ThreadId t = b.add_thread(b.add_process(1, "p"), 1, "t");
    for (uint32_t i = 0; i < 1000; ++i) { b.add_sample({.time_ns = i * runs % 1000 / 2, .thread = t, .event = e, .cpu = i}); }
    Profile p = std::move(b).build();
    ASSERT_EQ(p.samples().size(), 1000u);
    for (size_t i = 1; i < p.samples().size(); ++i) {
      const Sample &a = p.samples()[i - 1], &c = p.samples()[i];
      ASSERT_TRUE(a.time_ns < c.time_ns || (a.time_ns == c.time_ns && a.cpu < c.cpu)) << runs << " runs, row " << i;
    }
  }
}

}  // namespace
}  // namespace wick

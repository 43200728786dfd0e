// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "model/profile_copier.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "model/testing.h"

namespace wick {
namespace {

using testing_profile::profile_of;

std::string stack_text(const Profile& p, StackId stack) {
  std::string text;
  for (; stack.valid(); stack = p[stack].caller) {
    std::string_view name = p.text(p[p[p[stack].frame].function].name);
    text = text.empty() ? std::string(name) : std::string(name) + ";" + text;
  }
  return text;
}
std::map<std::string, int64_t> weights_of(const Profile& p) {
  std::map<std::string, int64_t> weights;
  for (const Sample& s : p.samples()) {
    weights[std::string(p.text(p[s.thread].name)) + ":" + std::string(p.text(p[s.event].name)) + ":" + stack_text(p, s.stack)] +=
        s.weight;
  }
  return weights;
}

// Has one row of each kind.
Profile full_profile() {
  ProfileBuilder b;
  b.string("unused");
  b.set_command({"./app", "-x"});
  b.set_target("whole system");
  b.set_start(5, 7);
  b.set_duration(1000);
  b.set_cpu_time({9, 8, 1});
  b.count_stack(StackWay::kStopped, 3);
  b.add_warning("the file is damaged");
  ModuleId app = b.module("/usr/bin/app", "0abc"), kernel = b.module("[kernel]", {}, true);
  FunctionId main = b.function("main", "main", app), work = b.function("work()", "_Z4workv", app);
  FunctionId nameless = b.function("[kernel+0x10]", {}, kernel, false);
  FrameId outer = b.frame({.function = main, .address = 16, .file = b.string("main.cc"), .line = 3, .column = 9});
  FrameId inner = b.frame({.function = work, .address = 32, .inlined = true});
  FrameId placed = b.frame({.function = nameless, .folded = 2});
  b.add_place({.frame = placed, .space = FramePlace::Space::kFileOffset, .value = 16, .callers_are_behind = true});
  StackId root = b.stack(outer, {}), leaf = b.stack(inner, root);
  b.stack(placed, leaf);
  EventId clock = b.event("cpu-clock", "ns", 997), faults = b.event("faults", "count", 0, 10);
  b.add_process(9, "idle");
  ProcessId process = b.add_process(1, "app", 4, 5, 60);
  ThreadId first = b.add_thread(process, 1, "app", 5, 60), second = b.add_thread(process, 2, "helper", 6, 50);
  b.add_sample({.time_ns = 10, .thread = first, .stack = leaf, .event = clock, .cpu = 2, .weight = 7, .count = 3});
  b.add_sample({.time_ns = 11, .thread = second, .event = faults, .weight = -2});
  b.add_loss("lost.ring_full", 4, true, clock);
  b.add_loss("stacks.cut", 1, false);
  b.about().events_ranked = false;
  b.about().has_counts = false;
  return std::move(b).build();
}

TEST(ProfileCopier, CopyOfEverythingIsEqual) {
  Profile p = full_profile();
  ProfileBuilder b;
  ProfileCopier(p, b).copy_all();
  Profile copy = std::move(b).build();
  EXPECT_TRUE(copy == p);
  EXPECT_EQ(copy.frames(), p.frames());
  EXPECT_EQ(copy.samples(), p.samples());
  EXPECT_EQ(copy.about(), p.about());
  // Equality detects a difference.
  ProfileBuilder again(copy);
  again.change_samples([](Sample& s) {
    s.weight += 1;
    return true;
  });
  EXPECT_FALSE(std::move(again).build() == p);
}

TEST(ProfileCopier, CopiesOnlyWhatIsUsed) {
  Profile p = profile_of({"t;main;a 1", "t;main;b;c 1", "u;other 1"});
  ProfileBuilder b;
  ProfileCopier copier(p, b);
  copier.add_sample(p.samples()[1]);
  Profile copy = std::move(b).build();
  EXPECT_EQ(copy.functions().size(), 3u);
  EXPECT_EQ(copy.stacks().size(), 3u);
  EXPECT_EQ(copy.threads().size(), 1u);
  EXPECT_EQ(stack_text(copy, copy.samples()[0].stack), "main;b;c");
}

TEST(ProfileCopier, TwoProfilesInOneKeepTheirTotals) {
  Profile x = profile_of({"t;main;a 3", "t;main;b 1"}), y = profile_of({"t;main;c 5", "t;main;a 2"});
  ProfileBuilder b;
  b.stack(b.named_frame("so that ids differ"), {});
  ProfileCopier first(x, b), second(y, b);
  for (ProfileCopier* copier : {&first, &second}) { copier->copy_samples(); }
  EXPECT_EQ(first.stack(x.samples()[0].stack), second.stack(y.samples().back().stack)) << "main;a of both";
  EXPECT_NE(first.stack(x.samples()[0].stack), x.samples()[0].stack);
  Profile both = std::move(b).build();
  std::map<std::string, int64_t> want = weights_of(x);
  for (const auto& [stack, weight] : weights_of(y)) { want[stack] += weight; }
  EXPECT_EQ(weights_of(both), want);
  EXPECT_EQ(both.samples().size(), x.samples().size() + y.samples().size());
  EXPECT_EQ(both.stacks().size(), 5u);   // that one, main, a, b, c
  EXPECT_EQ(both.threads().size(), 2u);  // threads of two recordings stay separate
  EXPECT_EQ(both.events().size(), 1u);
}

class Changer : public ProfileCopier {
 public:
  using ProfileCopier::ProfileCopier;
  using ProfileCopier::restart_stacks;

 private:
  FunctionId make_function(FunctionId id) override {
    return to().function("new " + std::string(from().text(from()[id].name)), {}, module(from()[id].module));
  }
  StackId make_stack(StackId id, StackId caller) override {
    std::string_view name = from().text(from()[from()[from()[id].frame].function].name);
    if (name == "dropped") { return caller; }
    if (name == "twice") { caller = ProfileCopier::make_stack(id, caller); }
    return ProfileCopier::make_stack(id, caller);
  }
  ThreadId make_thread(ThreadId) override {
    return thread_.valid() ? thread_ : thread_ = ProfileCopier::make_thread(ThreadId{0});
  }
  uint64_t time_ns(uint64_t time_ns) override { return time_ns + 1; }

  ThreadId thread_;
};

TEST(ProfileCopier, RowsCanBeChanged) {
  Profile p = profile_of({"t;dropped;main;dropped;twice 2", "u;dropped;main 1", "u;dropped 3"});
  ProfileBuilder b;
  Changer copier(p, b);
  copier.copy_samples();
  Profile copy = std::move(b).build();
  std::map<std::string, int64_t> want = {{"t:cpu-clock:new main;new twice;new twice", 2'000'000},
                                         {"t:cpu-clock:new main", 1'000'000},
                                         {"t:cpu-clock:[unknown]", 3'000'000}};
  EXPECT_EQ(weights_of(copy), want);
  EXPECT_EQ(copy.samples()[0].time_ns, p.samples()[0].time_ns + 1);
}

TEST(ProfileCopier, CopiesStacksAgainBelowAnotherRoot) {
  Profile p = profile_of({"t;main;a 1"});
  StackId leaf = p.samples()[0].stack;
  ProfileBuilder b;
  Changer copier(p, b);
  StackId plain = copier.stack(leaf);
  copier.restart_stacks(b.stack(b.named_frame("root"), {}));
  StackId below = copier.stack(leaf);
  EXPECT_EQ(copier.stack(leaf), below);
  Profile copy = std::move(b).build();
  EXPECT_EQ(stack_text(copy, plain), "new main;new a");
  EXPECT_EQ(stack_text(copy, below), "root;new main;new a");
}

TEST(ProfileCopier, DeepStacks) {
  ProfileBuilder deep;
  FrameId frame = deep.named_frame("descend");
  StackId s;
  for (int i = 0; i < 50'000; ++i) { s = deep.stack(frame, s); }
  Profile p = std::move(deep).build();
  ProfileBuilder b;
  EXPECT_EQ(ProfileCopier(p, b).stack(s), s);
}

}  // namespace
}  // namespace wick

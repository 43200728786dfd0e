// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/overview.h"

#include <gtest/gtest.h>

#include "analyze/format.h"
#include "model/testing.h"

namespace wick {
namespace {

TEST(Overview, CountsSamplesAndLosses) {
  ProfileBuilder b;
  b.set_command({"./app", "two words"});
  testing_profile::add_lines(b, {"main;f 1000", "worker;f 500"});
  b.add_loss("lost.throttled", 2, true);
  b.add_loss("lost.ring_full", 10, true);
  b.add_loss("stacks.cut", 3, false);
  b.add_loss("stacks.joined", 400, false);  // complete, not reported
  Profile p = std::move(b).build();
  Overview o = compute_overview(p, EventId{0});
  EXPECT_EQ(o.title, "./app 'two words'");
  EXPECT_EQ(o.samples, 1500u);
  EXPECT_EQ(o.threads, 2u);
  EXPECT_EQ(o.processes, 1u);
  EXPECT_EQ(o.lost, 12u);
  EXPECT_EQ(o.truncated, 3u);
  EXPECT_EQ(o.duration_ns, 1'499'000'000u);
  EXPECT_EQ(loss_lines(o), (std::vector<std::string>{"12 samples lost (ring full: 10, throttled: 2)",
                                                     "3 stacks (0.2%) truncated (longer than the copy: 3)"}));
}

TEST(Overview, WholeSystemIsTheTitle) {
  ProfileBuilder b;
  b.set_target("whole system");
  testing_profile::add_lines(b, {"main;f 10"});
  Profile p = std::move(b).build();
  EXPECT_EQ(compute_overview(p, EventId{0}).title, "whole system");
}

TEST(Overview, CountsTruncatedStacksOfTheEvent) {
  ProfileBuilder b;
  testing_profile::add_lines(b, {"main;f 100"});
  EventId clock = b.event("cpu-clock", "ns", 1000), faults = b.event("page-faults", "faults");
  b.add_loss("stacks.cut", 300, false, faults);
  b.add_loss("stacks.cut", 4, false, clock);
  b.add_loss("lost.ring_full", 7, true);
  Profile p = std::move(b).build();
  Overview o = compute_overview(p, clock);
  EXPECT_EQ(o.other_events, std::vector<EventId>{faults});
  EXPECT_EQ(loss_lines(o), (std::vector<std::string>{"7 samples of all events lost (ring full: 7)",
                                                     "4 stacks (4.0%) truncated (longer than the copy: 4)"}));
}

// bpftrace and others only have thread names.
TEST(Overview, CountsThreadsWithoutIdsByName) {
  ProfileBuilder b;
  b.set_imported("bpftrace maps", false);
  ProcessId process = b.add_process(0, "");
  EventId event = b.event("samples", "samples");
  for (const char* name : {"one", "two", "two", "three"}) {
    b.add_sample({.thread = b.add_thread(process, 0, name), .event = event, .weight = 1});
  }
  Overview o = compute_overview(std::move(b).build(), event);
  EXPECT_EQ(o.threads, 3u);
  EXPECT_EQ(o.processes, 1u);
}

TEST(Overview, FramePointerChainsAreNotVerified) {
  ProfileBuilder b;
  testing_profile::add_lines(b, {"main;f 100"});
  b.add_loss("stacks.frame_pointers", 93, false, EventId{0});
  b.add_loss("stacks.too_deep", 7, false, EventId{0});
  Profile p = std::move(b).build();
  Overview o = compute_overview(p, EventId{0});
  EXPECT_EQ(o.unverified, 93u);
  EXPECT_EQ(loss_lines(o), (std::vector<std::string>{"7 stacks (7.0%) truncated (too deep: 7)",
                                                     "93 stacks (93.0%) unwound by frame pointers: may lack frames"}));
}

TEST(Overview, ReportsLostSideRecordsAndThrottling) {
  ProfileBuilder b;
  testing_profile::add_lines(b, {"main;f 100"});
  b.add_loss("side.lost", 500, false);
  b.add_loss("throttled", 1, false);
  b.set_losses_unknown();
  Profile p = std::move(b).build();
  Overview o = compute_overview(p, EventId{0});
  EXPECT_FALSE(o.losses_known);
  EXPECT_EQ(loss_lines(o),
            (std::vector<std::string>{"500 records of mappings and thread names lost: some stacks and symbols may be wrong",
                                      "the kernel throttled sampling 1 time"}));
}

TEST(Overview, SaysThatDeepThreadsWereStoppedTooLate) {
  ProfileBuilder b;
  testing_profile::add_lines(b, {"main;f 100"});
  b.add_loss("samples.late", 5, false);
  Profile few = std::move(b).build();
  EXPECT_TRUE(loss_lines(compute_overview(few, EventId{0})).empty());
  ProfileBuilder c;
  testing_profile::add_lines(c, {"main;f 100"});
  c.add_loss("stacks.cut", 9, false, EventId{0});
  c.add_loss("samples.late", 12, false);
  Profile many = std::move(c).build();
  EXPECT_EQ(loss_lines(compute_overview(many, EventId{0})),
            (std::vector<std::string>{"9 stacks (9.0%) truncated (longer than the copy: 9)",
                                      "12 samples of threads with deep stacks are truncated because wick stopped them too late "
                                      "(busy machine or short bursts)"}));
}

TEST(Overview, AttachedProcessesAreTheTitle) {
  ProfileBuilder b;
  testing_profile::add_lines(b, {"server;f 1"});
  Profile p = std::move(b).build();
  EXPECT_EQ(compute_overview(p, EventId{0}).title, "server (pid 100)");
}

TEST(Overview, EmptyAndOddTimes) {
  Profile empty = std::move(ProfileBuilder()).build();
  Overview o = compute_overview(empty, EventId{});
  EXPECT_EQ(o.duration_ns, 0u);
  EXPECT_TRUE(loss_lines(o).empty());
  ProfileBuilder b;
  testing_profile::add_lines(b, {"t;f 1"});
  b.set_start(UINT64_MAX, 0);  // after the last sample
  Profile odd = std::move(b).build();
  EXPECT_EQ(compute_overview(odd, EventId{0}).duration_ns, 0u);
  EXPECT_EQ(select_samples(odd)->samples.size(), 1u);
}

TEST(Format, Numbers) {
  EXPECT_EQ(format_percent(0.4214), "42.1%");
  EXPECT_EQ(format_percent(0), "0.0%");
  EXPECT_EQ(format_percent(0.00034), "0.03%");
  EXPECT_EQ(format_percent(0.00001), "<0.01%");
  EXPECT_EQ(format_percent(1), "100.0%");
  EXPECT_EQ(share(1, 0), 0);
  EXPECT_EQ(format_duration(0), "0 s");
  EXPECT_EQ(format_duration(7), "7 ns");
  EXPECT_EQ(format_duration(1'500), "1.5 us");
  EXPECT_EQ(format_duration(999'499), "999 us");
  EXPECT_EQ(format_duration(999'600), "1.0 ms");
  EXPECT_EQ(format_duration(12'040'000'000), "12.04 s");
  EXPECT_EQ(format_duration(125'000'000'000), "2 min 05 s");
  EXPECT_EQ(format_duration(3 * 3'600'000'000'000), "3 h 00 min");
  EXPECT_EQ(format_duration(INT64_MIN).front(), '-');
  EXPECT_EQ(format_cost(1'000'000, {"ns"}), "1.0 ms");
  EXPECT_EQ(format_cost(9'999, {"cycles"}), "9999");
  EXPECT_EQ(format_cost(3'104'000'000, {"cycles"}), "3.10 G");
  EXPECT_EQ(format_cost(999'999, {"cycles"}), "1.00 M");
  EXPECT_EQ(format_cost(INT64_MAX, {"cycles"}), "9.22 E");
  EXPECT_EQ(count_of(1, "sample"), "1 sample");
  EXPECT_EQ(count_of(1204, "sample"), "1,204 samples");
  EXPECT_EQ(count_of(2, "process", "processes"), "2 processes");
  EXPECT_EQ(shown_name(""), "[unnamed]");
}

TEST(Format, SourcesOfRustsStandardLibrary) {
  EXPECT_EQ(short_source("/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/num/mod.rs:7"),
            "<std>/core/src/num/mod.rs:7");
  EXPECT_EQ(short_source("/rustc/1.63.0/library/std/src/rt.rs"), "<std>/std/src/rt.rs");
  EXPECT_EQ(short_source("/usr/src/rustc-1.63.0/library/alloc/src/vec/mod.rs"), "<std>/alloc/src/vec/mod.rs");
  EXPECT_EQ(short_source("/home/u/.rustup/toolchains/stable/lib/rustlib/src/rust/library/core/src/iter/range.rs:772"),
            "<std>/core/src/iter/range.rs:772");
  EXPECT_EQ(short_source("/rust/deps/hashbrown-0.16.1/src/raw.rs"), "<std>/hashbrown-0.16.1/src/raw.rs");
  for (const char* path : {"/rustc/abc/compiler/rustc_middle/src/ty.rs", "/rustc/", "/rustc/library/x.rs",
                           "/home/u/library/core/src/a.rs", "src/main.rs", "", "/usr/src/rustc-1.63.0"}) {
    EXPECT_EQ(short_source(path), path);
  }
}

Profile with_event(const char* name, const char* unit, int64_t weight, uint64_t count, bool has_times) {
  ProfileBuilder b;
  if (!has_times) { b.set_imported("some format", false); }
  EventId e = b.event(name, unit);
  ThreadId t = b.add_thread(b.add_process(1, "p"), 1, "p");
  StackId s = b.stack(b.frame({.function = b.function("main", {}, {})}), {});
  b.add_sample({.thread = t, .stack = s, .event = e, .weight = weight, .count = count});
  return std::move(b).build();
}

TEST(Overview, DescribesAmounts) {
  auto said = [](const char* name, const char* unit, int64_t weight, uint64_t count, bool has_times) {
    Profile p = with_event(name, unit, weight, count, has_times);
    Overview o = compute_overview(p, EventId{0});
    return describe_amount(p, EventId{0}, o.samples, o.weight);
  };
  EXPECT_EQ(said("samples", "samples", 8, 8, false), "8 samples");
  EXPECT_EQ(said("samples", "samples", 1, 1, true), "1 sample");
  EXPECT_EQ(said("cpu-clock", "ns", 8000, 8, true), "8 samples of cpu-clock");
  EXPECT_EQ(said("cpu-clock", "ns", 8000, 8, false), "8 samples of cpu-clock");
  EXPECT_EQ(said("cycles", "cycles", 8000, 8, true), "8 samples of cycles");
  EXPECT_EQ(said("Ir", "instructions", 41'346'315, 41'346'315, false), "41,346,315 Ir");
  EXPECT_EQ(said("bytes", "bytes", 16'548, 11, false), "16,548 bytes");
  EXPECT_EQ(said("bytes-at-peak", "bytes", 16'548, 11, false), "16,548 bytes-at-peak");
  EXPECT_EQ(said("inuse_space", "bytes", 1'735'000, 257, false), "1,735,000 bytes of inuse_space");
}

TEST(Overview, NamesOtherEvents) {
  ProfileBuilder b;
  ThreadId t = b.add_thread(b.add_process(1, "p"), 1, "p");
  StackId s = b.stack(b.frame({.function = b.function("main", {}, {})}), {});
  std::vector<EventId> events;
  for (const char* name : {"a", "b", "never"}) { events.push_back(b.event(name, "events")); }
  for (uint64_t i = 0; i < 3; ++i) {
    b.add_sample({.time_ns = i, .thread = t, .stack = s, .event = events[i == 0 ? 0 : 1], .weight = 1});
  }
  Profile p = std::move(b).build();
  EXPECT_EQ(describe_other_events(p, {&events[0], 1}), "b (2 samples)");
  EXPECT_EQ(describe_other_events(p, {&events[1], 1}), "a (1 sample)");
  EXPECT_EQ(describe_other_events(p, {&events[0], 2}), "");
}

}  // namespace
}  // namespace wick

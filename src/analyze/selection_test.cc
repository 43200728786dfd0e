// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/selection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "model/testing.h"

namespace wick {
namespace {

using testing_profile::edited;
using testing_profile::profile_of;

Profile sample_profile() { return profile_of({"main;start;hot 5", "worker;start;run;cold 3", "worker;start;run;hot 2"}); }

size_t count(const Profile& p, const Filter& f) {
  Result<Selection> s = select_samples(p, f);
  EXPECT_TRUE(s.ok()) << s.error().message();
  return s->samples.size();
}

TEST(Selection, EverythingByDefault) {
  Profile p = sample_profile();
  Result<Selection> all = select_samples(p);
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->samples.size(), 10u);
  EXPECT_EQ(all->weight, 10'000'000);
  EXPECT_TRUE(Filter{}.everything());
  EXPECT_EQ(describe_filter(Filter{}), "");
}

TEST(Selection, ByThreadNameOrId) {
  Profile p = sample_profile();
  EXPECT_EQ(count(p, {.thread = "worker"}), 5u);
  EXPECT_EQ(count(p, {.thread = "101"}), 5u);
  EXPECT_EQ(count(p, {.thread = "main"}), 5u);
  Result<Selection> none = select_samples(p, {.thread = "wroker"});
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().message(), "no thread \"wroker\" in this profile; did you mean worker?");
  EXPECT_EQ(none.error().code(), Errc::kNotFound);
}

TEST(Selection, ByTimeRange) {
  Profile p = sample_profile();  // samples at 1 ms, 2 ms, … 10 ms
  Filter f;
  ASSERT_TRUE(parse_range("0.002-0.004", f).ok());
  EXPECT_EQ(count(p, f), 2u);  // excludes the end
  ASSERT_TRUE(parse_range("0.009-", f).ok());
  EXPECT_EQ(count(p, f), 2u);
  ASSERT_TRUE(parse_range("-0.002s", f).ok());
  EXPECT_EQ(count(p, f), 1u);
  for (const char* bad : {"", "-", "5", "a-b", "3-1", "1-1", "1-2-3", "nan-1", "-1-2", "1--2", "1-inf"}) {
    EXPECT_FALSE(parse_range(bad, f).ok()) << bad;
  }
  ASSERT_TRUE(parse_range("0-1e300", f).ok());
  EXPECT_EQ(count(p, f), 10u);
}

TEST(Selection, FocusAndIgnoreMatchEveryFrame) {
  Profile p = sample_profile();
  EXPECT_EQ(count(p, {.focus = "^hot$"}), 7u);
  EXPECT_EQ(count(p, {.focus = "run"}), 5u);
  EXPECT_EQ(count(p, {.ignore = "run"}), 5u);
  EXPECT_EQ(count(p, {.focus = "run", .ignore = "cold"}), 2u);
  EXPECT_EQ(count(p, {.focus = "nothing like it"}), 0u);
  Result<Selection> bad = select_samples(p, {.focus = "a(b"});
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().message(), "\"a(b\" is not a regular expression: missing ): a(b");
  EXPECT_EQ(check_pattern("a(b").error().message(), bad.error().message());
  EXPECT_TRUE(check_pattern("a|b").ok());
}

TEST(Selection, TimeRangeNeedsTimes) {
  Profile p = edited(sample_profile(), [](ProfileBuilder& b) { b.set_imported("folded stacks", false); });
  EXPECT_EQ(select_samples(p, {.begin_ns = 1}).error().message(),
            "cannot select a time range: this profile (folded stacks) has no sample times");
}

TEST(Selection, OneEventAtATime) {
  ProfileBuilder b;
  ThreadId t = b.add_thread(b.add_process(1, "app"), 1, "app");
  StackId s = b.stack(b.frame({.function = b.function("main", "", {})}), {});
  EventId unused = b.event("faults", "faults"), cycles = b.event("cycles", "cycles"), misses = b.event("misses", "misses");
  (void)unused;
  b.add_sample({.time_ns = 1, .thread = t, .stack = s, .event = misses, .weight = 5});
  b.add_sample({.time_ns = 2, .thread = t, .stack = s, .event = cycles, .weight = 7});
  Profile p = std::move(b).build();
  EXPECT_EQ(select_samples(p)->weight, 7);  // the first with samples
  EXPECT_EQ(select_samples(p, {.event = "misses"})->weight, 5);
  EXPECT_EQ(count(p, {.event = "faults"}), 0u);
  EXPECT_EQ(select_samples(p, {.event = "mises"}).error().message(),
            "event \"mises\" was not recorded (recorded: faults, cycles, misses)");
}

// Events with this many samples each, in this order.
Profile with_events(const std::vector<std::pair<const char*, int>>& events, bool ranked = true) {
  ProfileBuilder b;
  ThreadId t = b.add_thread(b.add_process(1, "app"), 1, "app");
  StackId s = b.stack(b.frame({.function = b.function("main", "", {})}), {});
  uint64_t time_ns = 0;
  for (auto [name, samples] : events) {
    EventId e = b.event(name, "events");
    for (int i = 0; i < samples; ++i) { b.add_sample({.time_ns = ++time_ns, .thread = t, .stack = s, .event = e, .weight = 1}); }
  }
  b.about().events_ranked = ranked;
  return std::move(b).build();
}

TEST(Selection, WithoutAnOrderTimeThenMostSamples) {
  auto chosen = [](std::vector<std::pair<const char*, int>> events, bool ranked) {
    std::string first;
    if (!ranked) { std::sort(events.begin(), events.end()); }
    do {  // whatever the order
      Profile p = with_events(events, ranked);
      std::string name(p.text(p[select_samples(p)->event].name));
      EXPECT_TRUE(first.empty() || ranked || name == first) << name;
      first = first.empty() ? name : first;
      EXPECT_EQ(p.text(p[first_event(p)].name), events[events[0].second == 0 ? 1 : 0].first);
    } while (!ranked && std::next_permutation(events.begin(), events.end()));
    return first;
  };
  EXPECT_EQ(chosen({{"context-switches", 9}, {"cpu-clock", 3}, {"page-faults", 5}}, false), "cpu-clock");
  EXPECT_EQ(chosen({{"context-switches", 9}, {"cycles:ppp", 3}, {"instructions", 50}}, false), "cycles:ppp");
  EXPECT_EQ(chosen({{"cpu_atom/cycles/u", 3}, {"cpu_core/cycles/u", 5}, {"faults", 50}}, false), "cpu_core/cycles/u");
  EXPECT_EQ(chosen({{"context-switches", 9}, {"page-faults", 5}}, false), "context-switches");
  EXPECT_EQ(chosen({{"cpu-clock", 0}, {"page-faults", 5}}, false), "page-faults");
  EXPECT_EQ(chosen({{"page-faults", 5}, {"cpu-clock", 9}}, true), "page-faults");
}

TEST(Selection, RejectsCostsThatOverflow) {
  Profile p = profile_of({"t;main 2"}, {.weight = INT64_MAX});
  EXPECT_FALSE(select_samples(p).ok());
  Profile q = profile_of({"t;main 1"}, {.weight = INT64_MIN});
  EXPECT_FALSE(select_samples(q).ok());
  Profile fine = profile_of({"t;main 1"}, {.weight = INT64_MAX});
  EXPECT_TRUE(select_samples(fine).ok());
}

TEST(Selection, EmptyProfile) {
  Profile p = std::move(ProfileBuilder()).build();
  Result<Selection> s = select_samples(p, {.focus = "x"});
  ASSERT_TRUE(s.ok());
  EXPECT_TRUE(s->samples.empty());
  EXPECT_FALSE(s->event.valid());
}

TEST(Selection, DescribesFilters) {
  Filter f{.thread = "worker", .focus = "a.*b", .ignore = "c"};
  ASSERT_TRUE(parse_range("1.5-3", f).ok());
  EXPECT_EQ(describe_filter(f), "thread worker, 1.5-3 s, with /a.*b/, without /c/");
}

}  // namespace
}  // namespace wick

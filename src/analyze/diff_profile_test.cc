// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff_profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "model/testing.h"

namespace wick {
namespace {

using testing_profile::profile_of;

Result<Profile> combine(const Profile& a, const Profile& b, const CombineOptions& options = {}) {
  return combine_profiles(a, *select_samples(a), b, *select_samples(b), options);
}

// "module`f;module`g" -> the weights of both sides.
using Stacks = std::map<std::string, std::pair<int64_t, int64_t>>;
Stacks stacks_of(const Profile& p) {
  Stacks out;
  for (const Sample& s : p.samples()) {
    std::string text;
    for (StackId at = s.stack; at.valid(); at = p[at].caller) {
      const Function& f = p[p[p[at].frame].function];
      std::string module = f.module.valid() ? std::string(p.text(p[f.module].name)) + "`" : "";
      text = module + std::string(p.text(f.name)) + (text.empty() ? "" : ";") + text;
    }
    (s.event.value == 0 ? out[text].first : out[text].second) += s.weight;
  }
  return out;
}

constexpr int64_t kMs = 1'000'000;

struct Hit {
  std::string module, build, function;
  uint64_t address;
};
Profile profile_with_addresses(const std::vector<Hit>& hits) {
  ProfileBuilder b;
  EventId e = b.event("cpu-clock", "ns");
  ThreadId t = b.add_thread(b.add_process(1, "app"), 1, "app");
  for (const Hit& h : hits) {
    FunctionId function = b.function(h.function, {}, b.module(h.module, h.build));
    b.add_sample({.thread = t, .stack = b.stack(b.frame({.function = function, .address = h.address}), {}), .event = e});
  }
  return std::move(b).build();
}
// "before f 10": the addresses that each side keeps.
std::multiset<std::string> kept_addresses(const Profile& p) {
  std::multiset<std::string> out;
  for (const Sample& s : p.samples()) {
    const Frame& f = p[p[s.stack].frame];
    out.insert(std::string(p.text(p[s.event].name)) + " " + std::string(p.text(p[f.function].name)) + " " +
               std::to_string(f.address));
  }
  return out;
}

TEST(DiffProfile, KeepsAddressesOfOneBuildOnly) {
  std::vector<Hit> hits = {{"/bin/app", "aa", "f", 10}, {"/lib/x.so", "bb", "g", 20}, {"/lib/none.so", "", "h", 30}};
  Profile a = profile_with_addresses(hits);
  hits[0].address = 11;
  hits[1].build = "cc";  // another build: the same address is other code
  hits.push_back({"/bin/app", "aa", "fresh", 12});
  Profile b = profile_with_addresses(hits);
  std::vector<CombinedFunction> functions;
  Result<Profile> both = combine(a, b, {.keep_samples = true, .functions = &functions});
  ASSERT_TRUE(both.ok());
  using Kept = std::multiset<std::string>;
  EXPECT_EQ(kept_addresses(*both),
            (Kept{"after f 11", "after fresh 12", "after g 20", "after h 30", "before f 10", "before g 0", "before h 0"}));
  ASSERT_EQ(functions.size(), both->functions().size());
  for (uint32_t i = 0; i < functions.size(); ++i) {
    const Function& f = both->functions()[i];
    std::string_view name = both->text(f.name);
    EXPECT_EQ(functions[i].same_build, name == "f" || name == "fresh") << name;
    EXPECT_EQ(both->text((*both)[f.module].build_id), functions[i].same_build ? "aa" : "") << name;
    EXPECT_EQ(b.text(b[functions[i].after].name), name);
    EXPECT_EQ(functions[i].before.valid(), name != "fresh");
  }
  EXPECT_EQ(kept_addresses(*combine(a, b)).count("after f 0"), 1u) << "tables have no use for addresses";
}

// Its code is that of the file before, so its addresses mean something.
TEST(DiffProfile, KeepsAddressesOfVanishedFunctions) {
  Profile a = profile_with_addresses({{"/bin/app", "aa", "f", 10}, {"/bin/app", "aa", "gone", 20}});
  Profile b = profile_with_addresses({{"/bin/app", "bb", "f", 10}});
  std::vector<CombinedFunction> functions;
  Result<Profile> both = combine(a, b, {.keep_samples = true, .functions = &functions});
  ASSERT_TRUE(both.ok());
  EXPECT_EQ(kept_addresses(*both), (std::multiset<std::string>{"after f 10", "before f 0", "before gone 20"}));
  ASSERT_EQ(functions.size(), 2u);
  EXPECT_FALSE(functions[1].after.valid());
  EXPECT_EQ(a.text(a[functions[1].before].name), "gone");
}

// Two files of one name on a side become one module: an address in it is ambiguous.
TEST(DiffProfile, DropsAddressesOfSeveralFilesOfOneName) {
  std::vector<Hit> hits = {{"/a/x.so", "aa", "f", 10}, {"/b/x.so", "bb", "f", 10}};
  Profile both_files = profile_with_addresses(hits), one = profile_with_addresses({hits[0]});
  EXPECT_EQ(kept_addresses(*combine(one, both_files, {.keep_samples = true})),
            (std::multiset<std::string>{"after f 0", "after f 0", "before f 0"}));
}

TEST(DiffProfile, CombinesBothSides) {
  Profile a = profile_of({"t;main;f 3", "t;main;gone 2"}), b = profile_of({"t;main;f 5", "t;main;libx.so`new 1"});
  Result<Profile> both = combine(a, b);
  ASSERT_TRUE(both.ok());
  EXPECT_TRUE(both->is_difference());
  EXPECT_FALSE(both->has_times());
  ASSERT_EQ(both->events().size(), 2u);
  EXPECT_EQ(both->text(both->events()[0].name), "before");
  EXPECT_EQ(both->text(both->events()[1].name), "after");
  EXPECT_EQ(both->text(both->events()[0].unit), "ns");
  EXPECT_EQ(stacks_of(*both), (Stacks{{"app`main;app`f", {3 * kMs, 5 * kMs}},
                                      {"app`main;app`gone", {2 * kMs, 0}},
                                      {"app`main;libx.so`new", {0, 1 * kMs}}}));
  Result<Sides> sides = select_sides(*both);
  ASSERT_TRUE(sides.ok());
  EXPECT_EQ(sides->before.weight, 5 * kMs);
  EXPECT_EQ(sides->after.weight, 6 * kMs);
  EXPECT_EQ(sides->both.weight, 11 * kMs);
  EXPECT_EQ(sides->both.samples.size(), 4u);
  check_profile(*both);
}

TEST(DiffProfile, OnlySelectedSamples) {
  Profile a = profile_of({"t;main;f 3", "u;main;g 2"}), b = profile_of({"t;main;f 5", "u;main;g 9"});
  Filter t{.thread = "t"};
  Result<Profile> both = combine_profiles(a, *select_samples(a, t), b, *select_samples(b, t));
  EXPECT_EQ(stacks_of(*both), (Stacks{{"app`main;app`f", {3 * kMs, 5 * kMs}}}));
}

TEST(DiffProfile, PathsHashesAndAddressesDoNotMatter) {
  Profile a = profile_of({"t;/v1/app`run::h0123456789abcdef;/v1/app`[app+0x10] 3"});
  Profile b = profile_of({"t;/v2/app`run::hfedcba9876543210;/v2/app`[app+0x20] 4"});
  EXPECT_EQ(stacks_of(*combine(a, b)), (Stacks{{"app`run;app`[app]", {3 * kMs, 4 * kMs}}}));
  std::set<std::string_view> modules;
  Result<Profile> both = combine(a, b);
  for (const Module& m : both->modules()) { EXPECT_TRUE(modules.insert(both->text(m.name)).second); }
}

TEST(DiffProfile, AddressesOfOneBuildAreKept) {
  auto profile = [](const char* build, const char* name) {
    ProfileBuilder b;
    ThreadId t = b.add_thread(b.add_process(1, "app"), 1, "app");
    StackId s = b.stack(b.frame({.function = b.function(name, {}, b.module("/bin/app", build), false)}), {});
    b.add_sample({.time_ns = 1, .thread = t, .stack = s, .event = b.event("cpu-clock", "ns"), .weight = 1});
    return std::move(b).build();
  };
  EXPECT_EQ(stacks_of(*combine(profile("aa", "[app+0x10]"), profile("aa", "[app+0x20]"))),
            (Stacks{{"app`[app+0x10]", {1, 0}}, {"app`[app+0x20]", {0, 1}}}));
  EXPECT_EQ(stacks_of(*combine(profile("aa", "[app+0x10]"), profile("bb", "[app+0x20]"))), (Stacks{{"app`[app]", {1, 1}}}));
}

// As read from folded stacks.
Profile folded_like(const std::vector<std::pair<std::string, int64_t>>& rows, const char* unit = "samples",
                    uint64_t divisor = 1) {
  ProfileBuilder b;
  b.set_imported("folded stacks", false);
  ThreadId t = b.add_thread(b.add_process(0, ""), 0, "");
  for (const auto& [name, count] : rows) {
    b.add_sample({.thread = t,
                  .stack = b.stack(b.frame({.function = b.function(name, {}, {})}), {}),
                  .event = b.event("samples", unit, 0, divisor),
                  .weight = count,
                  .count = static_cast<uint64_t>(std::max<int64_t>(1, count / static_cast<int64_t>(divisor)))});
  }
  return std::move(b).build();
}

TEST(DiffProfile, NamesAloneIfOneSideHasNoModules) {
  Profile a = folded_like({{"f", 7}}, "ns"), b = profile_of({"t;f 4"});
  EXPECT_EQ(stacks_of(*combine(a, b)), (Stacks{{"f", {7, 4 * kMs}}}));
}

TEST(DiffProfile, DifferentUnits) {
  Profile a = folded_like({{"f", 10}, {"g", 30}}), b = profile_of({"t;f 4"});
  Result<Profile> both = combine(a, b);
  ASSERT_FALSE(both.ok());
  EXPECT_NE(both.error().message().find("cannot compare costs in samples (before) with costs in ns (after)"), std::string::npos)
      << both.error().message();
  both = combine(a, b, {.normalize = true});
  ASSERT_TRUE(both.ok());
  EXPECT_EQ(stacks_of(*both), (Stacks{{"f", {1 * kMs, 4 * kMs}}, {"g", {3 * kMs, 0}}}));
  EXPECT_EQ(both->text(both->events()[0].unit), "ns");
}

TEST(DiffProfile, CommonDivisor) {
  Result<Profile> both = combine(folded_like({{"f", 3}}), folded_like({{"f", 2'500'000}}, "samples", 1'000'000));
  ASSERT_TRUE(both.ok());
  EXPECT_EQ(both->events()[0].divisor, 1'000'000u);
  EXPECT_EQ(both->events()[1].divisor, 1'000'000u);
  EXPECT_EQ(stacks_of(*both), (Stacks{{"f", {3'000'000, 2'500'000}}}));
  EXPECT_FALSE(combine(folded_like({{"f", INT64_MAX / 2}}), folded_like({{"f", 1}}, "samples", 1'000'000)).ok());
}

TEST(DiffProfile, NormalizedSumsAgreeExactly) {
  Profile a = folded_like({{"f", 40}, {"g", 60}, {"h", 20}, {"i", 1}}), b = folded_like({{"f", 140}, {"g", 60}});
  Result<Profile> both = combine(a, b, {.normalize = true});
  Result<Sides> sides = select_sides(*both);
  EXPECT_EQ(sides->before.weight, sides->after.weight);
  EXPECT_EQ(sides->before.count, 121u);  // sample counts are unchanged
  EXPECT_NEAR(static_cast<double>(stacks_of(*both)["f"].first) / static_cast<double>(both->events()[0].divisor), 40 * 200 / 121.0,
              1e-5);
  // Too large for finer parts.
  int64_t large = INT64_MAX / 8;
  both = combine(folded_like({{"f", large}, {"g", 3}}), folded_like({{"f", large / 3}, {"g", 1}}), {.normalize = true});
  sides = select_sides(*both);
  EXPECT_EQ(sides->before.weight, sides->after.weight);
}

TEST(DiffProfile, NothingToNormalize) {
  Profile none = folded_like({}), some = folded_like({{"f", 10}}), zero = folded_like({{"f", 0}});
  for (const Profile* p : {&none, &zero}) {
    Result<Profile> both = combine(*p, some, {.normalize = true});
    ASSERT_TRUE(both.ok());
    EXPECT_EQ(stacks_of(*both)["f"].second, 10);
    ASSERT_TRUE(combine(some, *p, {.normalize = true}).ok());
    ASSERT_TRUE(combine(*p, *p).ok());
    EXPECT_TRUE(select_sides(*combine(*p, *p)).ok());
  }
  ProfileBuilder empty;
  Profile nothing = std::move(empty).build();  // no events
  EXPECT_EQ(stacks_of(*combine(nothing, some)), (Stacks{{"f", {0, 10}}}));
  EXPECT_TRUE(combine(nothing, nothing).ok());
}

TEST(DiffProfile, FlatStacksBeginWithTheThread) {
  Profile a = profile_of({"t;main;liba.so`f 1", "u;main;f 2"}), b = profile_of({"u;main;f 4", "t;main;libb.so`f 3"});
  EXPECT_EQ(stacks_of(*combine(a, b, {.flat = true})),
            (Stacks{{"t;main;f", {1 * kMs, 3 * kMs}}, {"u;main;f", {2 * kMs, 4 * kMs}}}));
}

TEST(DiffProfile, ThreadsMatchByName) {
  Profile a = profile_of({"main;f 1", "worker;f 2"}), b = profile_of({"main;f 4", "other;f 1", "worker;f 3"});
  Result<Profile> both = combine(a, b);
  EXPECT_EQ(both->threads().size(), 3u);
  EXPECT_EQ(both->processes().size(), 1u);
}

TEST(DiffProfile, KeepsSamplesWithTheirTimesAndThreads) {
  auto recording = [](std::vector<std::string> lines, uint64_t start_ns) {
    ProfileBuilder shifted(profile_of(lines));
    shifted.set_start(start_ns, 0);
    shifted.change_samples([&](Sample& s) {
      s.time_ns += start_ns;
      return true;
    });
    return std::move(shifted).build();
  };
  Profile a = recording({"main;f 2", "worker;f 1"}, 500), b = recording({"main;f 1"}, 900'000'000);
  Result<Profile> both = combine(a, b, {.keep_samples = true});
  ASSERT_TRUE(both.ok());
  EXPECT_TRUE(both->is_difference());
  EXPECT_TRUE(both->has_times());
  EXPECT_TRUE(both->losses_known());
  EXPECT_EQ(both->functions().size(), 1u);
  ASSERT_EQ(both->threads().size(), 3u);
  std::vector<std::tuple<uint32_t, uint64_t, uint32_t>> samples;
  for (const Sample& s : both->samples()) { samples.emplace_back(s.event.value, s.time_ns, (*both)[s.thread].tid); }
  std::sort(samples.begin(), samples.end());
  EXPECT_EQ(samples, (std::vector<std::tuple<uint32_t, uint64_t, uint32_t>>{
                         {0, 1 * kMs, 100}, {0, 2 * kMs, 100}, {0, 3 * kMs, 101}, {1, 1 * kMs, 100}}));
  for (const Sample& s : both->samples()) {
    EXPECT_EQ(s.thread.value == 0, s.event.value == 1) << "each side has threads of its own";
  }
  check_profile(*both);
  EXPECT_FALSE(combine(a, folded_like({{"f", 1}}), {.normalize = true, .keep_samples = true})->has_times());
}

TEST(DiffProfile, StripHex) {
  Profile a = folded_like({{"call 0x12", 1}}), b = folded_like({{"call 0xfe", 2}});
  EXPECT_EQ(stacks_of(*combine(a, b)).size(), 2u);
  EXPECT_EQ(stacks_of(*combine(a, b, {.strip_hex = true})), (Stacks{{"call 0x...", {1, 2}}}));
}

TEST(DiffProfile, NotesWhatIsMissing) {
  ProfileBuilder builder;
  testing_profile::add_lines(builder, {"t;f 3"});
  builder.add_loss("lost.ring_full", 7, true);
  builder.add_warning("damaged");
  Profile a = std::move(builder).build(), b = profile_of({"t;f 2"});
  Result<Profile> both = combine(a, b);
  ASSERT_EQ(both->losses().size(), 1u);
  EXPECT_EQ(both->losses()[0].count, 7u);
  EXPECT_EQ(both->losses()[0].event, EventId{0});
  EXPECT_EQ(both->warnings(), std::vector<std::string>{"before: damaged"});
}

TEST(DiffProfile, DeepStacks) {
  ProfileBuilder builder;
  ThreadId t = builder.add_thread(builder.add_process(1, "app"), 1, "app");
  StackId at;
  for (int i = 0; i < 100'000; ++i) { at = builder.stack(builder.frame({.function = builder.function("f", {}, {})}), at); }
  builder.add_sample({.time_ns = 1, .thread = t, .stack = at, .event = builder.event("e", "ns"), .weight = 1});
  Profile p = std::move(builder).build();
  Result<Profile> both = combine(p, p);
  EXPECT_EQ(both->stacks().size(), 100'000u);
  EXPECT_EQ(both->samples().size(), 2u);
}

}  // namespace
}  // namespace wick

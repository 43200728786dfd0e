// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/combine.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyze/call_tree.h"
#include "analyze/selection.h"
#include "model/profile_builder.h"
#include "model/testing.h"

namespace wick {
namespace {

using testing_profile::profile_of;

uint64_t samples_of(const Profile& p, std::string_view function) {
  uint64_t n = 0;
  for (const Sample& s : p.samples()) { n += p.text(p[p[p[s.stack].frame].function].name) == function ? s.count : 0; }
  return n;
}

TEST(MarkWakers, MarksFramesAfterTheSeparator) {
  Profile p = mark_wakers(profile_of({"t;a;b;--;w;a;--;x_[k] 2", "t;a;b;w 1"}));
  std::vector<std::string> names;
  for (StackId s = p.samples().front().stack; s.valid(); s = p[s].caller) {
    names.emplace_back(p.text(p[p[p[s].frame].function].name));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"x_[k]", "--", "a_[w]", "w_[w]", "--", "b", "a"}));
  EXPECT_EQ(samples_of(p, "w"), 1u);
}

TEST(MergeProfiles, CountsEverySampleOnce) {
  std::vector<Profile> both;
  both.push_back(profile_of({"t;main;a 3", "t;main;b 1"}));
  both.push_back(profile_of({"t;main;a 2", "t;main;c 5"}));
  Profile p = merge_profiles(both);
  check_profile(p);
  EXPECT_EQ(p.samples().size(), 11u);
  EXPECT_EQ(samples_of(p, "a"), 5u);
  EXPECT_EQ(p.events().size(), 1u);
  EXPECT_EQ(p.stacks().size(), 4u);  // main, a, b, c: shared
  EXPECT_EQ(p.threads().size(), 2u);
  EXPECT_EQ(p.command(), both[0].command());
  EXPECT_TRUE(p.has_times());
  Selection all = *select_samples(p);
  EXPECT_EQ(all.weight, select_samples(both[0])->weight + select_samples(both[1])->weight);
}

Profile nobodys(int64_t weight, uint64_t divisor, const char* function) {
  ProfileBuilder b;
  b.set_imported("folded stacks", false);
  b.merge_samples();
  EventId e = b.event("samples", "samples", 0, divisor);
  ThreadId t = b.add_thread(b.add_process(0, ""), 0, "");
  StackId s = b.stack(b.frame({.function = b.function(function, {}, {})}), {});
  b.add_sample({.thread = t, .stack = s, .event = e, .weight = weight, .count = 1});
  return std::move(b).build();
}

TEST(MergeProfiles, ConvertsDivisors) {
  std::vector<Profile> both;
  both.push_back(nobodys(3, 1, "main"));
  both.push_back(nobodys(2'500'000, 1'000'000, "main"));
  Profile p = merge_profiles(both, {.merge = true});
  ASSERT_EQ(p.events().size(), 1u);
  EXPECT_EQ(p.events()[0].divisor, 1'000'000u);
  ASSERT_EQ(p.samples().size(), 1u);
  EXPECT_EQ(p.samples()[0].weight, 5'500'000);
  EXPECT_EQ(p.threads().size(), 1u);
  EXPECT_FALSE(p.has_times());
  EXPECT_EQ(p.imported_from(), "folded stacks");
  // Events that would overflow stay separate.
  std::vector<Profile> large;
  large.push_back(nobodys(INT64_MAX, 1, "main"));
  large.push_back(nobodys(1, 1'000'000, "main"));
  Profile apart = merge_profiles(large);
  EXPECT_EQ(apart.events().size(), 2u);
  EXPECT_EQ(merge_profiles({}).samples().size(), 0u);
}

TEST(CutToBase, StacksBeginAtTheFunction) {
  Profile p = cut_to_base(profile_of({"t;a;b;c;b;d 10", "t;a;x 5", "t;q;b;z 3"}), std::vector<std::string>{"b"});
  CallTree tree = compute_call_tree(p, *select_samples(p));
  ASSERT_EQ(tree.nodes.size(), 4u);  // all, b, d, z
  EXPECT_EQ(node_name(p, tree, tree.nodes[tree.nodes[0].first_child]), "b");
  EXPECT_EQ(tree.nodes[0].total.samples, 13u);
  EXPECT_TRUE(cut_to_base(p, std::vector<std::string>{"nothing"}).samples().empty());
}

}  // namespace
}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/transform.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "model/testing.h"

namespace wick {
namespace {

using Op = Transform::Op;

FunctionId function(const Profile& profile, std::string_view name) {
  for (uint32_t i = 0; i < profile.functions().size(); ++i) {
    if (profile.text(profile.functions()[i].name) == name) { return {i}; }
  }
  ADD_FAILURE() << "no function " << name;
  return {};
}

// "root;leaf 3" for each stack with samples, in order of text.
std::string folded(const Profile& profile, const StackShape& shape) {
  std::map<std::string, int> counts;
  for (const Sample& s : profile.samples()) {
    StackId at = shape.stacks[s.stack.value];
    if (at == StackShape::kDropped) { continue; }
    std::string text;
    for (; at.valid(); at = shape.profile[at].caller) {
      std::string name(shape.profile.text(shape.profile[shape.profile[shape.profile[at].frame].function].name));
      text = name + (text.empty() ? "" : ";" + text);
    }
    ++counts[text];
  }
  std::string out;
  for (const auto& [text, n] : counts) { out += text + " " + std::to_string(n) + "\n"; }
  return out;
}

struct Case {
  Profile profile = testing_profile::profile_of({"app;main;run;parse 2", "app;main;run;parse;read 3", "app;main;parse;run 1",
                                                 "app;main;libc.so.6`qsort;cmp;libc.so.6`memcpy 4", "app;main 1"});
  Transform on(Op op, std::string_view name) { return {.op = op, .function = function(profile, name)}; }
  Transform at(Op op, std::vector<std::string_view> names, bool inverted = false) {
    Transform t{.op = op, .inverted = inverted};
    for (std::string_view name : names) { t.path.push_back(function(profile, name)); }
    return t;
  }
  std::string after(const Transform& t) { return folded(profile, *transform_stacks(shape_of(profile), t)); }
};

TEST(Transform, NothingChangesWithoutOne) {
  Case c;
  EXPECT_EQ(folded(c.profile, shape_of(c.profile)),
            "main 1\nmain;parse;run 1\nmain;qsort;cmp;memcpy 4\nmain;run;parse 2\nmain;run;parse;read 3\n");
}

TEST(Transform, FocusOnFunctionBeginsAtItsOutermostOccurrence) {
  Case c;
  EXPECT_EQ(c.after(c.on(Op::kFocusFunction, "run")), "run 1\nrun;parse 2\nrun;parse;read 3\n");
  EXPECT_EQ(c.after(c.on(Op::kFocusFunction, "memcpy")), "memcpy 4\n");
  Profile recursive = testing_profile::profile_of({"app;main;f;g;f;h 2"});
  StackShape shape = *transform_stacks(shape_of(recursive), {.op = Op::kFocusFunction, .function = function(recursive, "f")});
  EXPECT_EQ(folded(recursive, shape), "f;g;f;h 2\n");
}

TEST(Transform, FocusOnSubtreeKeepsOneNode) {
  Case c;
  EXPECT_EQ(c.after(c.at(Op::kFocusSubtree, {"main", "run", "parse"})), "parse 2\nparse;read 3\n");
  // The same functions in another order are another node.
  EXPECT_EQ(c.after(c.at(Op::kFocusSubtree, {"main", "parse"})), "parse;run 1\n");
  EXPECT_EQ(c.after(c.at(Op::kFocusSubtree, {"run", "parse"})), "");
  // From the leaves: samples that end in parse, called by run; what parse calls is not theirs.
  EXPECT_EQ(c.after(c.at(Op::kFocusSubtree, {"parse", "run"}, true)), "main;run 2\n");
}

TEST(Transform, FocusOnSelfKeepsSamplesThatEndThere) {
  Case c;
  EXPECT_EQ(c.after(c.on(Op::kFocusSelf, "parse")), "main;run;parse 2\n");
}

TEST(Transform, MergedFunctionGivesItsCostToItsCaller) {
  Case c;
  EXPECT_EQ(c.after(c.on(Op::kMergeFunction, "parse")), "main 1\nmain;qsort;cmp;memcpy 4\nmain;run 3\nmain;run;read 3\n");
  // The outermost function has no caller, yet no sample is lost.
  EXPECT_EQ(c.after(c.on(Op::kMergeFunction, "main")),
            "[merged] 1\nparse;run 1\nqsort;cmp;memcpy 4\nrun;parse 2\nrun;parse;read 3\n");
}

TEST(Transform, MergedNodeLeavesOtherOccurrences) {
  Case c;
  EXPECT_EQ(c.after(c.at(Op::kMergeNode, {"main", "parse"})),
            "main 1\nmain;qsort;cmp;memcpy 4\nmain;run 1\nmain;run;parse 2\nmain;run;parse;read 3\n");
  EXPECT_EQ(c.after(c.at(Op::kMergeNode, {"parse"}, true)),
            "main 1\nmain;parse;run 1\nmain;qsort;cmp;memcpy 4\nmain;run 2\nmain;run;parse;read 3\n");
  EXPECT_EQ(c.after(c.at(Op::kMergeNode, {"read", "parse"}, true)),
            "main 1\nmain;parse;run 1\nmain;qsort;cmp;memcpy 4\nmain;run;parse 2\nmain;run;read 3\n");
}

TEST(Transform, DroppedFunctionTakesItsSamplesAlong) {
  Case c;
  EXPECT_EQ(c.after(c.on(Op::kDropFunction, "run")), "main 1\nmain;qsort;cmp;memcpy 4\n");
}

TEST(Transform, CollapsedFunctionIsALeaf) {
  Case c;
  EXPECT_EQ(c.after(c.on(Op::kCollapseSubtree, "run")), "main 1\nmain;parse;run 1\nmain;qsort;cmp;memcpy 4\nmain;run 5\n");
}

TEST(Transform, RecursionCollapsesToTheOutermostOccurrence) {
  Profile p = testing_profile::profile_of({"app;main;f;g;f;f;h 2", "app;main;f;g 1", "app;main;f;f 4"});
  auto after = [&](Op op) { return folded(p, *transform_stacks(shape_of(p), {.op = op, .function = function(p, "f")})); };
  EXPECT_EQ(after(Op::kCollapseRecursion), "main;f 4\nmain;f;g 1\nmain;f;h 2\n");
  EXPECT_EQ(after(Op::kCollapseDirectRecursion), "main;f 4\nmain;f;g 1\nmain;f;g;f;h 2\n");
}

TEST(Transform, CollapsedLibraryJoinsNeighborsOnly) {
  Profile p = testing_profile::profile_of({"app;main;libc.so.6`qsort;libc.so.6`msort;cmp;libc.so.6`memcpy 4"});
  Transform t{.op = Op::kCollapseModule, .function = function(p, "memcpy")};
  EXPECT_EQ(folded(p, *transform_stacks(shape_of(p), t)), "main;[libc.so.6];cmp;[libc.so.6] 4\n");
}

TEST(Transform, KeepsSamplesWithAMatch) {
  Case c;
  EXPECT_EQ(c.after({.op = Op::kKeepMatching, .pattern = "^re"}), "main;run;parse;read 3\n");
  EXPECT_EQ(c.after({.op = Op::kKeepMatching, .pattern = "QSORT"}), "") << "an upper-case letter makes it case-sensitive";
  EXPECT_FALSE(transform_stacks(shape_of(c.profile), {.op = Op::kKeepMatching, .pattern = "("}).ok());
}

TEST(Transform, EachWorksOnTheResultOfTheLast) {
  Case c;
  StackShape shape = *transform_stacks(shape_of(c.profile), c.on(Op::kMergeFunction, "run"));
  shape = *transform_stacks(shape, c.at(Op::kFocusSubtree, {"main", "parse"}));
  EXPECT_EQ(folded(c.profile, shape), "parse 3\nparse;read 3\n");
  shape = *transform_stacks(shape, c.on(Op::kDropFunction, "read"));
  EXPECT_EQ(folded(c.profile, shape), "parse 3\n");
}

TEST(Transform, DescribesItself) {
  Case c;
  EXPECT_EQ(describe_transform(c.profile, c.on(Op::kFocusFunction, "run")), "focus on run");
  EXPECT_EQ(describe_transform(c.profile, c.on(Op::kCollapseModule, "qsort")), "collapsed libc.so.6");
  EXPECT_EQ(describe_transform(c.profile, c.at(Op::kFocusSubtree, {"main", "run"})), "focus on subtree run");
}

}  // namespace
}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/flame_tree.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "analyze/call_tree.h"
#include "base/text.h"
#include "model/testing.h"

namespace wick {
namespace {

using testing_profile::add_lines;
using testing_profile::edited;
using testing_profile::profile_of;
using testing_profile::with_samples;

constexpr int64_t kMs = 1'000'000;

// "name x+width", indented by level; the root first.
std::vector<std::string> drawn(const Profile& p, const FlameTree& tree) {
  std::vector<std::string> out;
  for (const FlameNode& n : tree.nodes) {
    out.push_back(std::string(n.depth, ' ') + std::string(node_name(p, tree, n)) +
                  strf(" %lld+%lld", static_cast<long long>(n.x / kMs), static_cast<long long>(n.width / kMs)));
  }
  return out;
}
using Lines = std::vector<std::string>;

FlameTree tree_of(const Profile& p, const FlameTreeOptions& options = {}) {
  return compute_flame_tree(p, *select_samples(p), options);
}

TEST(FlameTree, WidthsAreTotals) {
  Profile p = profile_of({"t;main;a 3", "t;main;b 1", "t;main;a;c 2", "t;main 4"});
  FlameTree tree = tree_of(p);
  EXPECT_EQ(drawn(p, tree), (Lines{" 0+10", " main 0+10", "  a 0+5", "   c 0+2", "  b 5+1"}));
  EXPECT_EQ(tree.levels, 4u);
  EXPECT_EQ(tree.hidden_branches, 0u);
  EXPECT_EQ(tree.nodes[1].self.samples, 4u);
  EXPECT_EQ(tree.nodes[2].self.samples, 3u);
}

TEST(FlameTree, NarrowBranchesAreDroppedAndCounted) {
  Profile p = profile_of({"t;main;a 90", "t;main;b;deep;deeper 1", "t;main;c 9"});
  FlameTree tree = tree_of(p, {.least_share = 0.05});
  EXPECT_EQ(drawn(p, tree), (Lines{" 0+100", " main 0+100", "  a 0+90", "  c 90+9"}));
  EXPECT_EQ(tree.hidden_branches, 1u);
  EXPECT_EQ(tree.nodes[1].self.samples, 0u);  // dropped callees do not become main's self cost
}

TEST(FlameTree, SiblingOrders) {
  Profile p = profile_of({"t;b 1", "t;c 3", "t;a 2"});
  EXPECT_EQ(drawn(p, tree_of(p)), (Lines{" 0+6", " c 0+3", " a 3+2", " b 5+1"}));
  EXPECT_EQ(drawn(p, tree_of(p, {.order = SiblingOrder::kName})), (Lines{" 0+6", " a 0+2", " b 2+1", " c 3+3"}));
  EXPECT_EQ(drawn(p, tree_of(p, {.order = SiblingOrder::kInput})), (Lines{" 0+6", " b 0+1", " c 1+3", " a 4+2"}));
}

TEST(FlameTree, Reversed) {
  Profile p = profile_of({"t;main;a;leaf 3", "t;main;b;leaf 2", "t;main 1"});
  EXPECT_EQ(drawn(p, tree_of(p, {.reverse = true})),
            (Lines{" 0+6", " leaf 0+5", "  a 0+3", "   main 0+3", "  b 3+2", "   main 3+2", " main 5+1"}));
}

TEST(FlameTree, ChartsKeepTheOrderOfTime) {
  Profile p = profile_of({"t;main;a 2", "t;main;b 1", "t;main;a 1", "t;main;a;c 1"});
  EXPECT_EQ(drawn(p, tree_of(p, {.chart = true})), (Lines{" 0+5", " main 0+5", "  a 0+2", "  b 2+1", "  a 3+2", "   c 4+1"}));
  FlameTree coarse = tree_of(p, {.chart = true, .least_share = 0.3});
  EXPECT_EQ(drawn(p, coarse), (Lines{" 0+5", " main 0+5", "  a 0+2", "  a 3+2"}));
  EXPECT_EQ(coarse.hidden_branches, 2u);
  EXPECT_EQ(coarse.nodes[1].total.samples, 5u);
  Profile two = profile_of({"t;main 1", "u;run 1", "t;main 1"});
  EXPECT_EQ(drawn(two, tree_of(two, {.chart = true})), (Lines{" 0+3", " t 0+2", "  main 0+2", " u 2+1", "  run 2+1"}));
}

TEST(FlameTree, ThreadsAsFirstLevel) {
  Profile p = profile_of({"t;main;a 3", "u;main;a 1", "u;run 1", "t;main;b 1"});
  EXPECT_EQ(drawn(p, tree_of(p, {.by_thread = true})),
            (Lines{" 0+6", " t 0+4", "  main 0+4", "   a 0+3", "   b 3+1", " u 4+2", "  main 4+1", "   a 4+1", "  run 5+1"}));
  EXPECT_EQ(
      drawn(p, tree_of(p, {.reverse = true, .by_thread = true})),
      (Lines{" 0+6", " a 0+4", "  main 0+4", "   t 0+3", "   u 3+1", " b 4+1", "  main 4+1", "   t 4+1", " run 5+1", "  u 5+1"}));
  // Even for a single thread; without samples there is none.
  EXPECT_EQ(drawn(p, compute_flame_tree(p, *select_samples(p, {.thread = "u"}), {.by_thread = true})),
            (Lines{" 0+2", " u 0+2", "  main 0+1", "   a 0+1", "  run 1+1"}));
}

TEST(FlameTree, ThreadsOfTheSameNameAreDistinguished) {
  ProfileBuilder b;
  EventId event = b.event("cpu-clock", "ns", 1000);
  StackId stack = b.stack(b.frame({.function = b.function("f", {}, {})}), {});
  auto add = [&](ProcessId process, uint32_t tid, const char* name) {
    b.add_sample({.thread = b.add_thread(process, tid, name), .stack = stack, .event = event, .weight = kMs});
  };
  ProcessId app = b.add_process(10, "app");
  add(app, 10, "app");
  add(app, 11, "app");
  add(app, 12, "worker");
  add(app, 12, "worker");  // seen twice
  add(app, 13, "");
  Profile one = std::move(b).build();
  Selection all = *select_samples(one);
  EXPECT_EQ(group_by_thread(one, all).names, (Lines{"app (10)", "app (11)", "worker", "thread (13)"}));

  ProfileBuilder c;
  event = c.event("cpu-clock", "ns", 1000);
  stack = c.stack(c.frame({.function = c.function("f", {}, {})}), {});
  ProcessId make = c.add_process(1, "make"), cc1 = c.add_process(2, "cc1");
  for (auto [process, tid, name] : {std::tuple{make, 1u, "make"}, {cc1, 2u, "cc1"}, {cc1, 3u, "gc"}}) {
    c.add_sample({.thread = c.add_thread(process, tid, name), .stack = stack, .event = event, .weight = kMs});
  }
  Profile two = std::move(c).build();
  EXPECT_EQ(group_by_thread(two, *select_samples(two)).names, (Lines{"make", "cc1", "cc1/gc"}));
}

TEST(FlameTree, FullWidthCanExceedAllSamples) {
  Profile p = profile_of({"t;main 3"});
  EXPECT_EQ(drawn(p, tree_of(p, {.whole = 10 * kMs})), (Lines{" 0+10", " main 0+3"}));
  EXPECT_EQ(drawn(p, tree_of(p, {.whole = kMs})), (Lines{" 0+3", " main 0+3"}));
}

Profile difference_of(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  ProfileBuilder b;
  ThreadId t = b.add_thread(b.add_process(0, ""), 0, "");
  for (const auto& [name, lines] : {std::pair{"before", before}, {"after", after}}) {
    EventId event = b.event(name, "samples");
    for (const std::string& line : lines) {
      size_t space = line.rfind(' ');
      StackId s;
      for (std::string_view frame : split(std::string_view(line).substr(0, space), ';')) {
        s = b.stack(b.frame({.function = b.function(frame, {}, {})}), s);
      }
      uint64_t count = *parse_u64(std::string_view(line).substr(space + 1));
      b.add_sample({.thread = t, .stack = s, .event = event, .weight = static_cast<int64_t>(count) * kMs, .count = count});
    }
  }
  b.about().is_difference = true;
  return std::move(b).build();
}

TEST(FlameTree, DifferenceHasRoomForVanishedNodes) {
  Profile p = difference_of({"main;a 5", "main;gone;x 3", "main;b 2"}, {"main;a 6", "main;b 1", "main;new 2"});
  Selection before = *select_samples(p, {.event = "before"}), after = *select_samples(p, {.event = "after"});
  FlameTree tree = compute_flame_tree(p, after, {.before = &before});
  EXPECT_EQ(drawn(p, tree), (Lines{" 0+12", " main 0+12", "  a 0+6", "  b 6+1", "  gone 7+3", "   x 7+3", "  new 10+2"}));
  EXPECT_EQ(tree.nodes[0].total.weight, 9 * kMs);
  EXPECT_EQ(tree.nodes[0].total_before.weight, 10 * kMs);
  EXPECT_EQ(tree.nodes[2].self_before.samples, 5u);
  EXPECT_EQ(tree.nodes[4].total.weight, 0);
  EXPECT_EQ(tree.nodes[5].self_before.samples, 3u);
  FlameTree reversed = compute_flame_tree(p, after, {.reverse = true, .before = &before});
  EXPECT_EQ(reversed.nodes[0].width, 12 * kMs);
}

TEST(FlameTree, ProcessesOfSeveralNamesAreALevel) {
  ProfileBuilder b;
  EventId e = b.event("cpu-clock", "ns");
  StackId main = b.stack(b.frame({.function = b.function("main", "", {})}), {});
  StackId work = b.stack(b.frame({.function = b.function("work", "", {})}), main);
  for (uint32_t pid : {1u, 2u}) {
    ThreadId t = b.add_thread(b.add_process(pid, pid == 1 ? "make" : "cc1"), pid, "x");
    b.add_sample({.time_ns = pid, .thread = t, .stack = pid == 1 ? main : work, .event = e, .weight = pid * kMs});
  }
  Profile p = std::move(b).build();
  EXPECT_EQ(drawn(p, tree_of(p)), (Lines{" 0+3", " cc1 0+2", "  main 0+2", "   work 0+2", " make 2+1", "  main 2+1"}));
  EXPECT_EQ(drawn(p, tree_of(p, {.reverse = true})),
            (Lines{" 0+3", " work 0+2", "  main 0+2", "   cc1 0+2", " main 2+1", "  make 2+1"}));
}

// Compared with the call tree, which drops nothing.
TEST(FlameTree, AgreesWithTheCallTree) {
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::string> lines;
    for (int i = 0; i < 200; ++i) {
      std::string line = "t";
      for (unsigned depth = 1 + random() % 8; depth > 0; --depth) { line += strf(";f%u", static_cast<unsigned>(random() % 5)); }
      lines.push_back(line + strf(" %u", 1 + static_cast<unsigned>(random() % 9)));
    }
    Profile p = profile_of(lines);
    if (round % 3 == 1) {  // two frames of a function: more nodes than rows
      p = edited(p, [](ProfileBuilder& b) { b.frame(b.so_far().frames()[0]); });
      ASSERT_GT(p.frames().size(), p.functions().size());
    }
    if (round % 3 == 2) {  // with other weights
      p = with_samples(p, [](Sample& s) { s.weight += s.time_ns == kMs ? 3 * kMs : 0; });
    }
    CallTree all = compute_call_tree(p, *select_samples(p));
    FlameTree tree = tree_of(p);
    FlameTree coarse = tree_of(p, {.least_share = 0.02});
    for (const FlameNode& n : coarse.nodes) { ASSERT_GE(n.total.weight, coarse.nodes[0].total.weight / 50); }
    uint64_t narrow = 0, wide = 0;
    for (const CallNode& n : all.nodes) {
      bool fits = static_cast<double>(n.total.weight) >= 0.02 * static_cast<double>(all.nodes[0].total.weight);
      wide += fits;
      bool caller_fits = n.parent == CallNode::kNone || static_cast<double>(all.nodes[n.parent].total.weight) >=
                                                            0.02 * static_cast<double>(all.nodes[0].total.weight);
      narrow += !fits && caller_fits;
    }
    ASSERT_EQ(coarse.nodes.size(), wide);
    ASSERT_EQ(coarse.hidden_branches, narrow);
    ASSERT_EQ(tree.nodes.size(), all.nodes.size());
    std::vector<uint32_t> order, todo = {0};  // depth first
    while (!todo.empty()) {
      uint32_t n = todo.back();
      todo.pop_back();
      order.push_back(n);
      std::vector<uint32_t> children;
      for (uint32_t c = all.nodes[n].first_child; c != CallNode::kNone; c = all.nodes[c].next_sibling) { children.push_back(c); }
      todo.insert(todo.end(), children.rbegin(), children.rend());
    }
    for (size_t i = 0; i < order.size(); ++i) {
      const CallNode& want = all.nodes[order[i]];
      const FlameNode& got = tree.nodes[i];
      ASSERT_EQ(got.function, want.function);
      ASSERT_EQ(got.depth, want.depth);
      ASSERT_EQ(got.self.samples, want.self.samples);
      ASSERT_EQ(got.total.weight, want.total.weight);
    }
    // From the leaves: the same total, and each function's self cost on the first level.
    FlameTree reversed = tree_of(p, {.reverse = true});
    int64_t first_level = 0;
    for (const FlameNode& n : reversed.nodes) { first_level += n.depth == 1 ? n.total.weight : 0; }
    EXPECT_EQ(first_level, all.nodes[0].total.weight);
  }
}

}  // namespace
}  // namespace wick

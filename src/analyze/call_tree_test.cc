// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/call_tree.h"

#include <gtest/gtest.h>

#include <map>

#include <random>

#include "analyze/find_function.h"
#include "analyze/function_table.h"
#include "model/testing.h"

namespace wick {
namespace {

using testing_profile::profile_of;
using Texts = std::vector<std::string>;

// Depth first, ". " per level: "..name self/total".
Texts texts(const Profile& p, const CallTree& tree) {
  Texts out;
  uint32_t at = 0;
  while (at != CallNode::kNone) {
    const CallNode& n = tree.nodes[at];
    out.push_back(std::string(n.depth, '.') + std::string(node_name(p, tree, n)) +
                  strf(" %d/%d", static_cast<int>(n.self.samples), static_cast<int>(n.total.samples)));
    if (n.first_child != CallNode::kNone) {
      at = n.first_child;
      continue;
    }
    while (at != CallNode::kNone && tree.nodes[at].next_sibling == CallNode::kNone) { at = tree.nodes[at].parent; }
    if (at != CallNode::kNone) { at = tree.nodes[at].next_sibling; }
  }
  return out;
}

TEST(CallTree, MergesByFunctionHeaviestFirst) {
  Profile p = profile_of({"t;main;b 2", "u;main;a;c 3", "t;main;a 1", "t;other 1", "t;main;z 2"});
  CallTree tree = compute_call_tree(p, *select_samples(p));
  EXPECT_EQ(texts(p, tree), (Texts{" 0/9", ".main 0/8", "..a 1/4", "...c 3/3", "..b 2/2", "..z 2/2", ".other 1/1"}));
}

TEST(CallTree, AddressesInAFunctionShareANode) {
  ProfileBuilder b;
  EventId e = b.event("cpu-clock", "ns");
  ThreadId t = b.add_thread(b.add_process(1, "app"), 1, "app");
  FunctionId main = b.function("main", "", {}), leaf = b.function("leaf", "", {});
  for (uint64_t i = 0; i < 6; ++i) {
    StackId s = b.stack(b.frame({.function = main, .address = i % 2}), {});
    s = b.stack(b.frame({.function = leaf, .address = i % 3}), s);
    b.add_sample({.time_ns = i, .thread = t, .stack = s, .event = e, .weight = 1});
  }
  Profile p = std::move(b).build();
  EXPECT_EQ(texts(p, compute_call_tree(p, *select_samples(p))), (Texts{" 0/6", ".main 0/6", "..leaf 6/6"}));
}

TEST(CallTree, ProcessLevelOnlyForSeveralProcesses) {
  ProfileBuilder b;
  EventId e = b.event("cpu-clock", "ns");
  StackId s = b.stack(b.frame({.function = b.function("main", "", {})}), {});
  StackId deeper = b.stack(b.frame({.function = b.function("work", "", {})}), s);
  auto process = [&](uint32_t pid, const char* name, std::vector<StackId> stacks) {
    ThreadId t = b.add_thread(b.add_process(pid, name), pid, name);
    for (StackId stack : stacks) { b.add_sample({.time_ns = pid, .thread = t, .stack = stack, .event = e, .weight = 1}); }
  };
  process(1, "sh", {s, deeper});
  process(2, "cc1", {deeper, deeper, s});
  process(3, "sh", {deeper});
  process(4, "cc1", {s});
  Profile p = std::move(b).build();
  Selection all = *select_samples(p);
  EXPECT_EQ(texts(p, compute_call_tree(p, all)), (Texts{" 0/7", ".main 3/7", "..work 4/4"}));
  EXPECT_EQ(texts(p, compute_call_tree(p, all, group_by_process_name(p, all))),
            (Texts{" 0/7", ".cc1 0/4", "..main 2/4", "...work 2/2", ".sh 0/3", "..main 1/3", "...work 2/2"}));
  Selection one = *select_samples(p, {.thread = "sh"});
  EXPECT_EQ(texts(p, compute_call_tree(p, one, group_by_process_name(p, one))), (Texts{" 0/3", ".main 1/3", "..work 2/2"}));
}

TEST(CallTree, TotalsAddUpOnRandomStacks) {
  std::mt19937 random(11);
  std::vector<std::string> lines;
  for (int i = 0; i < 500; ++i) {
    std::string line = "t";
    for (unsigned depth = 1 + random() % 9; depth > 0; --depth) {
      line += std::string(";f") + static_cast<char>('a' + random() % 4);
    }
    lines.push_back(line + " " + std::to_string(1 + random() % 4));
  }
  Profile p = profile_of(lines);
  Selection all = *select_samples(p);
  CallTree tree = compute_call_tree(p, all);
  uint64_t self = 0;
  for (uint32_t i = 0; i < tree.nodes.size(); ++i) {
    const CallNode& n = tree.nodes[i];
    Cost sum = n.self;
    int64_t before = INT64_MAX;
    for (uint32_t c = n.first_child; c != CallNode::kNone; c = tree.nodes[c].next_sibling) {
      ASSERT_EQ(tree.nodes[c].parent, i);
      ASSERT_LT(i, c);
      ASSERT_LE(tree.nodes[c].total.weight, before);
      before = tree.nodes[c].total.weight;
      sum += tree.nodes[c].total;
    }
    ASSERT_EQ(sum.weight, n.total.weight);
    ASSERT_EQ(sum.samples, n.total.samples);
    self += n.self.samples;
  }
  EXPECT_EQ(self, p.samples().size());
  EXPECT_EQ(tree.nodes[0].total.weight, all.weight);
}

TEST(CallTree, TwentyThousandLevels) {
  std::string deep = "t;main";
  for (int i = 0; i < 20000; ++i) { deep += ";descend"; }
  Profile p = profile_of({deep + " 5", deep + ";inner 7"});
  CallTree tree = compute_call_tree(p, *select_samples(p));
  EXPECT_EQ(tree.nodes.back().depth, 20002u);
  EXPECT_EQ(tree.nodes[0].total.samples, 12u);
  FoundFunction inner = *find_function(p, *select_samples(p), "inner");
  EXPECT_EQ(compute_callers(p, *select_samples(p), inner.functions).nodes.back().depth, 20001u);
}

TEST(CallTree, Empty) {
  Profile p = std::move(ProfileBuilder()).build();
  Selection none = *select_samples(p);
  EXPECT_EQ(texts(p, compute_call_tree(p, none, group_by_process_name(p, none))), (Texts{" 0/0"}));
}

TEST(Callers, StartAtTheFirstEntry) {
  Profile p = profile_of({"t;main;a;f 3", "t;main;b;f;g 2", "t;main;a;f;f;f 4", "t;main;b 9"});
  Selection all = *select_samples(p);
  FoundFunction f = *find_function(p, all, "f");
  EXPECT_EQ(texts(p, compute_callers(p, all, f.functions)), (Texts{" 0/9", ".a 0/7", "..main 7/7", ".b 0/2", "..main 2/2"}));
  FoundFunction main = *find_function(p, all, "main");
  EXPECT_EQ(texts(p, compute_callers(p, all, main.functions)), (Texts{" 18/18"}));
}

TEST(FindFunction, FullNameThenParts) {
  Profile p = profile_of({"t;main;ns::Box<int>::run(int) const 1", "t;main;other::go(char) 1", "t;__libc_start_main 1",
                          "t;libx.so`main 1", "t;third::go(int) 1"});
  Selection all = *select_samples(p);
  EXPECT_EQ(find_function(p, all, "main")->functions.size(), 2u);  // in two modules
  EXPECT_EQ(find_function(p, all, "ns::Box::run")->name, "ns::Box<int>::run(int) const");
  EXPECT_EQ(find_function(p, all, "run")->name, "ns::Box<int>::run(int) const");
  EXPECT_EQ(find_function(p, all, "Box<")->name, "ns::Box<int>::run(int) const");
  EXPECT_EQ(find_function(p, all, "start_m")->name, "__libc_start_main");
  Result<FoundFunction> two = find_function(p, all, "go");
  ASSERT_FALSE(two.ok());
  EXPECT_EQ(two.error().message(), "\"go\" matches 2 functions: other::go, third::go");
  EXPECT_EQ(two.error().hint(), "wick report --callers other::go");
  Result<FoundFunction> near = find_function(p, all, "mian");
  ASSERT_FALSE(near.ok());
  EXPECT_EQ(near.error().message(),
            "no function \"mian\" in this profile; nearest: main; hottest (self): __libc_start_main, main, ns::Box::run");
  Result<FoundFunction> none = find_function(p, all, "zzzzzzzz");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().message(),
            "no function \"zzzzzzzz\" in this profile; hottest (self): __libc_start_main, main, ns::Box::run");
  EXPECT_FALSE(find_function(p, all, "").ok());
  EXPECT_FALSE(find_function(p, *select_samples(p, {.focus = "no such"}), "main").ok());
}

// main calls f, and f is also inlined there; g is inlined into both; h calls g.
TEST(Inlining, OfMergedFunctions) {
  ProfileBuilder b;
  EventId event = b.event("cpu-clock", "ns");
  ThreadId thread = b.add_thread(b.add_process(1, "p"), 1, "p");
  ModuleId app = b.module("/app");
  auto frame = [&](const char* name, bool inlined, uint64_t address) {
    return b.frame({.function = b.function(name, "", app), .address = address, .inlined = inlined});
  };
  StackId main = b.stack(frame("main", false, 1), {});
  StackId f_inlined = b.stack(frame("f", true, 2), main), f_called = b.stack(frame("f", false, 3), main);
  StackId g_first = b.stack(frame("g", true, 2), f_inlined), g_second = b.stack(frame("g", true, 3), f_called);
  StackId g_called = b.stack(frame("g", false, 4), b.stack(frame("h", false, 5), main));
  auto profile = [&](std::vector<StackId> stacks) {
    for (StackId s : stacks) { b.add_sample({.time_ns = 1, .thread = thread, .stack = s, .event = event, .weight = 1}); }
    return std::move(b).build();
  };
  Profile p = profile({g_first, g_second, f_called, g_called});
  Selection all = *select_samples(p);
  auto words = [](Inlining i) { return i.all() ? "inlined" : i.some() ? "both" : "called"; };
  std::map<std::string, std::string> in_tree, in_table;
  CallTree tree = compute_call_tree(p, all);
  for (const CallNode& n : tree.nodes) {
    std::string_view caller = n.parent == CallNode::kNone ? "" : node_name(p, tree, tree.nodes[n.parent]);
    in_tree[std::string(caller) + ";" + std::string(node_name(p, tree, n))] = words(n.inlining);
  }
  EXPECT_EQ(in_tree, (std::map<std::string, std::string>{{";", "called"},
                                                         {";main", "called"},
                                                         {"main;f", "both"},
                                                         {"f;g", "inlined"},
                                                         {"main;h", "called"},
                                                         {"h;g", "called"}}));
  for (const CostRow& row : compute_table(p, all).rows) { in_table[row_name(p, GroupBy::kFunction, row)] = words(row.inlining); }
  EXPECT_EQ(in_table, (std::map<std::string, std::string>{{"main", "called"}, {"f", "both"}, {"g", "both"}, {"h", "called"}}));
  FoundFunction g = *find_function(p, all, "g");
  EXPECT_TRUE(compute_callers(p, all, g.functions).nodes[0].inlining.some());
  // Only of the selected samples.
  Selection first{EventId{0}, {0}, 1};
  for (const CostRow& row : compute_table(p, first).rows) {
    EXPECT_EQ(row.inlining.all(), row_name(p, GroupBy::kFunction, row) != "main");
  }
}

TEST(FindFunction, BestMatchesComeFirst) {
  Profile p = profile_of({"t;__gnu_cxx::__normal_iterator<int*, std::vector<int>>::operator*() const 50", "t;normalize(int) 40",
                          "t;_int_malloc 30", "t;malloc 20", "t;std::sort<std::vector<malformed>>(malformed*) 10"});
  Selection all = *select_samples(p);
  Result<FoundFunction> found = find_function(p, all, "mal");
  ASSERT_FALSE(found.ok());
  // Without those that only match in template arguments or parameters.
  EXPECT_EQ(found.error().message(),
            "\"mal\" matches 4 functions: malloc, normalize, _int_malloc, __gnu_cxx::__normal_iterator::operator*");
  EXPECT_EQ(found.error().hint(), "wick report --callers malloc");
  EXPECT_EQ(find_function(p, all, "malformed")->name, "std::sort<std::vector<malformed>>(malformed*)");
  EXPECT_EQ(find_function(p, all, "int_mal")->name, "_int_malloc");
  // A whole word of its name wins over a prefix.
  Profile q = profile_of({"t;reallocate 9", "t;allocate 5", "t;page_alloc 3"});
  EXPECT_EQ(find_function(q, *select_samples(q), "alloc").error().message(),
            "\"alloc\" matches 3 functions: page_alloc, allocate, reallocate");
  EXPECT_FALSE(find_function(q, *select_samples(q), "").ok());
}

TEST(FindFunction, AmbiguousNamesAreDistinguished) {
  Profile p = profile_of({"t;ns::put<int>(int) 9", "t;ns::put<long>(long) 5", "t;ns::puts(char*) 3"});
  Result<FoundFunction> found = find_function(p, *select_samples(p), "pu");
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().message(), "\"pu\" matches 3 functions: ns::put<int>(int), ns::put<long>(long), ns::puts");
}

}  // namespace
}  // namespace wick

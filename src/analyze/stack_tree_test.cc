// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/stack_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "analyze/call_tree.h"
#include "analyze/flame_tree.h"
#include "model/profile_builder.h"

namespace wick {
namespace {

using Path = std::vector<std::string>;  // names from the root on
struct Costs {
  int64_t self = 0, total = 0;
  uint64_t samples = 0;  // total
  bool operator==(const Costs&) const = default;
};
using Tree = std::map<Path, Costs>;

Path names_of(const Profile& p, StackId stack) {
  Path names;
  for (; stack.valid(); stack = p[stack].caller) { names.emplace_back(p.text(p[p[p[stack].frame].function].name)); }
  std::reverse(names.begin(), names.end());
  return names;
}

// As slow and simple as can be: each sample counts for each beginning of its path.
void add(Tree& tree, const Path& path, const Sample& s) {
  for (size_t n = 0; n <= path.size(); ++n) {
    Costs& costs = tree[Path(path.begin(), path.begin() + static_cast<ptrdiff_t>(n))];
    costs.total += s.weight;
    costs.samples += s.count;
    if (n == path.size()) { costs.self += s.weight; }
  }
}

template <typename Built>
Tree tree_of(const Profile& p, const Built& built) {
  std::vector<Path> paths;
  Tree tree;
  for (size_t i = 0; i < built.nodes.size(); ++i) {
    const auto& n = built.nodes[i];
    Path path;
    if (i > 0) {
      EXPECT_LT(n.parent, i);
      path = paths[n.parent];
      path.emplace_back(node_name(p, built, n));
    }
    EXPECT_EQ(n.depth, path.size());
    EXPECT_TRUE(tree.try_emplace(path, Costs{n.self.weight, n.total.weight, n.total.samples}).second) << "two nodes of one path";
    paths.push_back(path);
  }
  return tree;
}

// `kind` 0: as from folded text, each row of the stack table is a node; 1: functions have several frames; 2: of several processes
// and weights, some of them negative.
Profile random_profile(std::mt19937& random, int kind) {
  ProfileBuilder b;
  EventId e = b.event("cpu-clock", "ns");
  std::vector<ThreadId> threads;
  for (uint32_t i = 0; i < 3; ++i) {
    std::string name = kind == 2 ? "process" + std::to_string(i % 2) : "app";
    threads.push_back(b.add_thread(b.add_process(i, name), i, "thread" + std::to_string(i)));
  }
  for (uint64_t i = 0; i < 300; ++i) {
    StackId s;
    for (size_t depth = 1 + random() % 8; depth > 0; --depth) {
      FunctionId f = b.function("f" + std::to_string(random() % 5), {}, {});
      s = b.stack(b.frame({.function = f, .address = kind == 0 ? 0 : random() % 2}), s);
    }
    int64_t weight = kind == 2 ? static_cast<int64_t>(random() % 50) - 5 : 10;
    uint64_t count = kind == 2 ? 1 : 1 + random() % 3;
    b.add_sample({.time_ns = i,
                  .thread = threads[random() % threads.size()],
                  .stack = s,
                  .event = e,
                  .weight = weight * static_cast<int64_t>(count),
                  .count = count});
  }
  return std::move(b).build();
}

// The callers in two halves of a selection, as one comparison and as two trees.
void expect_callers_of_both(const Profile& p, const Selection& all, const std::vector<FunctionId>& targets) {
  Selection halves[2];
  for (size_t i = 0; i < all.samples.size(); ++i) {
    const Sample& s = p.samples()[all.samples[i]];
    Selection& half = halves[i % 3 == 0];
    half.event = all.event;
    half.samples.push_back(all.samples[i]);
    half.weight += s.weight;
    half.count += s.count;
  }
  StackTreeBuilder<FlameNode> builder(p, halves[1], {.before = &halves[0]});
  builder.build_callers(targets);
  FlameTree now{.nodes = builder.nodes(), .groups = {}}, before = now;
  for (FlameNode& n : before.nodes) {
    n.total = n.total_before;
    n.self = n.self_before;
  }
  auto without_empty = [](Tree tree) {
    std::erase_if(tree, [](const auto& node) { return !node.first.empty() && node.second == Costs{}; });
    return tree;
  };
  EXPECT_EQ(without_empty(tree_of(p, now)), tree_of(p, compute_callers(p, halves[1], targets)));
  EXPECT_EQ(without_empty(tree_of(p, before)), tree_of(p, compute_callers(p, halves[0], targets)));
}

TEST(StackTree, MatchesTheSamples) {
  std::mt19937 random(3);
  for (int round = 0; round < 30; ++round) {
    Profile p = random_profile(random, round % 3);
    Selection all = *select_samples(p);
    ThreadGroups by_process = group_by_process_name(p, all), by_thread = group_by_thread(p, all);
    auto process = [&](const Sample& s) { return by_process.names[by_process.of_thread[s.thread.value]]; };
    Tree plain, grouped, threads, leaves, callers;
    for (const Sample& s : p.samples()) {
      Path path = names_of(p, s.stack), below = path, thread = path, reversed(path.rbegin(), path.rend());
      add(plain, path, s);
      thread.insert(thread.begin(), by_thread.names[by_thread.of_thread[s.thread.value]]);
      add(threads, thread, s);
      if (!by_process.names.empty()) {
        below.insert(below.begin(), process(s));
        reversed.push_back(process(s));
      }
      add(grouped, below, s);
      add(leaves, reversed, s);
      auto target = std::find(path.begin(), path.end(), "f1");
      if (target != path.end()) { add(callers, Path(std::make_reverse_iterator(target), path.rend()), s); }
    }
    EXPECT_EQ(tree_of(p, compute_call_tree(p, all)), plain);
    EXPECT_EQ(tree_of(p, compute_call_tree(p, all, by_process)), grouped);
    EXPECT_EQ(tree_of(p, compute_call_tree(p, all, by_thread)), threads);
    std::vector<FunctionId> f1;
    for (uint32_t i = 0; i < p.functions().size(); ++i) {
      if (p.text(p.functions()[i].name) == "f1") { f1.push_back(FunctionId{i}); }
    }
    EXPECT_EQ(tree_of(p, compute_callers(p, all, f1)), callers);
    expect_callers_of_both(p, all, f1);

    // Pictures have no room for what costs nothing, and for all that it called.
    auto visible = [](const Tree& tree) {
      Tree kept;
      for (const auto& [path, costs] : tree) {
        bool has_caller = path.empty() || kept.contains(Path(path.begin(), path.end() - 1));
        if (has_caller && costs.total > 0) { kept.emplace(path, costs); }
      }
      return kept;
    };
    EXPECT_EQ(tree_of(p, compute_flame_tree(p, all)), visible(grouped));
    EXPECT_EQ(tree_of(p, compute_flame_tree(p, all, {.by_thread = true})), visible(threads));
    EXPECT_EQ(tree_of(p, compute_flame_tree(p, all, {.reverse = true})), visible(leaves));
  }
}

}  // namespace
}  // namespace wick

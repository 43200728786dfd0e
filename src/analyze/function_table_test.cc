// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/function_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "model/testing.h"

namespace wick {
namespace {

using testing_profile::add_lines;
using testing_profile::profile_of;

CostTable table_of(const Profile& p, GroupBy by = GroupBy::kFunction, SortBy sort = SortBy::kSelf) {
  return compute_table(p, *select_samples(p), by, sort);
}

// "name self/total" in samples.
std::vector<std::string> texts(const Profile& p, const CostTable& t) {
  std::vector<std::string> out;
  for (const CostRow& row : t.rows) {
    out.push_back(strf("%s %d/%d", std::string(row_name(p, t.by, row)).c_str(), static_cast<int>(row.self.samples),
                       static_cast<int>(row.total.samples)));
  }
  return out;
}

using Texts = std::vector<std::string>;

TEST(FunctionTable, SelfAndTotal) {
  Profile p = profile_of({"t;main;a 3", "t;main;b;a 2", "t;main 1"});
  EXPECT_EQ(texts(p, table_of(p)), (Texts{"a 5/5", "main 1/6", "b 0/2"}));
  EXPECT_EQ(texts(p, table_of(p, GroupBy::kFunction, SortBy::kTotal)), (Texts{"main 1/6", "a 5/5", "b 0/2"}));
  EXPECT_EQ(texts(p, table_of(p, GroupBy::kFunction, SortBy::kName)), (Texts{"a 5/5", "b 0/2", "main 1/6"}));
  EXPECT_EQ(table_of(p).all.samples, 6u);
  EXPECT_EQ(table_of(p).all.weight, 6'000'000);
}

TEST(FunctionTable, RecursionCountsOnceInTheTotal) {
  Profile p = profile_of({"t;main;f;f;f 2", "t;main;f;g;f 3", "t;main;f 1", "t;g;f 4"});
  EXPECT_EQ(texts(p, table_of(p)), (Texts{"f 10/10", "g 0/7", "main 0/6"}));
}

TEST(FunctionTable, SameNameInOneModuleIsOneRow) {
  ProfileBuilder b;
  EventId e = b.event("cpu-clock", "ns");
  ThreadId t = b.add_thread(b.add_process(1, "app"), 1, "app");
  ModuleId app = b.module("/bin/app"), lib = b.module("/lib/lib.so"), other_lib = b.module("/opt/lib.so");
  auto sample = [&](ModuleId module, const char* raw) {
    StackId s = b.stack(b.frame({.function = b.function("drop<T>", raw, module)}), {});
    b.add_sample({.time_ns = 1, .thread = t, .stack = s, .event = e, .weight = 1});
  };
  sample(app, "drop1"), sample(app, "drop2"), sample(app, "drop3");
  sample(lib, "drop1"), sample(other_lib, "drop1");
  Profile p = std::move(b).build();
  EXPECT_EQ(texts(p, table_of(p)), (Texts{"drop<T> 3/3", "drop<T> 2/2"}));
}

TEST(FunctionTable, ByModuleThreadAndProcess) {
  Profile p = profile_of({"main;start;libc.so.6`read;[kernel]`vfs_read 4", "worker;start;libc.so.6`memcpy 2", "worker;start 1"});
  EXPECT_EQ(texts(p, table_of(p, GroupBy::kModule)), (Texts{"[kernel] 4/4", "libc.so.6 2/6", "app 1/7"}));
  EXPECT_EQ(texts(p, table_of(p, GroupBy::kThread)), (Texts{"main 4/4", "worker 3/3"}));
  EXPECT_EQ(texts(p, table_of(p, GroupBy::kProcess)), (Texts{"main 7/7"}));
}

TEST(FunctionTable, CodeWithoutAModuleHasARow) {
  Profile p = profile_of({"t;main 1", "t 2"});  // the second has no stack
  EXPECT_EQ(texts(p, table_of(p)), (Texts{"[unknown] 2/2", "main 1/1"}));
  EXPECT_EQ(texts(p, table_of(p, GroupBy::kModule)), (Texts{"[unknown] 2/2", "app 1/1"}));
}

TEST(FunctionTable, EmptyProfileGivesAnEmptyTable) {
  Profile p = std::move(ProfileBuilder()).build();
  for (GroupBy by : {GroupBy::kFunction, GroupBy::kModule, GroupBy::kThread, GroupBy::kProcess}) {
    EXPECT_TRUE(table_of(p, by).rows.empty());
  }
}

// A simple and slow computation, on random stacks with much recursion.
TEST(FunctionTable, AgreesWithCountingEachSample) {
  std::mt19937 random(7);
  std::vector<std::string> lines;
  for (int i = 0; i < 300; ++i) {
    std::string line = "t";
    for (unsigned depth = 1 + random() % 12; depth > 0; --depth) {
      line += std::string(";f") + static_cast<char>('a' + random() % 5);
    }
    lines.push_back(line + " " + std::to_string(1 + random() % 4));
  }
  Profile p = profile_of(lines);
  std::map<std::string, std::pair<uint64_t, uint64_t>> expected;
  for (const Sample& s : p.samples()) {
    std::map<std::string, bool> seen;
    for (StackId at = s.stack; at.valid(); at = p[at].caller) {
      std::string name(p.text(p[p[p[at].frame].function].name));
      if (at == s.stack) { ++expected[name].first; }
      if (!seen[name]) { ++expected[name].second; }
      seen[name] = true;
    }
  }
  CostTable t = table_of(p);
  ASSERT_EQ(t.rows.size(), expected.size());
  uint64_t self = 0;
  for (const CostRow& row : t.rows) {
    auto [want_self, want_total] = expected[std::string(row_name(p, t.by, row))];
    EXPECT_EQ(row.self.samples, want_self);
    EXPECT_EQ(row.total.samples, want_total);
    EXPECT_EQ(row.total.weight, static_cast<int64_t>(want_total) * 1'000'000);
    self += row.self.samples;
  }
  EXPECT_EQ(self, p.samples().size());
}

TEST(FunctionTable, DeepStacksAndManySamplesAreFast) {
  ProfileBuilder b;
  std::string deep = "t;main";
  for (int i = 0; i < 20000; ++i) { deep += i % 2 ? ";odd" : ";even"; }
  add_lines(b, {deep + " 1000", deep + ";leaf 999000"});
  Profile p = std::move(b).build();
  EXPECT_EQ(texts(p, table_of(p)), (Texts{"leaf 999000/999000", "odd 1000/1000000", "even 0/1000000", "main 0/1000000"}));
}

}  // namespace
}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/report_json.h"

#include <gtest/gtest.h>

#include "analyze/find_function.h"
#include "model/testing.h"

namespace wick {
namespace {

Profile small_profile() {
  ProfileBuilder b;
  b.set_command({"./app"});
  testing_profile::add_lines(b, {"main;start;f\"\x01 2", "worker;start 1"});
  b.add_loss("lost.ring_full", 4, true);
  b.add_loss("stacks.cut", 1, false);
  return std::move(b).build();
}

const char kHead[] =
    "{\n\"unit\":\"ns\",\n\"event\":\"cpu-clock\",\n\"command\":[\"./"
    "app\"],\n\"duration_ns\":2000000,\n\"samples\":3,\n\"lost\":4,\n\"lost_known\":true,\n"
    "\"losses\":{\"lost.ring_full\":4,\"stacks.cut\":1},\n\"warnings\":[],\n\"total\":3000000,\n";

TEST(ReportJson, Functions) {
  Profile p = small_profile();
  Selection all = *select_samples(p);
  EXPECT_EQ(table_json(p, all, compute_table(p, all)),
            std::string(kHead) +
                "\"functions\":[\n"
                "{\"name\":\"f\\\"\\u0001\",\"module\":\"app\",\"inlined\":false,\"self\":2000000,"
                "\"total\":2000000,\"self_samples\":2,\"total_samples\":2},\n"
                "{\"name\":\"start\",\"module\":\"app\",\"inlined\":false,\"self\":1000000,\"total\":"
                "3000000,\"self_samples\":1,\"total_samples\":3}\n]\n}\n");
  std::string one = table_json(p, all, compute_table(p, all), 1);
  EXPECT_EQ(one.find("start"), std::string::npos);
}

TEST(ReportJson, OtherRows) {
  Profile p = small_profile();
  Selection all = *select_samples(p);
  EXPECT_NE(
      table_json(p, all, compute_table(p, all, GroupBy::kModule))
          .find(
              "\"modules\":[\n{\"name\":\"app\",\"path\":\"/usr/bin/app\",\"build_id\":\"\",\"kernel\":false,\"self\":3000000,"),
      std::string::npos);
  EXPECT_NE(table_json(p, all, compute_table(p, all, GroupBy::kThread))
                .find("\"threads\":[\n{\"name\":\"main\",\"tid\":100,\"pid\":100,\"process\":\"main\",\"self\":2000000,"),
            std::string::npos);
  EXPECT_NE(table_json(p, all, compute_table(p, all, GroupBy::kProcess))
                .find("\"processes\":[\n{\"name\":\"main\",\"pid\":100,\"parent_pid\":0,"),
            std::string::npos);
}

TEST(ReportJson, TreesAreFlat) {
  Profile p = small_profile();
  Selection all = *select_samples(p);
  EXPECT_EQ(tree_json(p, all, compute_call_tree(p, all)),
            std::string(kHead) +
                "\"tree\":[\n"
                "{\"depth\":0,\"name\":\"\",\"module\":\"\",\"inlined\":false,\"self\":0,\"total\":3000000,\"self_samples\":0,"
                "\"total_samples\":3},\n"
                "{\"depth\":1,\"name\":\"start\",\"module\":\"app\",\"inlined\":false,\"self\":1000000,\"total\":3000000,\"self_"
                "samples\":1,\"total_"
                "samples\":3},\n"
                "{\"depth\":2,\"name\":\"f\\\"\\u0001\",\"module\":\"app\",\"inlined\":false,\"self\":2000000,\"total\":2000000,"
                "\"self_samples\":2,"
                "\"total_samples\":2}\n]\n}\n");
  FoundFunction start = *find_function(p, all, "start");
  EXPECT_NE(callers_json(p, all, compute_callers(p, all, start.functions), start)
                .find("\"callers\":[\n{\"depth\":0,\"name\":\"start\",\"module\":\"app\","),
            std::string::npos);
}

TEST(ReportJson, CallersOfAMissingFunction) {
  Profile p = small_profile();
  Selection none = *select_samples(p, {.focus = "zzz"});
  EXPECT_NE(callers_json(p, none, compute_callers(p, none, {}), {"start", {}, {}})
                .find("\"callers\":[\n{\"depth\":0,\"name\":\"start\",\"module\":\"\","),
            std::string::npos);
}

// "depth name" of each node.
std::vector<std::string> outline(const std::string& json) {
  std::vector<std::string> out;
  for (size_t at = 0; (at = json.find("{\"depth\":", at)) != std::string::npos; ++at) {
    size_t name = json.find("\"name\":\"", at) + 8;
    out.push_back(json.substr(at + 9, json.find(',', at) - at - 9) + " " + json.substr(name, json.find('"', name) - name));
  }
  return out;
}

TEST(ReportJson, LimitAppliesToChildrenOfEachNode) {
  Profile p = testing_profile::profile_of({"t;a;x;deep 5", "t;a;y 4", "t;a;z 3", "t;b;u 2", "t;b;v 2", "t;b;w 1", "t;c 1"});
  Selection all = *select_samples(p);
  using Texts = std::vector<std::string>;
  EXPECT_EQ(outline(tree_json(p, all, compute_call_tree(p, all), 2)),
            (Texts{"0 ", "1 a", "2 x", "3 deep", "2 y", "1 b", "2 u", "2 v"}));
  EXPECT_EQ(outline(tree_json(p, all, compute_call_tree(p, all), 1)), (Texts{"0 ", "1 a", "2 x", "3 deep"}));
  EXPECT_EQ(outline(tree_json(p, all, compute_call_tree(p, all))).size(), 11u);
}

TEST(ReportJson, CodeWithoutAModuleHasTheSameFields) {
  Profile p = testing_profile::profile_of({"t 2"});
  Selection all = *select_samples(p);
  EXPECT_NE(table_json(p, all, compute_table(p, all, GroupBy::kModule))
                .find("{\"name\":\"[unknown]\",\"path\":\"\",\"build_id\":\"\",\"kernel\":false,\"self\""),
            std::string::npos);
}

TEST(ReportJson, AddsUpLossesOfAllEvents) {
  ProfileBuilder b;
  testing_profile::add_lines(b, {"main;f 3"});
  b.add_loss("stacks.cut", 1, false, EventId{0});
  b.add_loss("stacks.cut", 2, false, b.event("page-faults", "faults"));
  b.set_losses_unknown();
  Profile p = std::move(b).build();
  Selection all = *select_samples(p);
  EXPECT_NE(table_json(p, all, compute_table(p, all)).find("\"lost\":0,\n\"lost_known\":false,\n\"losses\":{\"stacks.cut\":3},"),
            std::string::npos);
}

TEST(ReportJson, Empty) {
  Profile p = std::move(ProfileBuilder()).build();
  Selection none = *select_samples(p);
  EXPECT_EQ(table_json(p, none, compute_table(p, none)),
            "{\n\"unit\":\"\",\n\"event\":\"\",\n\"command\":[],\n\"duration_ns\":0,\n\"samples\":0,\n\"lost\":0,\n"
            "\"lost_known\":true,\n\"losses\":{},\n\"warnings\":[],\n"
            "\"total\":0,\n\"functions\":[\n]\n}\n");
}

}  // namespace
}  // namespace wick

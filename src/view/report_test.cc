// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/report.h"

#include <gtest/gtest.h>

#include "view/view_testing.h"

namespace wick {
namespace {

using testing_view::Folder;
using testing_view::request_of;

class ReportTest : public ::testing::Test {
 protected:
  Report load(const ReportQuery& query, const Filter& filter = {}) {
    Result<Report> report = load_report(request_of({file_}, filter), query);
    EXPECT_TRUE(report.ok()) << report.error().message();
    return *std::move(report);
  }

  Folder folder_;
  std::string file_ = folder_.file("app.folded",
                                   "main;run;hot 6\nmain;run;cold 1\nmain;other;hot 2\n"
                                   "_start;__libc_start_main;main;run;lone 1\n");
};

TEST_F(ReportTest, ATableOfFunctions) {
  Report report = load({});
  CostTable table = compute_report_table(report);
  ASSERT_FALSE(table.rows.empty());
  EXPECT_EQ(row_name(*report.view.profile, table.by, table.rows[0]), "hot");
  EXPECT_EQ(table.rows[0].self.weight, 8);
  EXPECT_EQ(table.all.weight, 10);
  table = compute_report_table(load({.sort = SortBy::kName}));
  EXPECT_EQ(row_name(*report.view.profile, table.by, table.rows[0]), "__libc_start_main");
  EXPECT_NE(report_json(report, 1).find("\"functions\""), std::string::npos);
}

TEST_F(ReportTest, CallersOfAFunction) {
  Report report = load({.kind = ReportKind::kCallers, .callee = "hot"});
  EXPECT_EQ(report.callee.name, "hot");
  CallTree tree = compute_report_tree(report);
  ASSERT_GE(tree.nodes.size(), 3u);
  EXPECT_EQ(tree.nodes[0].total.weight, 8);
  EXPECT_EQ(node_name(*report.view.profile, tree, tree.nodes[tree.nodes[0].first_child]), "run");

  Result<Report> unknown = load_report(request_of({file_}), {.kind = ReportKind::kCallers, .callee = "hto"});
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().message().find("no function \"hto\""), std::string::npos);
  EXPECT_NE(unknown.error().message().find("hot"), std::string::npos) << "the nearest";
}

TEST_F(ReportTest, NothingSelectedIsNoError) {
  Report report = load({.kind = ReportKind::kCallers, .callee = "gone"}, {.focus = "nowhere"});
  EXPECT_TRUE(report.view.selection.samples.empty());
  EXPECT_TRUE(report.callee.functions.empty());
}

TEST_F(ReportTest, NamelessFilesAreFoundWhereAskedFor) {
  file_ =
      folder_.file("app.perf", "app 100/100 [000] 1.0: 1 cycles:\n\t1000 [unknown] (/opt/lib.so)\n\t2000 main (/opt/app)\n\n");
  EXPECT_TRUE(load({}).nameless.empty());
  Report report = load({.find_lacks = true});
  ASSERT_EQ(report.nameless.size(), 1u);
  EXPECT_EQ(report.nameless[0].path, "/opt/lib.so");
  EXPECT_EQ(report.nameless[0].samples, 1u);
  EXPECT_EQ(report.nameless[0].process, "app");
}

TEST_F(ReportTest, FilesWithoutLinesAreFoundForViewsOfLines) {
  const std::string sample = "app 100/100 [000] 1.0: 1 cycles:\n\t1000 work (/opt/app)\n\n";
  file_ = folder_.file("app.perf", sample + sample + "app 100/100 [000] 1.0: 1 cycles:\n\t1000 fault ([kernel.kallsyms])\n\n");
  EXPECT_TRUE(load({.find_lacks = true}).lineless.empty());
  Report report = load({.by = GroupBy::kLine, .find_lacks = true});
  EXPECT_TRUE(report.nameless.empty());
  ASSERT_EQ(report.lineless.size(), 1u);
  EXPECT_EQ(report.lineless[0].path, "/opt/app");
  EXPECT_EQ(report.lineless[0].samples, 2u);
}

}  // namespace
}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/diff.h"

#include <gtest/gtest.h>

#include "view/view_testing.h"

namespace wick {
namespace {

using testing_view::Folder;

class DiffViewTest : public ::testing::Test {
 protected:
  DiffRequest request(std::string before, std::string after) {
    DiffRequest r;
    r.before = std::move(before);
    r.after = std::move(after);
    return r;
  }
  int64_t change_of(const ComparedRows& rows, std::string_view name) {
    for (const DiffRow& row : rows.table.rows) {
      if (row_name(rows.combined, rows.table.by, row.named()) == name) { return row.self.after.weight - row.self.before.weight; }
    }
    return INT64_MIN;
  }

  Folder folder_;
  std::string before_ = folder_.file("before.folded", "main;a 300\nmain;b 100\n"),
              after_ = folder_.file("after.folded", "main;a 400\nmain;c 50\n");
};

TEST_F(DiffViewTest, RowsOfBothSides) {
  DiffRequest asked = request(before_, after_);
  asked.comparison = {false, "asked for"};
  Result<Diff> diff = load_diff(asked);
  ASSERT_TRUE(diff.ok()) << diff.error().message();
  EXPECT_TRUE(diff->has_one_unit());
  EXPECT_EQ(diff->comparison.why, "asked for");
  Result<ComparedRows> rows = compare_rows(*diff, GroupBy::kFunction, SortBy::kSelf);
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(change_of(*rows, "a"), 100);
  EXPECT_EQ(change_of(*rows, "b"), -100);
  EXPECT_EQ(change_of(*rows, "c"), 50);
}

TEST_F(DiffViewTest, AProfileAgainstItselfDiffersNowhere) {
  Result<Diff> diff = load_diff(request(before_, before_));
  ASSERT_TRUE(diff.ok());
  Result<ComparedRows> rows = compare_rows(*diff, GroupBy::kFunction, SortBy::kSelf);
  ASSERT_TRUE(rows.ok());
  for (const DiffRow& row : rows->table.rows) { EXPECT_FALSE(rows->table.differs(row)); }
}

TEST_F(DiffViewTest, OneFileMayHoldBothSides) {
  std::string both = folder_.file("both.folded", "main;a 3 5\n");
  DiffRequest asked = request(both, folder_.path("not read"));
  asked.only_before_named = true;
  Result<Diff> diff = load_diff(asked);
  ASSERT_TRUE(diff.ok()) << diff.error().message();
  EXPECT_EQ(diff->after_file, both);
  EXPECT_EQ(diff->before.selection.weight, 3);
  EXPECT_EQ(diff->after.selection.weight, 5);
  EXPECT_EQ(diff->before.profile.get(), diff->after.profile.get());
  asked.before = before_;
  EXPECT_FALSE(load_diff(asked).ok()) << "not a difference: the other file is needed";
}

TEST_F(DiffViewTest, ErrorsNameTheSide) {
  DiffRequest asked = request(before_, after_);
  asked.view.filter.event = "none";
  Result<Diff> diff = load_diff(asked);
  ASSERT_FALSE(diff.ok());
  EXPECT_TRUE(diff.error().message().starts_with(before_ + ": ")) << diff.error().message();
}

TEST_F(DiffViewTest, TextAndPicture) {
  DiffRequest asked = request(before_, after_);
  asked.comparison = {false, "asked for"};
  asked.view.filter.focus = "^a$";
  Result<Diff> diff = load_diff(asked);
  ASSERT_TRUE(diff.ok());
  EXPECT_EQ(*fold_diff(*diff), "main;a 300 400\n");
  Result<std::string> svg = draw_diff(*diff, DifferenceHues::kRedBlue);
  ASSERT_TRUE(svg.ok());
  EXPECT_NE(svg->find("(with /^a$/)"), std::string::npos) << "the title has the filter";
}

TEST_F(DiffViewTest, FoldedFilesAreJoinedAsTheyAre) {
  std::string text;
  auto take = [&](std::string_view piece) {
    text += piece;
    return true;
  };
  EXPECT_TRUE(join_folded_files(before_, after_, nullptr, false, take));
  EXPECT_EQ(text, "main;a 300 400\nmain;b 100 0\nmain;c 0 50\n");
  std::string warned = folder_.file("warned.folded", "main;a 3\nno count\n");
  text.clear();
  EXPECT_FALSE(join_folded_files(before_, warned, nullptr, false, take)) << "its warnings have to be told";
  EXPECT_FALSE(join_folded_files(before_, folder_.path("none"), nullptr, false, take));
  EXPECT_EQ(text, "");
}

}  // namespace
}  // namespace wick

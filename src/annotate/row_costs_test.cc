// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "annotate/row_costs.h"

#include <gtest/gtest.h>

#include "model/profile_builder.h"

namespace wick {
namespace {

CodeInstruction instruction(uint64_t address, uint32_t line, std::vector<InlinedCall> inlined = {}) {
  CodeInstruction i;
  i.machine.address = address;
  i.machine.size = 4;
  i.file = "a.cc";
  i.line = line;
  i.inlined = std::move(inlined);
  return i;
}

class RowCostsTest : public testing::Test {
 protected:
  RowCostsTest() {
    ProfileBuilder b;
    file_ = b.string("a.cc");
    profile_ = std::move(b).build();
  }
  std::vector<RowCost> compute() {
    rows_ = compute_code_rows(code_);
    return compute_row_costs(profile_, code_, rows_, costs_);
  }
  static int64_t total(const RowCost& cost) { return cost.total ? cost.total->weight : -1; }

  Profile profile_;
  StringId file_;
  FunctionCode code_;
  CodeCosts costs_;
  std::vector<CodeRow> rows_;
};

TEST_F(RowCostsTest, LinesAddUpTheirInstructions) {
  code_.instructions = {instruction(0x10, 1), instruction(0x14, 9, {{"g", "a.cc", 1}}), instruction(0x18, 2)};
  costs_.instructions = {{0x10, {3, 3}, {3, 3}}, {0x14, {5, 5}, {13, 13}}, {0x30, {100, 1}, {100, 1}}};
  costs_.lines = {{file_, 1, {3, 3}, {16, 16}}, {file_, 9, {50, 50}, {60, 60}}};
  std::vector<RowCost> costs = compute();
  ASSERT_EQ(rows_.size(), 8u);  // file, line 1, 0x10, g, line 9, 0x14, line 2, 0x18
  EXPECT_EQ(costs[1].self.weight, 8);
  EXPECT_EQ(total(costs[1]), 16);
  EXPECT_EQ(costs[2].self.weight, 3);
  EXPECT_EQ(costs[3].self.weight, 5) << "inlined";
  EXPECT_EQ(total(costs[3]), -1);
  EXPECT_EQ(costs[4].self.weight, 5) << "its line here, not the line wherever it is inlined";
  EXPECT_EQ(costs[5].self.weight, 5);
  EXPECT_EQ(total(costs[5]), 13);
  EXPECT_EQ(costs[6].self.weight, 0);
  EXPECT_EQ(total(costs[7]), -1);
}

TEST_F(RowCostsTest, WithoutInstructionsLinesHaveTheirOwnCost) {
  code_.sources = {{"a.cc", 1, {"x", "y"}}};
  costs_.lines = {{file_, 2, {3, 3}, {4, 4}}};
  std::vector<RowCost> costs = compute();
  ASSERT_EQ(rows_.size(), 3u);
  EXPECT_EQ(costs[1].self.weight, 0);
  EXPECT_EQ(costs[2].self.weight, 3);
  EXPECT_EQ(total(costs[2]), 4);
}

TEST_F(RowCostsTest, CostWithoutALineIsShown) {
  code_.sources = {{"a.cc", 1, {"x"}}};
  code_.lines = {{"", 0}, {"a.cc", 1}};
  costs_.lines = {{file_, 1, {3, 3}, {4, 4}}, {StringId{}, 0, {5, 5}, {6, 6}}};
  std::vector<RowCost> costs = compute();
  ASSERT_EQ(rows_.size(), 4u);  // file, line 1, file, line ?
  EXPECT_EQ(rows_[3].line, 0u);
  EXPECT_EQ(costs[3].self.weight, 5);
  EXPECT_EQ(total(costs[3]), 6);

  CodeInstruction lineless = instruction(0x10, 0);
  lineless.file.clear();
  code_.instructions = {lineless};
  costs_.instructions = {{0x10, {10, 10}, {10, 10}}};
  costs = compute();
  ASSERT_EQ(rows_.size(), 5u);
  EXPECT_EQ(costs[3].self.weight, 15) << "an instruction without a line, and cost without an instruction";
  EXPECT_EQ(total(costs[3]), -1);
}

}  // namespace
}  // namespace wick

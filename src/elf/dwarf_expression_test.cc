// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/dwarf_expression.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace wick::elf {
namespace {

// Register n holds 1000 * n, except for 9, which is unknown; memory holds the values stored by the test.
class FakeInput final : public ExpressionInput {
 public:
  bool register_value(uint64_t reg, uint64_t& value) override {
    value = reg * 1000;
    return reg != 9 && reg < 33;
  }
  bool memory(uint64_t address, unsigned size, uint64_t& value) override {
    auto found = words.find(address);
    if (found == words.end()) { return false; }
    value = size == 8 ? found->second : found->second & ((uint64_t{1} << size * 8) - 1);
    return true;
  }
  uint64_t load_bias() const override { return 0x10000; }
  std::map<uint64_t, uint64_t> words;
};

ExpressionValue run(std::vector<uint8_t> code, std::optional<uint64_t> initial = std::nullopt) {
  FakeInput input;
  input.words = {{7008, 0x1122334455667788}, {0x5000, 42}};
  return evaluate_expression(code, input, initial);
}

uint64_t value_of(std::vector<uint8_t> code, std::optional<uint64_t> initial = std::nullopt) {
  ExpressionValue result = run(std::move(code), initial);
  EXPECT_EQ(result.status, ExpressionStatus::kOk);
  return result.value;
}

TEST(DwarfExpression, EvaluatesConstants) {
  EXPECT_EQ(value_of({0x03, 0x10, 0x20, 0, 0, 0, 0, 0, 0}), 0x12010u) << "linked addresses become mapped ones";
  EXPECT_EQ(value_of({0x08, 0xff}), 255u);
  EXPECT_EQ(value_of({0x09, 0xff}), UINT64_MAX);
  EXPECT_EQ(value_of({0x0a, 0xff, 0xff}), 65535u);
  EXPECT_EQ(value_of({0x0b, 0xfe, 0xff}), UINT64_MAX - 1);
  EXPECT_EQ(value_of({0x0c, 0xff, 0xff, 0xff, 0xff}), UINT32_MAX);
  EXPECT_EQ(value_of({0x0d, 0xfd, 0xff, 0xff, 0xff}), UINT64_MAX - 2);
  EXPECT_EQ(value_of({0x0e, 1, 2, 3, 4, 5, 6, 7, 8}), 0x0807060504030201u);
  EXPECT_EQ(value_of({0x0f, 1, 2, 3, 4, 5, 6, 7, 0x88}), 0x8807060504030201u);
  EXPECT_EQ(value_of({0x10, 0xe5, 0x8e, 0x26}), 624485u);
  EXPECT_EQ(value_of({0x11, 0x80, 0x7f}), static_cast<uint64_t>(-128));
  EXPECT_EQ(value_of({0x30}), 0u);
  EXPECT_EQ(value_of({0x4f}), 31u);
}

TEST(DwarfExpression, EvaluatesStackOperators) {
  EXPECT_EQ(value_of({0x33, 0x12, 0x22}), 6u) << "dup, plus";
  EXPECT_EQ(value_of({0x33, 0x34, 0x13}), 3u) << "drop";
  EXPECT_EQ(value_of({0x33, 0x34, 0x14}), 3u) << "over";
  EXPECT_EQ(value_of({0x33, 0x34, 0x35, 0x15, 2}), 3u) << "pick";
  EXPECT_EQ(value_of({0x33, 0x34, 0x16, 0x1c}), 1u) << "swap, minus: 4 - 3";
  // 1 2 3 -> 3 1 2
  EXPECT_EQ(value_of({0x31, 0x32, 0x33, 0x17}), 2u) << "rot";
  EXPECT_EQ(value_of({0x31, 0x32, 0x33, 0x17, 0x13}), 1u);
  EXPECT_EQ(value_of({0x31, 0x32, 0x33, 0x17, 0x13, 0x13}), 3u);
  EXPECT_EQ(value_of({0x23, 0x10}, 100), 116u) << "the initial value is on the stack";
}

TEST(DwarfExpression, EvaluatesArithmetic) {
  EXPECT_EQ(value_of({0x09, 0xfb, 0x19}), 5u) << "abs";
  EXPECT_EQ(value_of({0x3c, 0x3a, 0x1a}), 8u) << "12 and 10";
  EXPECT_EQ(value_of({0x09, 0xf9, 0x32, 0x1b}), static_cast<uint64_t>(-3)) << "div is signed";
  EXPECT_EQ(value_of({0x0f, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x09, 0xff, 0x1b}), 0x8000000000000000u)
      << "dividing the smallest number by -1 wraps";
  EXPECT_EQ(value_of({0x37, 0x34, 0x1d}), 3u) << "mod";
  EXPECT_EQ(value_of({0x37, 0x34, 0x1e}), 28u) << "mul";
  EXPECT_EQ(value_of({0x31, 0x1f}), UINT64_MAX) << "neg";
  EXPECT_EQ(value_of({0x30, 0x20}), UINT64_MAX) << "not";
  EXPECT_EQ(value_of({0x3c, 0x33, 0x21}), 15u) << "or";
  EXPECT_EQ(value_of({0x33, 0x32, 0x24}), 12u) << "shl";
  EXPECT_EQ(value_of({0x09, 0xff, 0x08, 60, 0x25}), 15u) << "shr";
  EXPECT_EQ(value_of({0x09, 0xf0, 0x32, 0x26}), static_cast<uint64_t>(-4)) << "shra";
  EXPECT_EQ(value_of({0x33, 0x08, 64, 0x24}), 0u) << "shifting everything out";
  EXPECT_EQ(value_of({0x09, 0xf0, 0x08, 200, 0x26}), UINT64_MAX);
  EXPECT_EQ(value_of({0x3c, 0x3a, 0x27}), 6u) << "xor";
}

TEST(DwarfExpression, ComparisonsAreSigned) {
  for (auto [op, less, equal, greater] : {std::array<uint8_t, 4>{0x29, 0, 1, 0},
                                          {0x2a, 0, 1, 1},
                                          {0x2b, 0, 0, 1},
                                          {0x2c, 1, 1, 0},
                                          {0x2d, 1, 0, 0},
                                          {0x2e, 1, 0, 1}}) {
    EXPECT_EQ(value_of({0x09, 0xff, 0x31, op}), less) << "-1 and 1, operator " << int{op};
    EXPECT_EQ(value_of({0x31, 0x31, op}), equal);
    EXPECT_EQ(value_of({0x31, 0x09, 0xff, op}), greater);
  }
}

TEST(DwarfExpression, ReadsRegistersAndMemory) {
  EXPECT_EQ(value_of({0x77, 0x08}), 7008u) << "breg7 + 8";
  EXPECT_EQ(value_of({0x76, 0x78}), 5992u) << "breg6 - 8";
  EXPECT_EQ(value_of({0x57}), 7000u);
  EXPECT_EQ(value_of({0x90, 0x20}), 32000u) << "regx";
  EXPECT_EQ(value_of({0x92, 0x07, 0x08}), 7008u) << "bregx";
  EXPECT_EQ(value_of({0x77, 0x08, 0x06}), 0x1122334455667788u) << "deref";
  EXPECT_EQ(value_of({0x77, 0x08, 0x94, 2}), 0x7788u) << "deref_size";
  EXPECT_EQ(run({0x79, 0}).status, ExpressionStatus::kNoRegister);
  EXPECT_EQ(run({0x31, 0x06}).status, ExpressionStatus::kNoMemory);
  // The PLT rule: sp + 8 + (((pc & 15) >= 11) << 3), with pc = 16000 = 0x3e80.
  EXPECT_EQ(value_of({0x77, 0x08, 0x80, 0x00, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22}), 7008u);
}

TEST(DwarfExpression, FollowsBranches) {
  EXPECT_EQ(value_of({0x2f, 1, 0, 0x35, 0x37}), 7u) << "skip over lit5";
  EXPECT_EQ(value_of({0x35, 0x30, 0x28, 1, 0, 0x36}), 6u) << "bra not taken";
  EXPECT_EQ(value_of({0x35, 0x31, 0x28, 1, 0, 0x36}), 5u) << "bra taken";
  EXPECT_EQ(value_of({0x35, 0x96}), 5u) << "nop";
}

TEST(DwarfExpression, RejectsMaliciousExpressions) {
  for (std::vector<uint8_t> code : std::vector<std::vector<uint8_t>>{{},
                                                                     {0x22},
                                                                     {0x31, 0x22},
                                                                     {0x13},
                                                                     {0x15, 3},
                                                                     {0x33, 0x30, 0x1b},
                                                                     {0x33, 0x30, 0x1d},
                                                                     {0x0e, 1},
                                                                     {0x10, 0x80},
                                                                     {0xff},
                                                                     {0x9c},
                                                                     {0x91, 0},
                                                                     {0x31, 0x94, 0},
                                                                     {0x31, 0x94, 9},
                                                                     {0x2f, 0xff, 0x7f},
                                                                     {0x2f, 0, 0x80}}) {
    EXPECT_EQ(run(code).status, ExpressionStatus::kMalformed) << ::testing::PrintToString(code);
  }
  EXPECT_EQ(run({0x31, 0x2f, 0xfc, 0xff}).status, ExpressionStatus::kMalformed) << "an endless loop that fills the stack";
  EXPECT_EQ(run({0x31, 0x2f, 0xfd, 0xff}).status, ExpressionStatus::kMalformed) << "an endless loop that does nothing";
  EXPECT_EQ(run(std::vector<uint8_t>(100, 0x31)).status, ExpressionStatus::kMalformed) << "too deep";
}

}  // namespace
}  // namespace wick::elf

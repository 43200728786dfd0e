// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/code_costs.h"

#include <gtest/gtest.h>

#include "model/profile_builder.h"

namespace wick {
namespace {

class CodeCostsTest : public testing::Test {
 protected:
  struct At {
    const char* function;
    uint64_t address;
    uint32_t line;
    bool inlined = false;
  };
  // Outermost first.
  void sample(int64_t weight, const std::vector<At>& stack, ModuleId module = {}) {
    StackId id;
    for (const At& at : stack) {
      id = b_.stack(b_.frame({.function = b_.function(at.function, at.function, module.valid() ? module : module_),
                              .address = at.address,
                              .file = b_.string("a.cc"),
                              .line = at.line,
                              .inlined = at.inlined}),
                    id);
    }
    b_.add_sample({.thread = thread_, .stack = id, .event = event_, .weight = weight});
  }
  CodeCosts count(std::string_view name, std::vector<AddressSpan> instructions = {}) {
    profile_ = std::move(b_).build();
    CodeQuery query{{}, module_, std::move(instructions)};
    for (uint32_t i = 0; i < profile_.functions().size(); ++i) {
      if (profile_.text(profile_.functions()[i].name) == name) { query.functions.push_back({i}); }
    }
    return compute_code_costs(profile_, *select_samples(profile_), query);
  }
  static std::string text(const std::vector<LineCost>& lines) {
    std::string out;
    for (const LineCost& l : lines) {
      out += std::to_string(l.line) + ":" + std::to_string(l.self.weight) + "/" + std::to_string(l.total.weight) + " ";
    }
    return out;
  }
  static std::string text(const std::vector<InstructionCost>& instructions) {
    std::string out;
    for (const InstructionCost& i : instructions) {
      out += std::to_string(i.address) + ":" + std::to_string(i.self.weight) + "/" + std::to_string(i.total.weight) + " ";
    }
    return out;
  }

  ProfileBuilder b_;
  ModuleId module_ = b_.module("/bin/app", "01");
  EventId event_ = b_.event("cpu-clock", "ns", 1000);
  ThreadId thread_ = b_.add_thread(b_.add_process(1, "app"), 1, "app");
  Profile profile_;
};

TEST_F(CodeCostsTest, SelfAndTotalOfLines) {
  sample(1, {{"main", 100, 10}});
  sample(2, {{"main", 104, 11}, {"f", 200, 20}});
  sample(4, {{"main", 100, 10}, {"f", 204, 21}});
  CodeCosts costs = count("main");
  EXPECT_EQ(costs.self.weight, 1);
  EXPECT_EQ(costs.total.weight, 7);
  EXPECT_EQ(text(costs.lines), "10:1/5 11:0/2 ");
  EXPECT_EQ(text(costs.instructions), "100:1/5 104:0/2 ");
}

TEST_F(CodeCostsTest, RecursionCountsOnce) {
  sample(1, {{"f", 100, 10}, {"f", 100, 10}, {"g", 300, 30}, {"f", 100, 10}});
  sample(2, {{"f", 100, 10}, {"f", 104, 11}});
  CodeCosts costs = count("f");
  EXPECT_EQ(costs.total.weight, 3);
  EXPECT_EQ(costs.self.weight, 3);
  EXPECT_EQ(text(costs.lines), "10:1/3 11:2/2 ");
  EXPECT_EQ(text(costs.instructions), "100:1/3 104:2/2 ");
}

// In the inner frame the call is about to be made, in the outer one it has been made.
TEST_F(CodeCostsTest, RecursionCountsOnceForTheCall) {
  sample(1, {{"f", 104, 10}, {"f", 100, 10}});
  sample(2, {{"f", 104, 10}, {"f", 110, 11}});
  CodeCosts costs = count("f", {{100, 105}, {105, 120}});
  EXPECT_EQ(text(costs.instructions), "100:1/3 105:2/2 ");
  EXPECT_TRUE(costs.outside.empty());
}

TEST_F(CodeCostsTest, AddressesOutsideOfTheInstructions) {
  sample(1, {{"f", 100, 10}});
  sample(2, {{"f", 105, 11}});
  sample(4, {{"f", 0, 12}});
  CodeCosts costs = count("f", {{100, 105}});
  EXPECT_EQ(costs.code.weight, 7);
  EXPECT_EQ(costs.outside.weight, 6);
  EXPECT_EQ(text(costs.instructions), "100:1/1 105:2/2 ");
}

// Address 100 and line 10 are other code there; a copy of the file has the same code.
TEST_F(CodeCostsTest, OtherBuildsHaveOtherCode) {
  ModuleId copy = b_.module("/container/bin/app", "01"), other = b_.module("/old/bin/app", "02");
  sample(1, {{"f", 100, 10}});
  sample(2, {{"f", 100, 10}}, copy);
  sample(4, {{"f", 100, 10}, {"inlined", 100, 90, true}}, other);
  CodeCosts costs = count("f");
  EXPECT_EQ(costs.self.weight, 3);
  EXPECT_EQ(costs.code.weight, 7);
  EXPECT_EQ(costs.total.weight, 7);
  EXPECT_EQ(costs.other_builds.weight, 4);
  EXPECT_EQ(text(costs.lines), "10:3/3 ");
  EXPECT_EQ(text(costs.instructions), "100:3/3 ");
}

// Each level calls from another line, so no shortcut ends a search for the same line.
TEST_F(CodeCostsTest, DeepRecursionTakesLinearTime) {
  std::vector<At> stack;
  for (uint32_t i = 0; i < 200'000; ++i) { stack.push_back({"f", 1000 + i, 1 + i}); }
  sample(1, stack);
  CodeCosts costs = count("f");
  ASSERT_EQ(costs.lines.size(), stack.size());
  EXPECT_EQ(costs.lines.front().total.weight, 1);
  EXPECT_EQ(costs.lines.back().self.weight, 1);
}

// An inlined function has separate lines, but the same instructions.
TEST_F(CodeCostsTest, InlinedFunctions) {
  sample(1, {{"main", 50, 5}, {"f", 100, 10}, {"inlined", 100, 90, true}});
  sample(2, {{"main", 50, 5}, {"f", 100, 10}, {"inlined", 100, 90, true}, {"leaf", 400, 40}});
  sample(4, {{"main", 54, 6}, {"inlined", 54, 90, true}});
  CodeCosts costs = count("f");
  EXPECT_EQ(costs.self.weight, 0);
  EXPECT_EQ(costs.code.weight, 1) << "inlined, not called";
  EXPECT_EQ(text(costs.lines), "10:0/3 ");
  EXPECT_EQ(text(costs.instructions), "100:1/3 ");
}

TEST_F(CodeCostsTest, OfAnInlinedFunction) {
  sample(1, {{"main", 50, 5}, {"f", 100, 10}, {"inlined", 100, 90, true}});
  sample(2, {{"main", 50, 5}, {"f", 100, 10}, {"inlined", 100, 91, true}, {"deeper", 100, 95, true}});
  sample(4, {{"main", 54, 6}, {"inlined", 54, 90, true}});
  CodeCosts costs = count("inlined");
  EXPECT_EQ(costs.self.weight, 5);
  EXPECT_EQ(costs.code.weight, 7);
  EXPECT_EQ(text(costs.lines), "90:5/5 91:0/2 ");
  EXPECT_EQ(text(costs.instructions), "54:4/4 100:3/3 ");
}

TEST_F(CodeCostsTest, UnknownLinesAndAddresses) {
  sample(1, {{"f", 0, 10}});
  sample(2, {{"f", 100, 0}});
  CodeCosts costs = count("f");
  EXPECT_EQ(costs.self.weight, 3);
  EXPECT_EQ(costs.code.weight, 3);
  EXPECT_EQ(text(costs.lines), "10:1/1 0:2/2 ");
  EXPECT_EQ(text(costs.instructions), "100:2/2 ");
}

TEST_F(CodeCostsTest, InstructionsCountForUnknownLines) {
  sample(1, {{"f", 100, 0}});
  sample(2, {{"f", 200, 0}});
  sample(4, {{"f", 200, 0}, {"g", 300, 20}});
  sample(8, {{"f", 200, 0}, {"f", 204, 0}});
  EXPECT_EQ(text(count("f", {{100, 104}}).lines), "0:10/14 ") << "without the instruction at 100; recursion counts once";
}

}  // namespace
}  // namespace wick

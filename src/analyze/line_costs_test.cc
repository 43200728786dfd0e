// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/line_costs.h"

#include <gtest/gtest.h>

#include "model/profile_builder.h"

namespace wick {
namespace {

class LineCostsTest : public testing::Test {
 protected:
  struct At {
    const char* function;
    uint32_t line;
    bool inlined = false;
  };
  // Outermost first.
  void sample(int64_t weight, const std::vector<At>& stack, ModuleId module = {}) {
    StackId id;
    for (const At& at : stack) {
      id = b_.stack(b_.frame({.function = b_.function(at.function, at.function, module.valid() ? module : module_),
                              .address = 100 + at.line,
                              .file = b_.string("a.cc"),
                              .line = at.line,
                              .inlined = at.inlined}),
                    id);
    }
    b_.add_sample({.thread = thread_, .stack = id, .event = event_, .weight = weight});
  }
  LineCosts count(std::string_view name) {
    profile_ = std::move(b_).build();
    CodeQuery query{{}, module_, {}};
    for (uint32_t i = 0; i < profile_.functions().size(); ++i) {
      if (profile_.text(profile_.functions()[i].name) == name) { query.functions.push_back({i}); }
    }
    LineCosts costs = compute_line_costs(profile_, *select_samples(profile_), query);
    int64_t own = costs.other_builds.weight;
    for (const LineNode& n : costs.nodes) { own += n.own.weight; }
    EXPECT_EQ(own, costs.code.weight);
    return costs;
  }
  // "main:10=own/self/total"
  std::string text(const LineCosts& costs) const {
    std::string out;
    for (const LineNode& n : costs.nodes) {
      out += std::string(n.depth, '>') + std::string(profile_.text(n.function)) + ":" + std::to_string(n.line) + "=" +
             std::to_string(n.own.weight) + "/" + std::to_string(n.self.weight) + "/" + std::to_string(n.total.weight) + " ";
    }
    return out;
  }

  ProfileBuilder b_;
  ModuleId module_ = b_.module("/bin/app", "01");
  EventId event_ = b_.event("cpu-clock", "ns", 1000);
  ThreadId thread_ = b_.add_thread(b_.add_process(1, "app"), 1, "app");
  Profile profile_;
};

TEST_F(LineCostsTest, InlinedCodeBelongsToTheLineThatCallsIt) {
  sample(1, {{"f", 10}});
  sample(2, {{"f", 11}, {"g", 20, true}});
  sample(4, {{"f", 11}, {"g", 20, true}, {"h", 30, true}});
  sample(8, {{"f", 11}, {"k", 40}});
  sample(16, {{"f", 12}, {"k", 40}});
  EXPECT_EQ(text(count("f")), "f:10=1/1/1 f:11=0/6/14 >g:20=2/6/0 >>h:30=4/4/0 f:12=0/0/16 ");
}

TEST_F(LineCostsTest, UnknownLinesAreCounted) {
  sample(1, {{"f", 0}});
  sample(2, {{"f", 10}, {"g", 0, true}});
  EXPECT_EQ(text(count("f")), "f:0=1/1/0 f:10=0/2/2 >g:0=2/2/0 ");
}

TEST_F(LineCostsTest, FunctionThatIsInlinedItself) {
  sample(1, {{"main", 5}, {"f", 10, true}});
  sample(2, {{"main", 6}, {"f", 10, true}, {"g", 20, true}});
  EXPECT_EQ(text(count("f")), "f:10=1/3/3 >g:20=2/2/0 ");
}

TEST_F(LineCostsTest, LinesOfOtherBuildsAreOtherCode) {
  ModuleId other = b_.module("/bin/app", "02");
  sample(1, {{"f", 10}});
  sample(2, {{"f", 10}}, other);
  LineCosts costs = count("f");
  EXPECT_EQ(text(costs), "f:10=1/1/1 ");
  EXPECT_EQ(costs.other_builds.weight, 2);
}

// The same function in two places is one part; the function's own lines are another.
TEST_F(LineCostsTest, PartsAddUp) {
  sample(1, {{"f", 10}});
  sample(2, {{"f", 11}, {"g", 20, true}});
  sample(4, {{"f", 12}, {"g", 20, true}});
  sample(8, {{"f", 12}, {"g", 21, true}, {"h", 30, true}});
  sample(16, {{"f", 11}, {"h", 31, true}});
  sample(32, {{"f", 10}, {"called", 40}});
  LineCosts costs = count("f");
  std::string out;
  int64_t sum = 0;
  for (const CodePart& part : divide_code(profile_, costs)) {
    out += std::string(profile_.text(part.function)) + (part.inlined ? "=" : "*=") + std::to_string(part.self.weight) + ":";
    for (const CodePart::Line& line : part.lines) {
      out += " " + std::to_string(line.line) + "=" + std::to_string(line.self.weight);
    }
    out += "; ";
    sum += part.self.weight;
  }
  EXPECT_EQ(out, "h=24: 30=8 31=16; g=6: 20=6; f*=1: 10=1; ");
  EXPECT_EQ(sum, costs.code.weight);
}

TEST_F(LineCostsTest, NoFunction) {
  sample(1, {{"f", 10}});
  EXPECT_EQ(text(count("g")), "");
}

}  // namespace
}  // namespace wick

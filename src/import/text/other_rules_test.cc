// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// ImportOptions::rules, for cases not covered by goldens (import_*) and the comparison with inferno (e2e).

#include <gtest/gtest.h>

#include "import/common/import_testing.h"
#include "import/text/call_trees.h"
#include "import/text/counted_stacks.h"
#include "import/text/csv_trees.h"
#include "import/text/xctrace.h"

namespace wick {
namespace {

using namespace testing_import;

TEST(OtherRules, Dtrace) {
  constexpr std::string_view kText = "\n  app`a::Ptr::operator->+0x5\n  LLfoo->Lbar+0x1\n  0xfe12\n  3\n";
  Profile perl = good(kDtraceReader, kText, {.rules = Rules::kPerl});
  EXPECT_TRUE(perl.names_as_read());
  EXPECT_EQ(lines_of(perl), (Lines{"0xfe12;Lfoo;bar_[i];app`a::Ptr::operator 3/3"}));
  Profile inferno = good(kDtraceReader, kText, {.rules = Rules::kInferno});
  EXPECT_EQ(lines_of(inferno), (Lines{"0xfe12;foo;bar_[i];app`a::Ptr::operator;_[i] 3/3"}));
  EXPECT_FALSE(good(kDtraceReader, kText).names_as_read());
  // A very long line.
  std::string many(size_t{1} << 20, 'L');
  EXPECT_EQ(good(kDtraceReader, "\n  app`main\n  " + many + "->x\n  1\n", {.rules = Rules::kInferno}).samples().size(), 1u);
}

// Formats that inferno does not read keep wick's names and costs.
TEST(OtherRules, ApplyOnlyToTheirFormats) {
  Profile stacks = good(kVtuneReader, "Function,Function Stack,CPU Time,Module\nf,,5.436s,app\n,main,5.436s,app\n",
                        {.rules = Rules::kInferno});
  EXPECT_FALSE(stacks.names_as_read());
  Profile tree =
      good(kVtuneReader, "Function Stack,CPU Time:Self,Module\nTotal,0s,\n main,0.0155s,app\n", {.rules = Rules::kInferno});
  EXPECT_TRUE(tree.names_as_read());
  EXPECT_EQ(lines_of(tree), (Lines{"Total;app`main 16/1"}));
  constexpr std::string_view kSamples =
      "Level,Function Name,Inclusive Samples,Exclusive Samples,Module Name,\n1,\"_ZN3app4stepEv\",3,3,\"a.exe\",\n";
  EXPECT_FALSE(good(kVisualStudioReader, kSamples, {.rules = Rules::kInferno}).names_as_read());
}

TEST(OtherRules, SampleReportsSkippedSamples) {
  Profile p = good(kMacosSampleReader,
                   "Call graph:\n"
                   "    100 Thread_1\n"
                   "      100 main  (in app) + 1  [0x1]\n"
                   "        60 work  (in app) + 1  [0x2]\n"
                   "        30 kevent  (in libsystem_kernel.dylib) + 1  [0x3]\n"
                   "Total number in stack\n",
                   {.rules = Rules::kInferno});
  EXPECT_EQ(lines_of(p), (Lines{"Thread_1;app`main;app`work 60/60"}));
  EXPECT_NE(warnings(p).find("skipped 40 of 100 samples"), std::string::npos) << warnings(p);
}

TEST(OtherRules, XctraceCountsOnlyCompleteStacks) {
  const std::string kHead =
      "<?xml version=\"1.0\"?><trace-query-result><node><schema name=\"time-profile\"/>"
      "<row><thread ref=\"99\"/><backtrace id=\"1\"><frame id=\"2\" name=\"0x19ff\"/><frame id=\"3\" "
      "name=\"main\"/></backtrace></row>";
  Profile p = good(kXctraceReader,
                   kHead +
                       "<row><backtrace id=\"4\"><frame ref=\"77\"/><frame ref=\"3\"/></backtrace></row>"
                       "<row><sentinel/></row></node></trace-query-result>",
                   {.rules = Rules::kInferno});
  EXPECT_EQ(lines_of(p), (Lines{"main;0x19ff 1/1"}));
  EXPECT_NE(warnings(p).find("1 of 3 rows"), std::string::npos) << warnings(p);
}

}  // namespace
}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/make_engine.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "record/event_spec.h"
#include "record/perf_engine.h"
#include "record/perf_open.h"
#include "record/ptrace_engine.h"

namespace wick {
namespace {

Result<EnginePlan> plan_ptrace_with(const char* events) {
  RecordOptions options;
  options.command = {"true"};
  if (events != nullptr) { options.events = *parse_events(events); }
  return plan_engine(options, "ptrace", Machine());
}

TEST(PlanEngine, PtraceSupportsOnlyClockEvents) {
  for (const char* events : {static_cast<const char*>(nullptr), "cpu-clock", "task-clock:u", "auto", "auto:u"}) {
    Result<EnginePlan> plan = plan_ptrace_with(events);
    ASSERT_TRUE(plan.ok()) << events;
    EXPECT_EQ(plan->engine.name, "ptrace");
    ASSERT_EQ(plan->options.events.size(), 1u);
    EXPECT_TRUE(plan->options.events[0].is_clock);
  }
  for (const char* events : {"page-faults", "cycles", "cycles:u", "auto:k", "cpu-clock:k", "auto,cpu-clock"}) {
    Result<EnginePlan> plan = plan_ptrace_with(events);
    ASSERT_FALSE(plan.ok()) << events;
    EXPECT_EQ(plan.error().code(), Errc::kUsage);
    EXPECT_FALSE(plan.error().hint().empty());
  }
}

TEST(PlanEngine, PtraceSupportsFramePointers) {
  RecordOptions options;
  options.command = {"true"};
  options.unwind = UnwindMode::kFramePointers;
  Result<EnginePlan> plan = plan_engine(options, "ptrace", Machine());
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->options.unwind, UnwindMode::kFramePointers);
  EXPECT_EQ(plan->engine.max_chain, kMostPtraceChain);
}

TEST(PlanEngine, AnEngineThatOnlyLaunchesNeedsACommand) {
  RecordOptions options;
  options.pids = {1};
  Result<EnginePlan> plan = plan_engine(options, "ptrace", Machine());
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().code(), Errc::kUsage);
  EXPECT_EQ(plan.error().message(), "--engine ptrace needs a command to run");
  EXPECT_EQ(plan.error().hint(), "wick record --engine ptrace -- CMD");
}

TEST(PlanEngine, AnUnknownNameIsAnError) {
  RecordOptions options;
  options.command = {"true"};
  EXPECT_FALSE(plan_engine(options, "perv", Machine()).ok());
  std::vector<std::string> names = engine_names();
  EXPECT_EQ(names, (std::vector<std::string>{"perf", "ptrace"}));
}

TEST(EngineInfo, SaysWhatThisMachineLimits) {
  RecordOptions options;
  Machine machine;
  machine.perf_event_paranoid = 2;
  EXPECT_EQ(describe_perf_engine(options, machine).max_chain, kMostPerfChain);
  EXPECT_FALSE(describe_perf_engine(options, machine).samples_kernel);
  machine.max_stack = 1024;
  machine.perf_event_paranoid = 1;
  EngineInfo perf = describe_perf_engine(options, machine);
  EXPECT_EQ(perf.max_chain, 1024u);
  EXPECT_TRUE(perf.samples_kernel);
  EXPECT_TRUE(perf.attaches);
  EXPECT_EQ(perf.max_stack_bytes, kLargestStackSize);
  EngineInfo ptrace = describe_ptrace_engine(options, machine);
  EXPECT_FALSE(ptrace.attaches);
  EXPECT_FALSE(ptrace.samples_kernel);
  EXPECT_TRUE(ptrace.shares_clock);
  EXPECT_EQ(ptrace.max_stack_bytes, 0u);
}

// What would sample short threads depends on who runs wick, and on whether it can launch the program.
TEST(EngineInfo, PerfSaysWhatWouldSampleMore) {
  RecordOptions launched, attached;
  launched.command = {"true"};
  attached.pids = {1};
  Machine root, user;
  root.user = 0;
  user.user = 1000;
  auto misses = [](const RecordOptions& options, const Machine& machine) {
    return describe_perf_engine(options, machine).misses;
  };
  EXPECT_TRUE(misses(launched, user).ends_with("(sudo wick record samples them; so does --engine ptrace)"));
  EXPECT_TRUE(misses(attached, user).ends_with("(sudo wick record samples them)"));
  EXPECT_TRUE(misses(launched, root).ends_with("(sampling them needs BPF: wick doctor; or --engine ptrace)"));
}

}  // namespace
}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/make_engine.h"

#include <gtest/gtest.h>

#include "record/event_spec.h"

namespace wick {
namespace {

Result<EnginePlan> plan_ptrace_with(const char* events) {
  RecordOptions options;
  options.command = {"true"};
  if (events != nullptr) { options.events = *parse_events(events); }
  return plan_engine(options, EngineChoice::kPtrace, Machine());
}

TEST(PlanEngine, PtraceTakesTimeAndNothingElse) {
  for (const char* events : {static_cast<const char*>(nullptr), "cpu-clock", "task-clock:u", "cycles", "cycles:u"}) {
    Result<EnginePlan> plan = plan_ptrace_with(events);
    ASSERT_TRUE(plan.ok()) << events;
    EXPECT_TRUE(plan->ptrace);
    ASSERT_EQ(plan->options.events.size(), 1u);
    EXPECT_TRUE(plan->options.events[0].is_clock);
  }
  for (const char* events : {"page-faults", "cycles:k", "cpu-clock:k", "cycles,cpu-clock"}) {
    Result<EnginePlan> plan = plan_ptrace_with(events);
    ASSERT_FALSE(plan.ok()) << events;
    EXPECT_EQ(plan.error().code(), Errc::kUsage);
    EXPECT_FALSE(plan.error().hint().empty());
  }
}

TEST(PlanEngine, PtraceFollowsFramePointersToo) {
  RecordOptions options;
  options.command = {"true"};
  options.unwind = UnwindMode::kFramePointers;
  Result<EnginePlan> plan = plan_engine(options, EngineChoice::kPtrace, Machine());
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->options.unwind, UnwindMode::kFramePointers);
}

}  // namespace
}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/event_spec.h"

#include <gtest/gtest.h>
#include <linux/perf_event.h>

namespace wick {
namespace {

EventSpec one(const char* text) {
  Result<std::vector<EventSpec>> events = parse_events(text);
  EXPECT_TRUE(events.ok()) << (events.ok() ? "" : events.error().message());
  if (!events || events->size() != 1) { return {}; }
  return (*events)[0];
}

TEST(EventSpec, KnowsGenericNamesAndTheirUnits) {
  EXPECT_EQ(one("cycles").config, static_cast<uint64_t>(PERF_COUNT_HW_CPU_CYCLES));
  EXPECT_EQ(one("cycles").unit, "cycles");
  EXPECT_EQ(one("cpu-clock").type, static_cast<uint32_t>(PERF_TYPE_SOFTWARE));
  EXPECT_TRUE(one("task-clock").is_clock);
  EXPECT_EQ(one("cpu-clock").unit, "ns");
  EXPECT_EQ(one("page-faults").period, 1u);  // the kernel's rate estimates are far off
  EXPECT_EQ(one("cycles").period, 0u);
  EXPECT_TRUE(one("context-switches").kernel_side);
}

TEST(EventSpec, OnlyAutoAllowsFallback) {
  EXPECT_TRUE(one("auto").automatic);
  EXPECT_EQ(one("auto").name, "cycles");
  EXPECT_TRUE(one("auto:u").user_only);
  EXPECT_EQ(one("auto:u").name, "cycles:u");
  EXPECT_FALSE(one("cycles").automatic);
  EXPECT_FALSE(parse_events("auto:x").ok());
}

TEST(EventSpec, BuildsCacheEventNumbers) {
  EXPECT_EQ(one("L1-dcache-loads").config, 0u);
  EXPECT_EQ(one("LLC-load-misses").config, 2u | 1u << 16);
  EXPECT_EQ(one("dTLB-store-misses").config, 3u | 1u << 8 | 1u << 16);
  EXPECT_EQ(one("node-prefetches").config, 6u | 2u << 8);
  for (const std::string& name : known_event_names()) { EXPECT_EQ(one(name.c_str()).name, name); }
}

TEST(EventSpec, ParsesRawEventsAndModifiers) {
  EventSpec raw = one("r1a8:up");
  EXPECT_EQ(raw.type, static_cast<uint32_t>(PERF_TYPE_RAW));
  EXPECT_EQ(raw.config, 0x1a8u);
  EXPECT_TRUE(raw.user_only);
  EXPECT_EQ(raw.precise, 1);
  EXPECT_TRUE(one("cycles:k").kernel_only);
  EventSpec both = one("cycles:uk");
  EXPECT_FALSE(both.user_only || both.kernel_only);
}

TEST(EventSpec, SeparatesLists) {
  Result<std::vector<EventSpec>> events = parse_events("cycles:u, instructions ,cpu-clock");
  ASSERT_TRUE(events.ok());
  ASSERT_EQ(events->size(), 3u);
  EXPECT_EQ((*events)[1].name, "instructions");
}

TEST(EventSpec, SuggestsNearestEvent) {
  for (const char* text : {"cycels", "cycels:u"}) {
    Result<std::vector<EventSpec>> events = parse_events(text);
    ASSERT_FALSE(events.ok());
    EXPECT_EQ(events.error().code(), Errc::kUsage);
    EXPECT_NE(events.error().hint().find("cycles"), std::string::npos) << events.error().hint();
  }
}

TEST(EventSpec, RejectsEventsThatNeverFire) {
  Result<std::vector<EventSpec>> events = parse_events("context-switches:u");
  ASSERT_FALSE(events.ok());
  EXPECT_NE(events.error().message().find("never"), std::string::npos);
}

TEST(EventSpec, RejectsMalformedInput) {
  for (const char* text : {"", ",", "cycles,", "cycles:x", "cycles:u:k", "cycles:", "rxyz", ":u", "cpu/", "no-such-pmu/event=1/",
                           "../../etc:passwd"}) {
    EXPECT_FALSE(parse_events(text).ok()) << text;
  }
}

}  // namespace
}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "model/event_name.h"

#include <gtest/gtest.h>

namespace wick {
namespace {

TEST(EventName, DropsPrecisionModifiers) {
  EXPECT_EQ(plain_event_name("cpu-clock:pppH"), "cpu-clock");
  EXPECT_EQ(plain_event_name("dummy:HG"), "dummy");
  EXPECT_EQ(plain_event_name("cycles:upp"), "cycles:u");
  EXPECT_EQ(plain_event_name("cycles:k"), "cycles:k");
  EXPECT_EQ(plain_event_name("cpu/event=0x3c/ppu"), "cpu/event=0x3c/ppu");
  EXPECT_EQ(plain_event_name("sched:sched_switch"), "sched:sched_switch");
  EXPECT_EQ(plain_event_name("cycles:"), "cycles:");
  EXPECT_EQ(plain_event_name(":p"), ":p");
  EXPECT_EQ(plain_event_name(""), "");
}

TEST(EventName, TellsSkid) {
  EXPECT_EQ(describe_skid("cpu-clock"), "cpu-clock has skid: a cost may belong to an earlier instruction");
  EXPECT_EQ(describe_skid("task-clock:u"), "task-clock has skid: a cost may belong to an earlier instruction");
  EXPECT_EQ(describe_skid("cpu-clock:ppp"), describe_skid("cpu-clock"));  // a timer is never precise
  EXPECT_EQ(describe_skid("cycles:u"), "cycles has skid without :pp: a cost may belong to an earlier instruction");
  EXPECT_EQ(describe_skid("cache-misses:p"), "cache-misses has skid without :pp: a cost may belong to an earlier instruction");
  for (const char* exact : {"cycles:pp", "cycles:ppu", "page-faults", "sched:sched_switch", "off-cpu", "samples", "before", ""}) {
    EXPECT_EQ(describe_skid(exact), "") << exact;
  }
}

}  // namespace
}  // namespace wick

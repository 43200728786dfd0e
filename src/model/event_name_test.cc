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

}  // namespace
}  // namespace wick

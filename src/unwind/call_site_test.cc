// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "unwind/call_site.h"

#include <gtest/gtest.h>

#include "unwind/self_test_util.h"

#define NOINLINE __attribute__((noinline, noclone))

namespace {
volatile uint64_t sink;
uint64_t return_address, other_return_address;
}  // namespace

extern "C" {
NOINLINE void wick_test_called() {
  return_address = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  sink = sink + 1;
}
NOINLINE void wick_test_called_too() {
  other_return_address = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  sink = sink + 2;
}
NOINLINE void wick_test_caller(void (*indirect)()) {
  wick_test_called();
  indirect();
  sink = sink + 1;
}
}

namespace wick {
namespace {

TEST(CallSite, DirectCallsOnly) {
  ModuleStore store;
  std::shared_ptr<const AddressSpace> space = test::load_own_space(store);
  wick_test_caller(wick_test_called_too);
  auto address = [](void (*function)()) { return reinterpret_cast<uint64_t>(function); };
  EXPECT_TRUE(calls_directly(host_arch(), *space, return_address, address(wick_test_called)));
  EXPECT_TRUE(calls_directly(host_arch(), *space, return_address, address(wick_test_called) + 4));
  EXPECT_FALSE(calls_directly(host_arch(), *space, return_address, address(wick_test_called_too)));
  EXPECT_FALSE(calls_directly(host_arch(), *space, other_return_address, address(wick_test_called_too)));
  EXPECT_FALSE(calls_directly(host_arch(), *space, return_address, 0));
  EXPECT_FALSE(calls_directly(host_arch(), *space, 0, address(wick_test_called)));
}

}  // namespace
}  // namespace wick

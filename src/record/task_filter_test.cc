// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/task_filter.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace wick {
namespace {

// Samples also hit these programs, and they are gone by the time of symbolization.
TEST(TaskFilter, ReportsAddressesOfPrograms) {
  Result<TaskFilter> filter = TaskFilter::load();
  if (!filter.ok()) { GTEST_SKIP() << filter.error().message(); }
  std::vector<KernelCode> code = filter->code();
  auto setting = [](const char* path) { return read_file(path).value_or("0"); };
  bool is_visible = setting("/proc/sys/net/core/bpf_jit_enable")[0] != '0' && setting("/proc/sys/kernel/kptr_restrict")[0] != '2';
  if (!is_visible) { GTEST_SKIP() << "the kernel hides the addresses (net.core.bpf_jit_enable, kernel.kptr_restrict)"; }
  ASSERT_EQ(code.size(), 4u);
  std::sort(code.begin(), code.end(), [](const KernelCode& a, const KernelCode& b) { return a.begin < b.begin; });
  for (size_t i = 0; i < code.size(); ++i) {
    EXPECT_LT(code[i].begin, code[i].end);
    EXPECT_GE(code[i].begin, i == 0 ? uint64_t{1} << 63 : code[i - 1].end);
    EXPECT_TRUE(code[i].name.starts_with("[wick")) << code[i].name;
  }
}

}  // namespace
}  // namespace wick

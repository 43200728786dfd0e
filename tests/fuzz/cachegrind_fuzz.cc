// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Files of cachegrind and logs of valgrind; and the texts from /proc that wick stat reads.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "stat/cachegrind.h"
#include "stat/machine_use.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  if (auto totals = wick::stat::parse_cachegrind(text); totals.ok()) {
    if (totals->events.size() != totals->totals.size()) { __builtin_trap(); }
    auto sum = *totals;
    if (!wick::stat::add_totals(sum, *totals).ok()) { __builtin_trap(); }
    for (const auto& figure : wick::stat::simulated_figures(sum)) {
      if (!(figure.value >= 0)) { __builtin_trap(); }
    }
  }
  wick::stat::parse_valgrind_parent(text);
  wick::stat::parse_pressure(text);
  wick::stat::parse_busy_ticks(text);
  return 0;
}

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The columns of a profile for the viewer, and the tables of the header that they refer to (export/viewer_profile.h).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "export/export_view.h"

namespace wick {

// Values that are all equal are stored once; a column without values is such a column.
struct ViewerColumn {
  std::string_view name;
  uint64_t count = 0;
  std::optional<double> constant{};
  std::variant<std::vector<uint8_t>, std::vector<uint32_t>, std::vector<double>> values{};

  std::string_view bytes() const;
};

// JavaScript's numbers are exact below 2^53. Of the kernel's addresses the upper 12 bits, which are all set, are left out; others
// that are too large are 0, unknown.
constexpr uint64_t viewer_address(uint64_t address) {
  constexpr uint64_t kLow = (uint64_t{1} << 52) - 1;
  return address <= kLow || address >> 52 == 0xfff ? address & kLow : 0;
}

struct ViewerThreadTimes {
  uint64_t begin = UINT64_MAX, end = 0;  // of its samples, in time units; UINT64_MAX: no times
  uint32_t side = 0;                     // of a difference
};

struct ViewerTables {
  std::vector<ViewerColumn> columns;
  std::vector<const Selection*> selections;  // of the view, by event
  bool is_difference = false;                // two events: before and after
  Numbering threads, modules;
  std::vector<uint32_t> functions;              // rows of Profile::functions, by row of the columns
  std::vector<ViewerThreadTimes> thread_times;  // of `threads`
  std::vector<std::string> group_names;
  uint64_t start_ns = 0, last_ns = 0;  // of the profile's clock; the last sample, from the start
  uint64_t time_unit_ns = 1000;
};

// The result refers to the view.
ViewerTables make_viewer_tables(const ExportView& view);

}  // namespace wick

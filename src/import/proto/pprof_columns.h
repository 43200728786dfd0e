// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The values of pprof's samples in its files and raw text: one per sample type.
//
// Type "samples" in "count" besides others is the number of samples of a row, not an event; every other type is an event. Its
// number of samples is the last type in "count" before it ("alloc_objects" for "alloc_space"). The default type is the first
// event, as in pprof. Types of the same name are different events.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/profile_builder.h"

namespace wick {

struct PprofType {
  std::string_view type, unit;
};
struct PprofColumn {
  std::optional<EventId> event{};  // none: only a number of samples
  int64_t factor = 1;              // wick units per file unit
  int counts = -1;                 // column with the number of samples
};

constexpr size_t kMostPprofColumns = 256;  // sanity limit

// `default_type`: empty if there is none. `cpu_event`: the event that wick wrote as "cpu"; empty if none.
std::vector<PprofColumn> choose_pprof_columns(ProfileBuilder& b, std::span<const PprofType> types, std::string_view default_type,
                                              std::string_view cpu_event = {});

// Calls add(Sample) for each event with a value; a row of zeros is a sample of its first event. Returns the number of values that
// do not fit.
template <typename Add>
size_t add_pprof_values(std::span<const PprofColumn> columns, std::span<const int64_t> values, Sample sample, Add add) {
  bool any = false;
  for (size_t i = 0; i < columns.size(); ++i) { any = any || (columns[i].event && values[i] != 0); }
  bool added = false;
  size_t too_large = 0;
  for (size_t i = 0; i < columns.size(); ++i) {
    const PprofColumn& column = columns[i];
    if (!column.event || (any && values[i] == 0) || (!any && added)) { continue; }
    if (__builtin_mul_overflow(values[i], column.factor, &sample.weight) || sample.weight == INT64_MIN) {
      ++too_large;
      continue;
    }
    int64_t count = column.counts >= 0 ? values[static_cast<size_t>(column.counts)] : 1;
    sample.count = count == INT64_MIN ? 1 : static_cast<uint64_t>(count < 0 ? -count : count);
    if (!any && sample.count == 0) { continue; }
    if (sample.count == 0) { sample.count = 1; }
    sample.event = *column.event;
    add(sample);
    added = true;
  }
  return too_large;
}

}  // namespace wick

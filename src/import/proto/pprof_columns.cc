// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/proto/pprof_columns.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "import/common/foreign.h"

namespace wick {

std::vector<PprofColumn> choose_pprof_columns(ProfileBuilder& b, std::span<const PprofType> types, std::string_view default_type,
                                              std::string_view cpu_event) {
  size_t n = types.size();
  std::vector<PprofColumn> columns(n);
  auto is_samples = [](const PprofType& t) { return t.unit == "count" && (t.type == "samples" || t.type == "sample"); };
  int counts = -1, samples = -1;
  for (size_t i = 0; i < n; ++i) {
    if (is_samples(types[i])) { samples = static_cast<int>(i); }
  }
  for (size_t i = 0; i < n; ++i) {
    if (types[i].unit == "count") { counts = static_cast<int>(i); }
    columns[i].counts = samples >= 0 ? samples : counts;
  }
  // pprof shows the default type, or the last one if there is no default.
  auto has_type = [&](std::string_view name) { return [name](const PprofType& t) { return t.type == name; }; };
  auto named = default_type.empty() ? types.end() : std::find_if(types.begin(), types.end(), has_type(default_type));
  size_t first = named == types.end() ? n - 1 : static_cast<size_t>(named - types.begin());
  if (static_cast<int>(first) == samples && n > 1) { first = samples == 0 ? 1 : 0; }

  bool rename_cpu = !cpu_event.empty() && std::none_of(types.begin(), types.end(), has_type(cpu_event));
  std::set<std::pair<std::string, std::string>> used;  // (name, unit)
  auto make_event = [&](size_t i) {
    std::string name(types[i].type);
    ForeignUnit unit = foreign_unit(types[i].unit);
    if (static_cast<int>(i) == columns[i].counts && is_samples(types[i])) { unit.name = "samples"; }
    if (rename_cpu && name == "cpu" && unit.is_time) {
      name = cpu_event;
      rename_cpu = false;
    }
    if (name.empty()) { name = "cost"; }
    std::string unique = name;
    for (int again = 2; !used.emplace(unique, unit.name).second; ++again) { unique = name + " (" + std::to_string(again) + ")"; }
    columns[i].event = b.event(unique, unit.name);
    columns[i].factor = unit.factor;
  };
  make_event(first);
  for (size_t i = 0; i < n; ++i) {
    bool only_counts = static_cast<int>(i) == samples && n > 1;
    if (i != first && !only_counts) { make_event(i); }
  }
  return columns;
}

}  // namespace wick

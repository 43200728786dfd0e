// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "capture/ended_tasks.h"

#include <algorithm>

namespace wick {
namespace {

constexpr uint32_t kNoNumber = UINT32_MAX;

auto first_after(const std::vector<ExitEvent>& exits, uint64_t time_ns) {
  return std::partition_point(exits.begin(), exits.end(), [&](const ExitEvent& e) { return e.time_ns <= time_ns; });
}

}  // namespace

bool EndedTasks::name(RawSample& sample) const {
  if (sample.tid != kNoNumber) { return true; }
  auto found = exits_.find(sample.cpu);
  if (found == exits_.end()) { return false; }
  auto after = first_after(found->second, sample.time_ns);
  if (after == found->second.begin()) { return false; }
  const ExitEvent& exit = *(after - 1);
  if (sample.pid != kNoNumber && sample.pid != exit.pid) { return false; }
  sample.pid = exit.pid;
  sample.tid = exit.tid;
  return true;
}

void EndedTasks::forget_until(uint64_t time_ns) {
  for (auto& [cpu, exits] : exits_) {
    auto after = first_after(exits, time_ns);
    if (after - exits.begin() > 1) { exits.erase(exits.begin(), after - 1); }
  }
}

}  // namespace wick

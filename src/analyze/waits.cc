// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/waits.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "analyze/color.h"

namespace wick {

EventId find_wait_event(const Profile& profile) {
  for (const Sample& sample : profile.samples()) {
    if (sample.wait.valid()) { return sample.event; }
  }
  return {};
}

std::optional<ThreadParts> compute_parts(const Profile& profile, ThreadId id) {
  const Thread& thread = profile[id];
  if (thread.ready_ns + thread.blocked_ns == 0) { return std::nullopt; }
  uint64_t last_ns = profile.samples().empty() ? profile.start_ns() : profile.samples().back().time_ns;
  uint64_t end = thread.end_ns != 0 ? thread.end_ns : last_ns, start = std::max(thread.start_ns, profile.start_ns());
  uint64_t life = end - std::min(start, end), waiting = thread.ready_ns + thread.blocked_ns;
  return ThreadParts{life - std::min(life, waiting), thread.ready_ns, thread.blocked_ns};
}

FrameId find_waiting_frame(const Profile& profile, StackId stack) {
  FrameId innermost = stack.valid() ? profile[stack].frame : FrameId{};
  for (StackId at = stack; at.valid(); at = profile[at].caller) {
    FrameId frame = profile[at].frame;
    if (owner_kind(profile, profile[frame].function) == CodeKind::kProgram) { return frame; }
  }
  return innermost;
}

std::vector<WaitRow> compute_waits(const Profile& profile, const Selection& selection) {
  struct Sum {
    WaitRow row;
    std::set<uint32_t> threads;
    std::map<uint32_t, int64_t> stacks;
  };
  std::map<std::pair<uint32_t, uint32_t>, Sum> sums;
  for (uint32_t index : selection.samples) {
    const Sample& sample = profile.samples()[index];
    Wait wait = sample.wait.valid() ? profile[sample.wait] : Wait{.has_ended = false};
    Sum& sum = sums[{wait.kind.value, wait.object.value}];
    sum.row.kind = wait.kind;
    sum.row.object = wait.object;
    sum.row.weight += sample.weight;
    sum.row.longest_ns = std::max(sum.row.longest_ns, wait.length_ns);
    if (wait.has_ended) {
      double waits = static_cast<double>(sample.weight) / static_cast<double>(std::max<uint64_t>(wait.length_ns, 1));
      sum.row.count += std::max(waits, 1.0);
    }
    sum.threads.insert(sample.thread.value);
    sum.stacks[sample.stack.value] += sample.weight;
  }
  std::vector<WaitRow> rows;
  for (auto& [key, sum] : sums) {
    sum.row.threads = static_cast<uint32_t>(sum.threads.size());
    auto heavier = [](const auto& a, const auto& b) { return a.second < b.second; };
    auto hottest = std::max_element(sum.stacks.begin(), sum.stacks.end(), heavier);
    sum.row.stack = StackId{hottest->first};
    sum.row.stack_weight = hottest->second;
    rows.push_back(sum.row);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const WaitRow& a, const WaitRow& b) { return a.weight > b.weight; });
  return rows;
}

}  // namespace wick

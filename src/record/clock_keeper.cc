// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/clock_keeper.h"

#include <linux/perf_event.h>

#include <utility>

#include "record/perf_open.h"

namespace wick {
namespace {

constexpr uint64_t kLongNs = 50'000'000;
constexpr uint32_t kManyShort = 10;
constexpr size_t kMostKept = 512;  // each is an open file

}  // namespace

void ClockKeeper::begin(uint32_t pid, uint32_t tid) { lives_[tid].pid = pid; }

void ClockKeeper::on_fork(const ForkEvent& fork) {
  if (fork.pid == fork.parent_pid) {  // the first thread may be from before the recording
    auto [first, is_new] = lives_.try_emplace(fork.pid);
    if (is_new) { first->second = {fork.pid, fork.time_ns, false, {}}; }
  }
  lives_[fork.tid] = {fork.pid, fork.time_ns, false, {}};
}

void ClockKeeper::on_exit(const ExitEvent& exit) {
  auto found = lives_.find(exit.tid);
  if (found == lives_.end()) { return; }
  const Life& life = found->second;
  kept_ -= life.event ? 1 : 0;
  bool is_process = exit.pid == exit.tid;
  if (!is_process && exit.time_ns - life.start_ns < kLongNs) { ++short_lives_[life.pid]; }
  lives_.erase(found);
  if (is_process) { short_lives_.erase(exit.pid); }
}

std::vector<pid_t> ClockKeeper::find_long_lived(uint64_t now_ns) {
  std::vector<pid_t> out;
  if (short_lives_.empty() || now_ns < next_ns_) { return out; }
  next_ns_ = now_ns + kLongNs;
  for (auto& [tid, life] : lives_) {
    auto shorts = short_lives_.find(life.pid);
    bool is_next_to_short = shorts != short_lives_.end() && shorts->second >= kManyShort;
    bool is_wanted = is_next_to_short && !life.is_found && life.start_ns + kLongNs <= now_ns;
    if (!is_wanted || kept_ + out.size() >= kMostKept) { continue; }
    life.is_found = true;
    out.push_back(static_cast<pid_t>(tid));
  }
  return out;
}

void ClockKeeper::keep(pid_t tid) {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_DUMMY;
  attr.exclude_kernel = attr.exclude_hv = 1;
  Result<Fd> event = open_perf_event(attr, tid, -1);
  auto found = lives_.find(static_cast<uint32_t>(tid));
  if (!event || found == lives_.end()) { return; }
  found->second.event = *std::move(event);
  ++kept_;
}

}  // namespace wick

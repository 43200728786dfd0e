// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/clock_keeper.h"

#include <linux/perf_event.h>

#include <utility>

#include "record/perf_open.h"

namespace wick {
namespace {

constexpr uint64_t kLongNs = 50'000'000;
constexpr size_t kManyShort = 10;
constexpr size_t kMostKept = 512;  // each is an open file

}  // namespace

void ClockKeeper::begin(uint32_t tid) { lives_.try_emplace(tid); }

void ClockKeeper::on_fork(const ForkEvent& fork) {
  auto [parent, is_new] = lives_.try_emplace(fork.parent_tid);  // may be from before the recording
  if (is_new) { parent->second.start_ns = fork.time_ns; }
  lives_[fork.tid] = {fork.time_ns, false, {}};
}

void ClockKeeper::on_exit(const ExitEvent& exit) {
  auto found = lives_.find(exit.tid);
  if (found == lives_.end()) { return; }
  short_lives_ += exit.time_ns - found->second.start_ns < kLongNs ? 1 : 0;
  kept_ -= found->second.event ? 1 : 0;
  lives_.erase(found);
}

std::vector<pid_t> ClockKeeper::find_long_lived(uint64_t now_ns) {
  std::vector<pid_t> out;
  if (short_lives_ < kManyShort || now_ns < next_ns_) { return out; }
  next_ns_ = now_ns + kLongNs;
  for (auto& [tid, life] : lives_) {
    bool is_wanted = !life.is_found && life.start_ns + kLongNs <= now_ns;
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

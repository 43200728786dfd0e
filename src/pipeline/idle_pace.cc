// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/idle_pace.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "base/clock.h"

namespace wick {
namespace {

constexpr uint64_t kMillisecond = 1'000'000;
constexpr uint64_t kFirstSleep = 10 * kMillisecond, kLongestSleep = 200 * kMillisecond;

}  // namespace

IdlePace::IdlePace() : cpus_(static_cast<unsigned>(std::max(::sysconf(_SC_NPROCESSORS_ONLN), 1L))) {}

bool IdlePace::is_in_the_way() {
  uint64_t now = now_ns(), waited = load_.waited_ns();
  // In a container with few of the machine's CPUs, only the time spent waiting shows contention.
  bool waits = last_ns_ != 0 && waited - last_waited_ns_ > (now - last_ns_) / 10;
  last_ns_ = now;
  last_waited_ns_ = waited;
  return waits || load_.running().value_or(0) > cpus_;
}

void IdlePace::rest() {
  if (hurry_ || now_ns() < last_ns_ + kMillisecond) { return; }
  while (!hurry_ && is_in_the_way()) {
    sleep_ns_ = std::clamp(2 * sleep_ns_, kFirstSleep, kLongestSleep);
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::nanoseconds(sleep_ns_), [this] { return hurry_.load(); });
    // Waiting after a sleep says nothing about contention.
    last_ns_ = now_ns();
    last_waited_ns_ = load_.waited_ns();
  }
  sleep_ns_ = 0;
}

void IdlePace::hurry() {
  std::lock_guard lock(mutex_);
  hurry_ = true;
  changed_.notify_all();
}

}  // namespace wick

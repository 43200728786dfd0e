// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/idle_pace.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/text.h"
#include "os/proc_tasks.h"

namespace wick {
namespace {

constexpr uint64_t kMillisecond = 1'000'000;
constexpr uint64_t kFirstSleep = 10 * kMillisecond, kLongestSleep = 200 * kMillisecond;

std::string read_again(const Fd& fd) {
  char text[256];
  ssize_t n = fd ? ::pread(fd.get(), text, sizeof text, 0) : 0;
  return {text, static_cast<size_t>(std::max<ssize_t>(n, 0))};
}

// "0.20 0.18 0.12 2/317 4711": two threads run or wait for a CPU, including this one.
std::optional<uint64_t> parse_running(const std::string& text) {
  std::vector<std::string_view> words = split(text, ' ');
  return words.size() > 3 ? parse_u64(split(words[3], '/')[0]) : std::nullopt;
}

uint64_t waited_ns(const Fd& schedstat) { return parse_schedstat(read_again(schedstat)).value_or(TaskTimes{}).wait_ns; }

}  // namespace

IdlePace::IdlePace()
    : load_(::open("/proc/loadavg", O_RDONLY | O_CLOEXEC)),
      cpus_(static_cast<unsigned>(std::max(::sysconf(_SC_NPROCESSORS_ONLN), 1L))) {}

bool IdlePace::is_in_the_way() {
  if (!waits_) { waits_.reset(::open(strf("/proc/self/task/%d/schedstat", ::gettid()).c_str(), O_RDONLY | O_CLOEXEC)); }
  uint64_t now = now_ns(), waited = waited_ns(waits_);
  // In a container with few of the machine's CPUs, only the time spent waiting shows contention.
  bool waits = last_ns_ != 0 && waited - last_waited_ns_ > (now - last_ns_) / 10;
  last_ns_ = now;
  last_waited_ns_ = waited;
  return waits || parse_running(read_again(load_)).value_or(0) > cpus_;
}

void IdlePace::rest() {
  if (hurry_ || now_ns() < last_ns_ + kMillisecond) { return; }
  while (!hurry_ && is_in_the_way()) {
    sleep_ns_ = std::clamp(2 * sleep_ns_, kFirstSleep, kLongestSleep);
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::nanoseconds(sleep_ns_), [this] { return hurry_.load(); });
    // Waiting after a sleep says nothing about contention.
    last_ns_ = now_ns();
    last_waited_ns_ = waited_ns(waits_);
  }
  sleep_ns_ = 0;
}

void IdlePace::hurry() {
  std::lock_guard lock(mutex_);
  hurry_ = true;
  changed_.notify_all();
}

}  // namespace wick

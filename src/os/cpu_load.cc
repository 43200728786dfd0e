// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "os/cpu_load.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "os/proc_tasks.h"

namespace wick {
namespace {

std::string read_again(const Fd& fd) {
  char text[256];
  ssize_t n = fd ? ::pread(fd.get(), text, sizeof text, 0) : 0;
  return {text, static_cast<size_t>(std::max<ssize_t>(n, 0))};
}

}  // namespace

CpuLoad::CpuLoad() : load_(::open("/proc/loadavg", O_RDONLY | O_CLOEXEC)) {}

// "0.20 0.18 0.12 2/317 4711": two threads.
std::optional<uint64_t> CpuLoad::running() const {
  std::string text = read_again(load_);
  std::vector<std::string_view> words = split(text, ' ');
  return words.size() > 3 ? parse_u64(split(words[3], '/')[0]) : std::nullopt;
}

uint64_t CpuLoad::waited_ns() {
  if (!times_) { times_.reset(::open(strf("/proc/self/task/%d/schedstat", ::gettid()).c_str(), O_RDONLY | O_CLOEXEC)); }
  return parse_schedstat(read_again(times_)).value_or(TaskTimes{}).wait_ns;
}

}  // namespace wick

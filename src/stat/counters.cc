// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "stat/counters.h"

#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace wick::stat {

int KernelCounters::open(perf_event_attr& attr, pid_t pid, int cpu, int leader) {
  long fd = ::syscall(SYS_perf_event_open, &attr, pid, cpu, leader, PERF_FLAG_FD_CLOEXEC);
  return fd < 0 ? -errno : static_cast<int>(fd);
}

void KernelCounters::close(int handle) { ::close(handle); }
void KernelCounters::enable(int leader) { ::ioctl(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP); }
void KernelCounters::disable(int leader) { ::ioctl(leader, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP); }

std::optional<GroupReading> KernelCounters::read(int leader, size_t size) {
  std::vector<uint64_t> words(3 + size);  // number of counters, enabled, running, counts
  ssize_t bytes = static_cast<ssize_t>(words.size() * sizeof(uint64_t));
  if (::read(leader, words.data(), static_cast<size_t>(bytes)) != bytes || words[0] != size) { return std::nullopt; }
  return GroupReading{words[1], words[2], {words.begin() + 3, words.end()}};
}

}  // namespace wick::stat

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernel's counters behind a small interface, so that tests can have any PMU.

#include <linux/perf_event.h>
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace wick::stat {

// A group that is on the CPU together or not at all. Times in nanoseconds: since when it was to count, and how long it did.
struct GroupReading {
  uint64_t enabled_ns = 0, running_ns = 0;
  std::vector<uint64_t> counts;
};

class CounterPort {
 public:
  virtual ~CounterPort() = default;
  // Returns a handle, or the negative errno. `leader`: the handle of the group's first counter, or -1 for a new group.
  virtual int open(perf_event_attr& attr, pid_t pid, int cpu, int leader) = 0;
  virtual void close(int handle) = 0;
  virtual void enable(int leader) = 0;
  virtual void disable(int leader) = 0;
  virtual std::optional<GroupReading> read(int leader, size_t size) = 0;
};

class KernelCounters : public CounterPort {
 public:
  int open(perf_event_attr& attr, pid_t pid, int cpu, int leader) override;
  void close(int handle) override;
  void enable(int leader) override;
  void disable(int leader) override;
  std::optional<GroupReading> read(int leader, size_t size) override;
};

}  // namespace wick::stat

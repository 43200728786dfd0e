// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The counters of a plan, opened for threads or CPUs, and what their readings mean.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "stat/figure.h"
#include "stat/plan.h"

namespace wick::stat {

// Where a counter counts: a thread and its children on any CPU (cpu -1), on one CPU, or everything on a CPU (pid -1).
struct Place {
  pid_t pid = -1;
  int cpu = -1;
};

// The counts of a group in all places, or in some.
struct GroupTotal {
  const CounterGroup* group = nullptr;
  std::vector<double> counts;
  double enabled_ns = 0, running_ns = 0;
};

class CounterSet {
 public:
  // `on_exec`: counts from the exec of the process. `only`: opens only that hardware group of each type of cores; -1: all.
  // The error has the errno of the first software counter; hardware groups that cannot be opened here are left out.
  static Result<CounterSet> open(const CounterPlan& plan, const std::vector<Place>& places, CounterPort& port, bool on_exec,
                                 int only = -1);
  CounterSet(CounterSet&& other) noexcept;
  CounterSet& operator=(CounterSet&&) = delete;
  ~CounterSet();

  void enable();
  void disable();
  // Totals since the beginning. `is_of`: which places; empty: all.
  std::vector<GroupTotal> read(const std::function<bool(const Place&)>& is_of = nullptr) const;

 private:
  struct OpenGroup {
    const CounterGroup* group;
    Place place;
    std::vector<int> handles;  // the leader first
  };
  explicit CounterSet(CounterPort& port) : port_(&port) {}

  CounterPort* port_;
  std::vector<OpenGroup> groups_;
};

// Figures of these totals, ratios included. If counters took turns (multiplexing), counts are scaled to the complete time, and
// `counted` says so. On a hybrid machine a counter of one type of cores rests while the program runs on another type: such
// counts are complete. `of_cpus`: the counters belong to CPUs, not to tasks. Names of counters that never ran go to `never_ran`.
Figures count_figures(const std::vector<GroupTotal>& totals, bool of_cpus, std::vector<std::string>* never_ran = nullptr);

// The difference of two readings of the same set.
std::vector<GroupTotal> subtract(std::vector<GroupTotal> now, const std::vector<GroupTotal>& before);

}  // namespace wick::stat

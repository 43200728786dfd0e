// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One measured run: of a command, or of running processes or the machine for a time.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "os/stop_signals.h"
#include "record/task_sums.h"
#include "stat/counter_set.h"
#include "stat/figure.h"
#include "stat/machine_use.h"
#include "stat/task_watch.h"

namespace wick::stat {

struct Target {
  std::vector<std::string> command;
  std::string directory = {};  // where it starts; empty: the current one
  std::vector<pid_t> pids, tids;
  bool system_wide = false;
  std::vector<int> cpus;  // of system_wide
};

struct RunOptions {
  uint64_t duration_ns = 0, interval_ns = 0;  // 0: none
  bool per_thread = false, per_core = false;
  bool discard_output = false;  // of the command
};

struct Interval {
  uint64_t begin_ns = 0, end_ns = 0;  // since the run began
  Figures figures;
};
struct Part {
  std::string name;  // of a thread or a core
  Figures figures;
};

struct Run {
  Figures figures;
  std::vector<Part> parts;
  std::vector<Interval> intervals;
  std::vector<std::string> never_ran;  // counters that something else used all the time
  std::optional<int> status;           // wait status of the command
  bool ended_by_us = false, interrupted = false;
};

class Runner {
 public:
  // `sums` may be null. All references outlive the runner.
  Runner(const Target& target, const RunOptions& options, const CounterPlan& plan, CounterPort& port, StopSignals& signals,
         TaskSums* sums)
      : target_(target), options_(options), plan_(plan), port_(port), signals_(signals), sums_(sums) {}

  // `only`: see CounterSet::open().
  Result<Run> run(const std::function<void(const Interval&)>& on_interval, int only = -1);

 private:
  struct State;
  Result<Run> run_command(const std::function<void(const Interval&)>& on_interval, int only);
  Result<Run> run_attached(const std::function<void(const Interval&)>& on_interval, int only);
  std::vector<Place> places_of(const std::vector<pid_t>& tids) const;
  void wait(State& state);
  void end_interval(State& state, std::optional<uint64_t> all_run_ns = std::nullopt);
  void add_counts(State& state);
  void add_wait(State& state, uint64_t before_ns);
  void add_parts(State& state);

  const Target& target_;
  const RunOptions& options_;
  const CounterPlan& plan_;
  CounterPort& port_;
  StopSignals& signals_;
  TaskSums* sums_;
};

}  // namespace wick::stat

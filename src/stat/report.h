// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What `wick stat` shows: the figures of all runs put together, with their meanings.

#include <string>
#include <vector>

#include "stat/meaning.h"
#include "stat/run.h"
#include "stat/statistics.h"

namespace wick::stat {

struct Row {
  Figure figure;  // the value is the mean of the runs
  Summary runs;
  std::string meaning, next;  // empty if it suggests nothing
};

struct Report {
  std::string title;  // the command or the processes, as typed
  std::vector<std::string> command;
  std::vector<Row> rows;
  size_t runs = 0;
  int exit_code = 0;
  bool user_only = false;  // hardware counters leave out the kernel
  bool simulated = false;
  std::string missing, missing_next;  // why there are no hardware counters, and what to do
  std::vector<std::string> notes;
  std::vector<Part> parts;  // of the last run
  std::vector<Interval> intervals;
};

// Figures of several runs, in the order of the first run. A figure that was scaled in some runs and complete in others is taken
// from the complete ones.
std::vector<Row> combine(const std::vector<Figures>& runs);
void add_meanings(std::vector<Row>& rows, std::string_view target, bool needs_sudo);

struct ComparedRow {
  std::string name, core;
  Unit unit = Unit::kCount;
  Summary first, second;
  Comparison comparison;
};
struct CompareReport {
  std::string commands[2];
  std::vector<ComparedRow> rows;  // the first decides
  size_t pairs = 0;
  std::vector<std::string> notes;
};
// Figures of the target that all runs have. Run i of both is from block i.
std::vector<ComparedRow> compare_runs(const std::vector<Figures>& first, const std::vector<Figures>& second);

// Why there are no hardware counters, and the command to run; both empty if there are some.
struct Missing {
  std::string why, next;
};
Missing explain_missing(const CounterPlan& plan, const Machine& machine, PerfCall call, std::string_view target);

}  // namespace wick::stat

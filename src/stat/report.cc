// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "stat/report.h"

#include <algorithm>
#include <cerrno>

#include "base/text.h"

namespace wick::stat {
namespace {

constexpr double kComplete = 0.995;

struct Values {
  Figure figure;
  std::vector<double> complete, all;
  double counted = 1;
};

// Figures of the machine and those with other names follow.
constexpr std::string_view kOrder[] = {
    "elapsed",           "task-clock",         "cpus-used",        "user-time",            "system-time",  "run-queue-wait",
    "context-switches",  "voluntary-switches", "involuntary-switches", "cpu-migrations",   "page-faults",  "major-faults",
    "memory-peak",       "block-read",         "block-written"};

size_t order_of(const Figure& figure) {
  return static_cast<size_t>(std::find(std::begin(kOrder), std::end(kOrder), figure.name) - std::begin(kOrder));
}

std::vector<Values> collect(const std::vector<Figures>& runs) {
  std::vector<Values> out;
  for (const Figures& run : runs) {
    for (const Figure& figure : run) {
      auto same = std::find_if(out.begin(), out.end(), [&](const Values& v) {
        return v.figure.name == figure.name && v.figure.core == figure.core;
      });
      if (same == out.end()) {
        out.push_back({figure, {}, {}, 1});
        same = out.end() - 1;
      }
      same->all.push_back(figure.value);
      if (figure.counted >= kComplete) { same->complete.push_back(figure.value); }
      same->counted = std::min(same->counted, figure.counted);
      if (figure.bound != Bound::kExact) {
        same->figure.bound = figure.bound;
        same->figure.note = figure.note;
      }
    }
  }
  return out;
}

}  // namespace

std::vector<Row> combine(const std::vector<Figures>& runs) {
  std::vector<Row> rows;
  for (Values& values : collect(runs)) {
    bool is_complete = !values.complete.empty();
    Row row{std::move(values.figure), summarize(is_complete ? values.complete : values.all), "", ""};
    row.figure.value = row.runs.mean;
    row.figure.counted = is_complete ? 1 : values.counted;
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return order_of(a.figure) < order_of(b.figure); });
  return rows;
}

void add_meanings(std::vector<Row>& rows, std::string_view target, bool needs_sudo) {
  Figures figures;
  for (const Row& row : rows) { figures.push_back(row.figure); }
  for (Meaning& meaning : find_meanings(figures, target, needs_sudo)) {
    for (Row& row : rows) {
      if (row.figure.name != meaning.figure || row.figure.core != meaning.core) { continue; }
      row.meaning = meaning.text;
      row.next = meaning.command;
    }
  }
}

std::vector<ComparedRow> compare_runs(const std::vector<Figures>& first, const std::vector<Figures>& second) {
  std::vector<ComparedRow> out;
  for (const Values& a : collect(first)) {
    if (a.figure.scope == Scope::kMachine || a.all.size() != first.size()) { continue; }
    std::vector<double> b;
    for (const Figures& run : second) {
      if (const Figure* same = find_figure(run, a.figure.name, a.figure.core)) { b.push_back(same->value); }
    }
    if (b.size() != a.all.size()) { continue; }
    out.push_back({a.figure.name, a.figure.core, a.figure.unit, summarize(a.all), summarize(b), compare(a.all, b)});
  }
  return out;
}

Missing explain_missing(const CounterPlan& plan, const Machine& machine, PerfCall call, std::string_view target) {
  if (plan.hardware_error == 0) { return {}; }
  bool is_command = target.starts_with("-- ");
  std::string simulate = is_command ? "wick stat --exact " + std::string(target) : "";
  if (call == PerfCall::kNotBuilt) { return {"no counters: this kernel has no perf events", simulate}; }
  if (call == PerfCall::kFiltered) {
    return {"no counters: a seccomp filter blocks perf_event_open, as in most containers; figures are from /proc and resource usage",
            simulate};
  }
  if (plan.hardware_error == EACCES || plan.hardware_error == EPERM) {
    long long level = machine.perf_event_paranoid.value_or(2);
    return {strf("no counters: perf_event_paranoid is %lld; figures are from /proc and resource usage", level),
            "sudo sysctl kernel.perf_event_paranoid=2"};
  }
  return {"no hardware counters: this machine has no PMU, as most virtual machines; cycles, instructions and cache misses can be "
          "counted on real hardware, or on a virtual machine whose host passes its PMU on",
          simulate};
}

}  // namespace wick::stat

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "stat/counter_set.h"

#include <algorithm>
#include <map>
#include <utility>

namespace wick::stat {
namespace {

constexpr double kComplete = 0.995;  // shares above this differ from 1 only because counters start one after the other

// How long each type of cores ran the program, estimated from its group that counted longest.
std::map<std::string, double> time_on_cores(const std::vector<GroupTotal>& totals, bool of_cpus) {
  std::map<std::string, double> longest, enabled;
  for (const GroupTotal& total : totals) {
    if (!total.group->hardware) { continue; }
    double& time = longest[total.group->core];
    time = std::max(time, total.running_ns);
    double& all = enabled[total.group->core];
    all = std::max(all, total.enabled_ns);
  }
  if (of_cpus) { return enabled; }
  double sum = 0, complete = 0;
  for (const auto& [core, time] : longest) { sum += time; }
  for (const auto& [core, time] : enabled) { complete = std::max(complete, time); }
  if (sum <= 0 || sum >= kComplete * complete) { return longest; }
  for (auto& [core, time] : longest) { time *= complete / sum; }
  return longest;
}

bool has(const std::vector<uint32_t>& cpus, int cpu) {
  return cpus.empty() || cpu < 0 || std::find(cpus.begin(), cpus.end(), static_cast<uint32_t>(cpu)) != cpus.end();
}

}  // namespace

Result<CounterSet> CounterSet::open(const CounterPlan& plan, const std::vector<Place>& places, CounterPort& port, bool on_exec,
                                    int only) {
  CounterSet set(port);
  std::map<std::string, int> number;  // of groups of each type of cores
  for (const CounterGroup& group : plan.groups) {
    if (group.hardware && number[group.core]++ != only && only >= 0) { continue; }
    for (const Place& place : places) {
      if (!has(group.cpus, place.cpu)) { continue; }
      OpenGroup open{&group, place, {}};
      int error = 0;
      for (const Counter& counter : group.counters) {
        bool leads = open.handles.empty();
        perf_event_attr attr = counting_attr(counter.event, plan.with_kernel && !counter.event.user_only, leads);
        attr.enable_on_exec = leads && on_exec;
        int handle = port.open(attr, place.pid, place.cpu, leads ? -1 : open.handles[0]);
        if (handle < 0) {
          error = -handle;
          break;
        }
        open.handles.push_back(handle);
      }
      set.groups_.push_back(std::move(open));
      if (error == 0) { continue; }
      for (int handle : set.groups_.back().handles) { port.close(handle); }
      set.groups_.pop_back();
      if (!group.hardware) { return Error::from_errno(error, "cannot count \"%s\"", group.counters[0].name.c_str()); }
    }
  }
  return set;
}

CounterSet::CounterSet(CounterSet&& other) noexcept : port_(other.port_), groups_(std::exchange(other.groups_, {})) {}

CounterSet::~CounterSet() {
  for (OpenGroup& group : groups_) {
    std::for_each(group.handles.rbegin(), group.handles.rend(), [&](int handle) { port_->close(handle); });
  }
}

void CounterSet::enable() {
  for (OpenGroup& group : groups_) { port_->enable(group.handles[0]); }
}

void CounterSet::disable() {
  for (OpenGroup& group : groups_) { port_->disable(group.handles[0]); }
}

std::vector<GroupTotal> CounterSet::read(const std::function<bool(const Place&)>& is_of) const {
  std::vector<GroupTotal> totals;
  std::map<std::pair<const CounterGroup*, pid_t>, double> enabled;  // of a thread counted on each CPU: the same time each
  for (const OpenGroup& open : groups_) {
    if (is_of && !is_of(open.place)) { continue; }
    std::optional<GroupReading> reading = port_->read(open.handles[0], open.handles.size());
    if (!reading) { continue; }
    auto same = std::find_if(totals.begin(), totals.end(), [&](const GroupTotal& t) { return t.group == open.group; });
    if (same == totals.end()) {
      totals.push_back({open.group, std::vector<double>(open.handles.size(), 0.0), 0, 0});
      same = totals.end() - 1;
    }
    for (size_t i = 0; i < reading->counts.size(); ++i) { same->counts[i] += static_cast<double>(reading->counts[i]); }
    same->running_ns += static_cast<double>(reading->running_ns);
    double time = static_cast<double>(reading->enabled_ns);
    bool is_thread_on_cpu = open.place.pid != -1 && open.place.cpu >= 0;
    if (is_thread_on_cpu) {
      double& most = enabled[{open.group, open.place.pid}];
      double more = std::max(time - most, 0.0);
      most += more;
      time = more;
    }
    same->enabled_ns += time;
  }
  return totals;
}

Figures count_figures(const std::vector<GroupTotal>& totals, bool of_cpus, std::vector<std::string>* never_ran) {
  std::map<std::string, double> times = time_on_cores(totals, of_cpus);
  Figures out;
  for (const GroupTotal& total : totals) {
    const CounterGroup& group = *total.group;
    double time = group.hardware ? times[group.core] : 0, scale = 1, counted = 1;
    if (group.hardware && total.running_ns <= 0) {
      bool other_cores = time <= 0 && total.enabled_ns > 0 && times.size() > 1;
      bool is_idle = total.enabled_ns <= 0;
      if (!other_cores && !is_idle && never_ran != nullptr) {
        for (const Counter& counter : group.counters) { never_ran->push_back(counter.name); }
      }
      if (!is_idle) { continue; }
    } else if (group.hardware && total.running_ns < kComplete * time) {
      scale = time / total.running_ns;
      counted = total.running_ns / time;
    }
    Figures of_group;
    for (size_t i = 0; i < group.counters.size(); ++i) {
      const Counter& counter = group.counters[i];
      Unit unit = counter.event.is_clock ? Unit::kNanoseconds : Unit::kCount;
      of_group.push_back({counter.name, group.core, unit, Scope::kTarget, total.counts[i] * scale, counted});
    }
    add_ratios(of_group, group.slots);
    for (Figure& figure : of_group) {
      if (find_figure(out, figure.name, figure.core) == nullptr) { out.push_back(std::move(figure)); }
    }
  }
  return out;
}

std::vector<GroupTotal> subtract(std::vector<GroupTotal> now, const std::vector<GroupTotal>& before) {
  for (GroupTotal& total : now) {
    for (const GroupTotal& old : before) {
      if (old.group != total.group) { continue; }
      for (size_t i = 0; i < total.counts.size() && i < old.counts.size(); ++i) { total.counts[i] -= old.counts[i]; }
      total.enabled_ns -= old.enabled_ns;
      total.running_ns -= old.running_ns;
    }
  }
  return now;
}

}  // namespace wick::stat

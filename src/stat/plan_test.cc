// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "stat/plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "stat/fake_counters_testing.h"

namespace wick::stat {
namespace {

std::string names_of(const CounterGroup& group) {
  std::string out = group.core.empty() ? "" : group.core + ":";
  for (const Counter& counter : group.counters) { out += (out.empty() || out.back() == ':' ? "" : " ") + counter.name; }
  return out;
}

std::vector<std::string> hardware_of(const CounterPlan& plan) {
  std::vector<std::string> out;
  for (const CounterGroup& group : plan.groups) {
    if (group.hardware) { out.push_back(names_of(group)); }
  }
  return out;
}

int refuse_stalls(const perf_event_attr& attr) {
  bool is_stall = attr.type == PERF_TYPE_HARDWARE && (attr.config & 0xff) >= PERF_COUNT_HW_STALLED_CYCLES_FRONTEND;
  return is_stall ? ENOENT : 0;
}

CounterPlan plan(FakeCounters& port, const FakeSysfs& sysfs, const std::vector<std::string>& names, PlanRequest request = {}) {
  Result<CounterPlan> out = plan_counters(request, load_core_pmus(names, sysfs.path()), sysfs.path(), port);
  EXPECT_TRUE(out.ok()) << out.error().message();
  EXPECT_TRUE(port.opened.empty()) << "probes are closed";
  return *out;
}

TEST(CounterPlan, PutsCountersOfARatioIntoOneGroup) {
  FakeCounters port;
  port.refuses = refuse_stalls;
  FakeSysfs sysfs;
  sysfs.add("cpu/type", "4");
  EXPECT_EQ(hardware_of(plan(port, sysfs, {"cpu"})),
            (std::vector<std::string>{"cycles instructions branches branch-misses cache-references cache-misses"}));
}

TEST(CounterPlan, BeginsAGroupWhenTheCpuHasTooFewCounters) {
  FakeCounters port;
  port.refuses = refuse_stalls;
  port.most_in_group = 4;
  FakeSysfs sysfs;
  sysfs.add("cpu/type", "4");
  EXPECT_EQ(hardware_of(plan(port, sysfs, {"cpu"})),
            (std::vector<std::string>{"cycles instructions branches branch-misses", "cache-references cache-misses"}));
  // The stalls need the cycles of the same time.
  port.refuses = [](const perf_event_attr&) { return 0; };
  EXPECT_EQ(hardware_of(plan(port, sysfs, {"cpu"}))[2], "stalled-cycles-frontend stalled-cycles-backend cycles");
}

TEST(CounterPlan, LeavesACounterToTheWatchdog) {
  FakeCounters port;
  port.refuses = refuse_stalls;
  port.most_in_group = 4;
  FakeSysfs sysfs;
  sysfs.add("cpu/type", "4");
  PlanRequest request;
  request.watchdog = true;
  for (const std::string& group : hardware_of(plan(port, sysfs, {"cpu"}, request))) {
    EXPECT_LE(std::count(group.begin(), group.end(), ' '), 2) << group;
  }
}

TEST(CounterPlan, CountsOnEachTypeOfCoresOfAHybridX86) {
  FakeCounters port;
  port.refuses = refuse_stalls;
  FakeSysfs sysfs;
  sysfs.add("cpu_core/type", "4");
  sysfs.add("cpu_core/cpus", "0-3");
  sysfs.add("cpu_atom/type", "10");
  sysfs.add("cpu_atom/cpus", "4-7");
  CounterPlan out = plan(port, sysfs, {"cpu_atom", "cpu_core"});
  ASSERT_EQ(hardware_of(out).size(), 2u);
  EXPECT_EQ(out.groups[1].core, "cpu_atom");
  EXPECT_EQ(out.groups[1].cpus, (std::vector<uint32_t>{4, 5, 6, 7}));
  EXPECT_EQ(out.groups[1].counters[1].event.config, (uint64_t{10} << 32 | PERF_COUNT_HW_INSTRUCTIONS));
  EXPECT_EQ(out.groups[2].counters[0].event.config, (uint64_t{4} << 32 | PERF_COUNT_HW_CPU_CYCLES));
}

TEST(CounterPlan, UsesTheEventsOfEachArmPmu) {
  FakeCounters port;
  FakeSysfs sysfs;
  for (auto [name, type, cpus] : {std::tuple{"armv8_cortex_a53", "7", "0-3"}, {"armv8_cortex_a72", "8", "4-5"}}) {
    std::string pmu = std::string(name) + "/";
    sysfs.add(pmu + "type", type);
    sysfs.add(pmu + "cpus", cpus);
    sysfs.add(pmu + "format/event", "config:0-15");
    sysfs.add(pmu + "events/cpu_cycles", "event=0x0011");
    sysfs.add(pmu + "events/inst_retired", "event=0x0008");
  }
  CounterPlan out = plan(port, sysfs, {"armv8_cortex_a53", "armv8_cortex_a72"});
  EXPECT_EQ(hardware_of(out), (std::vector<std::string>{"armv8_cortex_a53:cycles instructions", "armv8_cortex_a72:cycles instructions"}));
  EXPECT_EQ(out.groups[2].counters[1].event.type, 8u);
  EXPECT_EQ(out.groups[2].counters[1].event.config, 8u);
}

TEST(CounterPlan, FindsTopDownEventsInSysfs) {
  FakeCounters port;
  port.refuses = refuse_stalls;
  FakeSysfs sysfs;
  sysfs.add("cpu/type", "4");
  sysfs.add("cpu/format/event", "config:0-7");
  sysfs.add("cpu/format/umask", "config:8-15");
  const char* kEvents[][2] = {{"slots", "4"}, {"topdown-retiring", "0x80"}, {"topdown-bad-spec", "0x81"},
                              {"topdown-fe-bound", "0x82"}, {"topdown-be-bound", "0x83"}};
  for (auto& [name, umask] : kEvents) { sysfs.add(std::string("cpu/events/") + name, std::string("event=0x00,umask=") + umask); }
  CounterPlan out = plan(port, sysfs, {"cpu"});
  EXPECT_EQ(hardware_of(out)[1], "slots topdown-retiring topdown-bad-spec topdown-fe-bound topdown-be-bound");
  EXPECT_EQ(out.groups.back().counters[1].event.config, 0x8000u);
}

TEST(CounterPlan, FindsTopDownEventsOfArm) {
  FakeCounters port;
  FakeSysfs sysfs;
  sysfs.add("armv8_pmuv3_0/type", "9");
  sysfs.add("armv8_pmuv3_0/format/event", "config:0-15");
  sysfs.add("armv8_pmuv3_0/caps/slots", "0x8");
  const char* kEvents[][2] = {{"cpu_cycles", "0x11"}, {"stall_slot_frontend", "0x3e"}, {"stall_slot_backend", "0x3d"},
                              {"op_retired", "0x3a"}, {"op_spec", "0x3b"}};
  for (auto& [name, event] : kEvents) { sysfs.add(std::string("armv8_pmuv3_0/events/") + name, std::string("event=") + event); }
  CounterPlan out = plan(port, sysfs, {"armv8_pmuv3_0"});
  EXPECT_EQ(hardware_of(out).back(), "topdown-cycles stall-slot-frontend stall-slot-backend op-retired op-spec");
  EXPECT_EQ(out.groups.back().slots, 8u);
}

TEST(CounterPlan, SaysWhyThereIsNoHardware) {
  FakeCounters port;
  port.refuses = [](const perf_event_attr& attr) { return attr.type == PERF_TYPE_SOFTWARE ? 0 : ENOENT; };
  FakeSysfs sysfs;
  CounterPlan out = plan(port, sysfs, {});
  EXPECT_EQ(out.hardware_error, ENOENT);
  EXPECT_EQ(names_of(out.groups[0]), "task-clock context-switches cpu-migrations page-faults major-faults");
  port.refuses = [](const perf_event_attr&) { return EPERM; };
  out = plan(port, sysfs, {});
  EXPECT_TRUE(out.groups.empty());
  EXPECT_EQ(out.software_error, EPERM);
  EXPECT_EQ(out.hardware_error, EPERM);
}

// What the kernel counts for itself is wrong if only user space is counted.
TEST(CounterPlan, LeavesOutWhatUserSpaceCannotCount) {
  FakeCounters port;
  FakeSysfs sysfs;
  PlanRequest request;
  request.with_kernel = false;
  EXPECT_EQ(names_of(plan(port, sysfs, {}, request).groups[0]), "task-clock");
}

TEST(CounterPlan, FailsForAnEventThatCannotBeCounted) {
  FakeCounters port;
  port.refuses = [](const perf_event_attr& attr) { return attr.type == PERF_TYPE_SOFTWARE ? 0 : ENOENT; };
  PlanRequest request;
  request.events = *parse_events("cycles");
  Result<CounterPlan> out = plan_counters(request, {}, "/nowhere", port);
  ASSERT_FALSE(out.ok());
  EXPECT_EQ(out.error().message(), "cannot count \"cycles\": this machine has no such counter");
  EXPECT_EQ(out.error().code(), Errc::kUsage);
}

}  // namespace
}  // namespace wick::stat

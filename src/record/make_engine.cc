// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/make_engine.h"

#include <cerrno>
#include <optional>

#include "base/text.h"
#include "record/perf_engine.h"
#include "record/perf_open.h"
#include "record/ptrace_engine.h"

namespace wick {
namespace {

struct Refusal {
  std::string why, hint;
};

// What is known about an engine before it is created.
struct EngineKind {
  EngineInfo (*describe)(const RecordOptions& options, const Machine& machine);
  std::optional<Refusal> (*find_refusal)(const Machine& machine);  // why it cannot be used here
  Status (*plan)(EnginePlan& plan, const Machine& machine);        // chooses events; rejects what the engine cannot do
  MakeEngine make;
};

std::optional<Refusal> find_perf_refusal(const Machine& machine) {
  const char* launch = "wick record -- CMD   (programs that wick runs can be recorded)";
  EventProbe probe = probe_software_clock();
  if (probe.opened) { return std::nullopt; }
  if (probe_perf_call() == PerfCall::kFiltered) { return Refusal{"blocked by a seccomp filter (a container?)", launch}; }
  if (probe.errnum == ENOSYS) { return Refusal{"this kernel has no perf events", launch}; }
  return Refusal{strf("perf_event_paranoid is %lld, needs 2", static_cast<long long>(machine.perf_event_paranoid.value_or(2))),
                 "sudo sysctl kernel.perf_event_paranoid=2   (or let wick run the program: wick record -- CMD)"};
}

Status plan_perf(EnginePlan& plan, const Machine& machine) {
  RecordOptions& options = plan.options;
  bool of_programs = !options.command.empty() || !options.pids.empty() || !options.tids.empty();
  bool whole = options.system_wide || (!of_programs && options.cgroup.empty());
  if (whole && !machine.allows_system_wide()) {
    return Error("cannot record %s: permission denied (perf_event_paranoid is %lld, needs 0 or less, or CAP_PERFMON)",
                 options.system_wide ? "the whole system" : "whole CPUs",
                 static_cast<long long>(machine.perf_event_paranoid.value_or(2)))
        .with_code(Errc::kPermission)
        .with_hint(options.system_wide ? "sudo wick record -a   (or: sudo sysctl kernel.perf_event_paranoid=0)"
                                       : "wick record -C LIST -- CMD   (your programs, on these CPUs)");
  }
  WICK_LET(options.events, choose_events(options.events, machine, plan.notes));
  bool user_only = true;
  for (const EventSpec& event : options.events) { user_only = user_only && event.user_only; }
  if (!machine.allows_kernel() && !user_only) {
    plan.notes.push_back(
        strf("recording user space only (perf_event_paranoid is %lld; to include the kernel: sudo sysctl "
             "kernel.perf_event_paranoid=1)",
             static_cast<long long>(machine.perf_event_paranoid.value_or(2))));
  }
  return ok_status();
}

Result<std::unique_ptr<Engine>> make_perf_engine(const RecordOptions& options, const Machine& machine) {
  return std::unique_ptr<Engine>(std::make_unique<PerfEngine>(options, machine));
}

// Only trying shows whether ptrace is allowed; starting the engine explains a refusal.
std::optional<Refusal> find_ptrace_refusal(const Machine&) { return std::nullopt; }

Status plan_ptrace(EnginePlan& plan, const Machine&) {
  if (plan.options.waits) {
    return Error("--wall needs perf_event_open: ptrace does not see when threads wait").with_code(Errc::kPermission);
  }
  std::vector<EventSpec>& events = plan.options.events;
  for (const EventSpec& event : events) {
    bool is_time = (event.is_clock || event.automatic) && !event.kernel_only && event.period == 0;
    if (!is_time || events.size() > 1) {
      return Error("cannot sample \"%s\" with ptrace, which samples CPU time in user space only", event.name.c_str())
          .with_code(Errc::kUsage)
          .with_hint("wick record -e cpu-clock …");
    }
  }
  EventSpec clock = default_software_event();
  clock.user_only = true;
  events = {clock};
  return ok_status();
}

Result<std::unique_ptr<Engine>> make_ptrace_engine_here(const RecordOptions& options, const Machine&) {
  return make_ptrace_engine(options);
}

// In the order in which they are tried.
constexpr EngineKind kEngines[] = {
    {describe_perf_engine, find_perf_refusal, plan_perf, make_perf_engine},
    {describe_ptrace_engine, find_ptrace_refusal, plan_ptrace, make_ptrace_engine_here},
};

}  // namespace

std::vector<std::string> engine_names() {
  std::vector<std::string> names;
  for (const EngineKind& kind : kEngines) { names.push_back(kind.describe({}, {}).name); }
  return names;
}

Result<EnginePlan> plan_engine(RecordOptions options, const std::string& wanted, const Machine& machine) {
  bool launches = !options.command.empty();
  std::optional<EngineInfo> first;  // that was refused
  Refusal refusal;
  for (const EngineKind& kind : kEngines) {
    EngineInfo engine = kind.describe(options, machine);
    bool is_candidate = wanted.empty() ? engine.samples == capture::SampleKind::kOnCpu : wanted == engine.name;
    if (!is_candidate) { continue; }
    if (!launches && !engine.attaches) {
      if (wanted.empty()) { continue; }
      return Error("--engine %s needs a command to run", wanted.c_str())
          .with_code(Errc::kUsage)
          .with_hint("wick record --engine " + wanted + " -- CMD");
    }
    if (std::optional<Refusal> refused = kind.find_refusal(machine)) {
      if (!first) { first = engine, refusal = *std::move(refused); }
      continue;
    }
    EnginePlan plan{std::move(engine), std::move(options), {}, kind.make};
    WICK_OK(kind.plan(plan, machine));
    if (first) {
      plan.notes.push_back(first->needs + " is not available: " + refusal.why + "; sampling with " + plan.engine.name +
                           " instead" + (plan.engine.samples_kernel ? "" : " (user space only)"));
    }
    return plan;
  }
  if (!first) { return Error("unknown engine \"%s\"", wanted.c_str()).with_code(Errc::kUsage); }
  return Error("cannot record: %s is not available: %s", first->needs.c_str(), refusal.why.c_str())
      .with_code(Errc::kPermission)
      .with_hint(refusal.hint);
}

Result<std::unique_ptr<Engine>> make_engine(const EnginePlan& plan, const Machine& machine) {
  WICK_ASSERT(plan.make != nullptr, "plan_engine() chose an engine");
  return plan.make(plan.options, machine);
}

}  // namespace wick

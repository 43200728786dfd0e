// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/make_engine.h"

#include <cerrno>

#include "base/text.h"
#include "record/perf_engine.h"
#include "record/perf_open.h"
#include "record/ptrace_engine.h"

namespace wick {
namespace {

// Why perf_event_open cannot be used at all; empty when it can.
std::string perf_refusal(const Machine& machine) {
  EventProbe probe = probe_software_clock();
  if (probe.opened) { return {}; }
  if (probe_perf_call() == PerfCall::kFiltered) { return "a seccomp filter (a container?)"; }
  if (probe.errnum == ENOSYS) { return "a kernel without perf events"; }
  return strf("perf_event_paranoid %lld", static_cast<long long>(machine.perf_event_paranoid.value_or(2)));
}

Result<EnginePlan> plan_ptrace(RecordOptions options) {
  EnginePlan plan;
  plan.ptrace = true;
  for (const EventSpec& event : options.events) {
    bool is_time = (event.is_clock || event.name.starts_with("cycles")) && !event.kernel_only && event.period == 0;
    if (!is_time || options.events.size() > 1) {
      return Error("cannot sample by \"%s\" with ptrace: it samples by the CPU time of programs only", event.name.c_str())
          .with_code(Errc::kUsage)
          .with_hint("wick record -e cpu-clock …");
    }
  }
  EventSpec clock = default_software_event();
  clock.user_only = true;
  options.events = {clock};
  plan.options = std::move(options);
  return plan;
}

}  // namespace

Result<EnginePlan> plan_engine(RecordOptions options, EngineChoice choice, const Machine& machine) {
  bool launched = !options.command.empty();
  if (choice == EngineChoice::kPtrace) {
    if (!launched) {
      return Error("ptrace sampling is for a program that wick starts")
          .with_code(Errc::kUsage)
          .with_hint("wick record --engine ptrace -- CMD");
    }
    return plan_ptrace(std::move(options));
  }
  std::string refusal = perf_refusal(machine);
  if (!refusal.empty() && choice == EngineChoice::kAuto && launched) {
    WICK_LET(EnginePlan plan, plan_ptrace(std::move(options)));
    plan.notes.push_back("perf_event_open is refused here by " + refusal + ": sampling by ptrace instead (user space only)");
    return plan;
  }
  if (!refusal.empty()) {
    bool by_level = refusal.substr(0, 4) == "perf";
    return Error("cannot record: perf_event_open is refused here by %s", refusal.c_str())
        .with_code(Errc::kPermission)
        .with_hint(by_level ? "sudo sysctl kernel.perf_event_paranoid=2   (a program that wick starts is recorded all the same: "
                              "wick record -- CMD)"
                            : "let wick start the program: wick record -- CMD");
  }
  bool whole = options.system_wide || (!launched && options.pids.empty() && options.tids.empty() && options.cgroup.empty());
  if (whole && !machine.allows_system_wide()) {
    return Error("cannot record %s: permission denied (perf_event_paranoid is %lld, needs 0 or less, or CAP_PERFMON)",
                 options.system_wide ? "the whole system" : "whole CPUs",
                 static_cast<long long>(machine.perf_event_paranoid.value_or(2)))
        .with_code(Errc::kPermission)
        .with_hint(options.system_wide ? "sudo wick record -a   (or: sudo sysctl kernel.perf_event_paranoid=0)"
                                       : "wick record -C LIST -- CMD   (own programs, on these CPUs only)");
  }
  EnginePlan plan;
  WICK_LET(options.events, choose_events(options.events, machine, plan.notes));
  bool user_only = true;
  for (const EventSpec& event : options.events) { user_only = user_only && event.user_only; }
  if (!machine.allows_kernel() && !user_only) {
    plan.notes.push_back(
        strf("user space only (perf_event_paranoid is %lld; the kernel side too: sudo sysctl kernel.perf_event_paranoid=1)",
             static_cast<long long>(machine.perf_event_paranoid.value_or(2))));
  }
  plan.options = std::move(options);
  return plan;
}

Result<std::unique_ptr<Engine>> make_engine(const EnginePlan& plan, const Machine& machine) {
  if (plan.ptrace) { return make_ptrace_engine(plan.options); }
  return std::unique_ptr<Engine>(std::make_unique<PerfEngine>(plan.options, machine));
}

}  // namespace wick

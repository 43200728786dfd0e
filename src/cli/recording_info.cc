// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/recording_info.h"

#include "base/clock.h"
#include "model/profile.h"
#include "symbolize/kernel_symbols.h"
#include "symbolize/vmlinux.h"

namespace wick {
namespace {

// The title of a profile that is not of a program.
std::string describe_target(const RecordOptions& options) {
  if (!options.cgroup.empty()) { return "cgroup " + options.cgroup; }
  std::vector<uint32_t> cpus(options.cpus.begin(), options.cpus.end());
  bool of_programs = !options.command.empty() || !options.pids.empty() || !options.tids.empty();
  if (of_programs) { return {}; }
  return cpus.empty() ? "whole system" : "CPUs " + format_cpu_list(cpus);
}

}  // namespace

capture::Info describe_recording(const EnginePlan& plan, const Machine& machine) {
  capture::Info info;
  info.wick_version = WICK_VERSION;
  info.engine = plan.engine.name;
  info.unwind = plan.options.unwind == UnwindMode::kDwarf           ? "dwarf"
                : plan.options.unwind == UnwindMode::kFramePointers ? "fp"
                                                                    : "none";
  info.host = machine.host;
  info.kernel = machine.kernel_release;
  info.kernel_build_id = load_kernel_build_id();
  info.kernel_text = load_kernel_symbol("_stext").value_or(0);
  info.boot_id = load_boot_id();
  info.cpu_model = machine.cpu_model;
  info.arch = host_arch();
  info.cpu_count = static_cast<uint32_t>(machine.online_cpus.size());
  info.command = plan.options.command;
  info.target = describe_target(plan.options);
  info.start_wall_ns = wall_ns();
  info.start_ns = now_ns();
  for (const EventSpec& event : plan.options.events) {
    info.events.push_back({event.name, event.unit, event.period != 0 ? 0 : plan.options.rate_hz, plan.engine.samples});
  }
  if (plan.options.waits) {
    for (const char* name : {kReadyEvent, kBlockedEvent}) {
      info.events.push_back({name, "ns", plan.options.rate_hz, capture::SampleKind::kOffCpu});
    }
  }
  info.notes = plan.notes;
  return info;
}

}  // namespace wick

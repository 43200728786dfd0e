// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What this machine allows a recorder to do: kernel settings, limits and permissions of this process, the CPUs, and probes that
// open a real event. Reading all of it takes well under a millisecond.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace wick {

// Bit numbers in the kernel's capability sets.
enum class Capability : unsigned { kIpcLock = 14, kSysPtrace = 19, kSysAdmin = 21, kSyslog = 34, kPerfmon = 38, kBpf = 39 };

struct Machine {
  // Kernel settings; nullopt if this kernel lacks the file.
  std::optional<int64_t> perf_event_paranoid, kptr_restrict, max_sample_rate_hz, mlock_kb, max_stack, unprivileged_bpf_disabled;
  std::optional<int64_t> ptrace_scope;  // nullopt without Yama, which is like 0

  // This process.
  uint32_t user = 0;                   // effective user id
  uint64_t capabilities = 0;           // effective set
  bool initial_user_namespace = true;  // elsewhere, capabilities only apply to that namespace, never to perf and BPF
  int seccomp_mode = 0;                // 0 none, 1 strict, 2 filter
  uint64_t memlock_limit_bytes = 0;    // soft; UINT64_MAX: unlimited
  uint64_t open_files_soft = 0, open_files_hard = 0;

  // The machine.
  std::vector<uint32_t> online_cpus;  // never empty
  std::string kernel_release, cpu_model, host;
  std::vector<std::string> pmu_devices;  // core PMUs in sysfs: cpu, cpu_core, armv8_pmuv3_0, …; empty in many VMs
  bool has_btf = false;                  // /sys/kernel/btf/vmlinux

  bool has(Capability capability) const { return capabilities >> static_cast<unsigned>(capability) & 1; }
  // The kernel's perfmon_capable(): CAP_PERFMON or CAP_SYS_ADMIN in the initial user namespace.
  bool is_perfmon_capable() const { return initial_user_namespace && (has(Capability::kPerfmon) || has(Capability::kSysAdmin)); }
  // Kernel addresses, other users' processes, complete CPUs: allowed by the level or by a capability.
  bool allows_kernel() const { return is_perfmon_capable() || perf_event_paranoid.value_or(2) <= 1; }
  bool allows_system_wide() const { return is_perfmon_capable() || perf_event_paranoid.value_or(2) <= 0; }
  // Bytes of ring buffers that this user may lock, over all their processes; UINT64_MAX: no limit.
  uint64_t ring_budget_bytes() const;
};

// `root` is a prefix for /proc and /sys, for tests.
Machine load_machine(const std::string& root = "");

// Parses "0-3,7", the kernel's format of CPU sets, also used by `-C`. Sorted and unique; an empty list is an error.
Result<std::vector<uint32_t>> parse_cpu_list(std::string_view text);
std::string format_cpu_list(const std::vector<uint32_t>& cpus);  // the inverse

// Whether the system call reaches the kernel's perf code, regardless of what that code then allows.
enum class PerfCall {
  kReaches,   // the kernel answers; perf_event_paranoid decides the rest
  kFiltered,  // a seccomp filter denies the call (containers)
  kNotBuilt,  // this kernel has no perf events
};
PerfCall probe_perf_call();

// One attempt to open an event for this process (or for all of CPU 0 if `whole_cpu`), closed immediately.
struct EventProbe {
  bool opened = false;
  int errnum = 0;
};
EventProbe probe_event(uint32_t type, uint64_t config, bool with_kernel = false, bool whole_cpu = false, uint64_t config1 = 0,
                       uint64_t config2 = 0);
EventProbe probe_software_clock(bool with_kernel = false);
EventProbe probe_hardware_cycles(bool with_kernel = false);

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Each check tries the operation itself (opens an event, maps a ring, seizes a child); settings only explain the result.

#include <linux/perf_event.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/text.h"
#include "cli/doctor.h"
#include "module/cache.h"
#include "module/cache_dir.h"
#include "module/debuginfod.h"
#include "os/search_path.h"
#include "record/machine_probe.h"
#include "record/perf_engine.h"
#include "record/ptrace_engine.h"
#include "symbolize/kernel_symbols.h"

namespace wick {
namespace {

constexpr uint64_t kWantedRingBytes = 512 << 10, kWantedRate = 997, kWantedFiles = 4096;

std::string sysctl(const char* name, const std::string& value) { return strf("sudo sysctl kernel.%s=%s", name, value.c_str()); }
std::string error_text(int errnum) {
  return strf("%s (%s)", std::strerror(errnum), strerrorname_np(errnum) ? strerrorname_np(errnum) : "?");
}

class Examiner {
 public:
  explicit Examiner(const Machine& machine) : m_(machine), call_(probe_perf_call()) {}

  Diagnosis run() {
    describe();
    perf();
    limits();
    names();
    ptrace();
    bpf();
    surroundings();
    conclude();
    return std::move(out_);
  }

 private:
  void add(const char* name, const char* topic, Verdict verdict, std::string why, std::string command = "") {
    out_.findings.push_back({name, topic, verdict, std::move(why), std::move(command)});
  }
  std::string level() const {
    return m_.perf_event_paranoid ? strf("perf_event_paranoid is %lld", static_cast<long long>(*m_.perf_event_paranoid))
                                  : "this kernel has no perf_event_paranoid";
  }

  // Why opening an event failed: the filter, the kernel's setting, or another reason.
  std::string refusal(int errnum, int needed) const {
    if (call_ == PerfCall::kFiltered) { return "a seccomp filter blocks perf_event_open (a container?)"; }
    if (call_ == PerfCall::kNotBuilt) { return "this kernel is built without perf events"; }
    bool rights = errnum == EACCES || errnum == EPERM;
    return rights ? strf("%s, needs %d or CAP_PERFMON", level().c_str(), needed) : error_text(errnum);
  }
  std::string remedy(int errnum, int needed) const {
    bool rights = errnum == EACCES || errnum == EPERM;
    return call_ == PerfCall::kReaches && rights ? sysctl("perf_event_paranoid", std::to_string(needed)) : "";
  }

  void describe() {
    out_.title = "wick doctor: what can be recorded on this machine";
    out_.subtitle = strf("%s, Linux %s %s, %s, CPUs %s, %s", m_.host.c_str(), m_.kernel_release.c_str(), arch_name(host_arch()),
                         m_.cpu_model.empty() ? "unknown CPU" : m_.cpu_model.c_str(), format_cpu_list(m_.online_cpus).c_str(),
                         m_.user == 0 ? "as root" : strf("as user %u", m_.user).c_str());
  }

  void perf() {
    EventProbe own = probe_software_clock();
    own_ = own.opened;
    add("own_programs", "your programs", own.opened ? Verdict::kYes : Verdict::kLimited,
        own.opened ? "wick record -- ./app, wick record -p PID"
                   : refusal(own.errnum, 2) + "; programs that wick runs are sampled with " + stand_in_.name + " instead",
        own.opened ? "" : remedy(own.errnum, 2));
    explain_level();

    EventProbe kernel = probe_software_clock(true);
    add("kernel_side", "kernel", kernel.opened ? Verdict::kYes : Verdict::kNo,
        kernel.opened
            ? "kernel stacks are recorded"
            : refusal(kernel.errnum, 1) + "; only user space is sampled, and the summary says how much time that leaves out",
        kernel.opened ? "" : remedy(kernel.errnum, 1));
    if (own.opened) {
      allowed_.push_back(describe_perf_engine({}, m_));
      allowed_.back().samples_kernel = kernel.opened;
    }

    EventProbe others = probe_process(1);
    add("other_users", "other users' processes", others.opened ? Verdict::kYes : Verdict::kNo,
        others.opened                 ? "wick record -p PID works for any process"
        : call_ == PerfCall::kReaches ? "needs CAP_PERFMON, at any perf_event_paranoid"
                                      : refusal(others.errnum, 0),
        others.opened || call_ != PerfCall::kReaches ? "" : "sudo wick record -p PID");

    EventProbe system = probe_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, false, true);
    add("system_wide", "whole system (-a, -C)", system.opened ? Verdict::kYes : Verdict::kNo,
        system.opened ? "wick record -a" : refusal(system.errnum, 0), system.opened ? "" : remedy(system.errnum, 0));

    hardware();
    add("software_clock", "software clock", own.opened ? Verdict::kYes : Verdict::kNo,
        own.opened ? "cpu-clock works" : refusal(own.errnum, 2));
    tracepoints();
  }

  void explain_level() {
    if (!m_.perf_event_paranoid) {
      add("perf_event_paranoid", "perf_event_paranoid", Verdict::kNo,
          "not found: a kernel without perf events, or /proc is hidden");
      return;
    }
    int64_t value = *m_.perf_event_paranoid;
    const char* meaning = value < 0    ? "everything is allowed"
                          : value == 0 ? "your programs, the kernel and whole CPUs; no raw tracepoints"
                          : value == 1 ? "your programs, kernel included"
                          : value == 2 ? "your programs, user space only"
                                       : "nothing for ordinary users (a level added by the distribution)";
    bool passes = m_.is_perfmon_capable();
    Verdict verdict = passes || value <= 1 ? Verdict::kYes : value == 2 ? Verdict::kLimited : Verdict::kNo;
    add("perf_event_paranoid", "perf_event_paranoid", verdict,
        strf("is %lld: %s%s", static_cast<long long>(value), meaning, passes ? "; you have CAP_PERFMON, which overrides it" : ""),
        verdict == Verdict::kYes ? "" : sysctl("perf_event_paranoid", value == 2 ? "1" : "2"));
  }

  void hardware() {
    static const struct {
      uint64_t config;
      const char* name;
    } kEvents[] = {
        {PERF_COUNT_HW_CPU_CYCLES, "cycles"},
        {PERF_COUNT_HW_INSTRUCTIONS, "instructions"},
        {PERF_COUNT_HW_CACHE_REFERENCES, "cache-references"},
        {PERF_COUNT_HW_CACHE_MISSES, "cache-misses"},
        {PERF_COUNT_HW_BRANCH_INSTRUCTIONS, "branches"},
        {PERF_COUNT_HW_BRANCH_MISSES, "branch-misses"},
    };
    std::string works, fails;
    int errnum = 0;
    for (const auto& event : kEvents) {
      EventProbe probe = probe_event(PERF_TYPE_HARDWARE, event.config);
      std::string& list = probe.opened ? works : fails;
      list += (list.empty() ? "" : ", ") + std::string(event.name);
      if (!probe.opened) { errnum = probe.errnum; }
    }
    if (fails.empty()) {
      add("hardware_counters", "hardware counters", Verdict::kYes, works);
    } else if (!works.empty()) {
      add("hardware_counters", "hardware counters", Verdict::kLimited, works + " work; these do not: " + fails);
    } else if (!own_) {
      std::string there = m_.pmu_devices.empty() ? "no PMU found" : "the PMU " + m_.pmu_devices[0] + " exists";
      add("hardware_counters", "hardware counters", Verdict::kNo, refusal(errnum, 2) + "; " + there);
    } else {
      bool absent = errnum == ENOENT || errnum == EOPNOTSUPP || errnum == ENODEV;
      add("hardware_counters", "hardware counters", Verdict::kNo,
          absent ? "no PMU (usual in virtual machines); wick samples cpu-clock instead" : refusal(errnum, 2));
    }
  }

  void tracepoints() {
    int errnum = 0;
    uint64_t id = find_tracepoint("sched", "sched_switch", errnum);
    if (id == 0) {
      bool hidden = errnum == EACCES;
      bool missing = ::access("/sys/kernel/tracing/events", F_OK) != 0 && ::access("/sys/kernel/debug/tracing/events", F_OK) != 0;
      Result<std::string> kinds = read_file("/proc/filesystems", 1 << 20);
      bool built = kinds.ok() && kinds->find("tracefs") != std::string::npos;
      add("tracepoints", "tracepoints", Verdict::kNo,
          hidden    ? "only root can read tracefs"
          : !built  ? "this kernel has no tracefs"
          : missing ? "tracefs is not mounted or not readable"
                    : "sched:sched_switch does not exist",
          hidden || (missing && built)
              ? (hidden ? "sudo chmod o+rx /sys/kernel/tracing" : "sudo mount -t tracefs nodev /sys/kernel/tracing")
              : "");
      return;
    }
    EventProbe probe = probe_event(PERF_TYPE_TRACEPOINT, id, true);
    add("tracepoints", "tracepoints", probe.opened ? Verdict::kYes : Verdict::kNo,
        probe.opened ? "sched:sched_switch works" : refusal(probe.errnum, -1), probe.opened ? "" : remedy(probe.errnum, -1));
  }

  void limits() {
    if (m_.max_sample_rate_hz) {
      uint64_t rate = static_cast<uint64_t>(std::max<int64_t>(0, *m_.max_sample_rate_hz));
      bool enough = rate >= kWantedRate;
      add("sample_rate", "sampling rate", enough ? Verdict::kYes : Verdict::kLimited,
          strf("up to %s Hz (perf_event_max_sample_rate)%s", group_thousands(rate).c_str(),
               enough ? "" : "; the kernel lowers it when sampling takes too long"),
          enough ? "" : sysctl("perf_event_max_sample_rate", "100000"));
    }
    uint64_t budget = m_.ring_budget_bytes();
    uint64_t ring = own_ ? probe_ring_bytes(kWantedRingBytes) : 0;
    std::string limit =
        budget == UINT64_MAX ? "no limit" : human_bytes(budget) + " for all your recordings (perf_event_mlock_kb and ulimit -l)";
    if (!own_) {
      add("locked_memory", "locked memory", Verdict::kInfo, limit + "; not used without perf events");
    } else {
      bool good = ring >= kWantedRingBytes;
      add("locked_memory", "locked memory",
          good       ? Verdict::kYes
          : ring > 0 ? Verdict::kLimited
                     : Verdict::kNo,
          limit + (good       ? ""
                   : ring > 0 ? "; only " + human_bytes(ring) + " of ring buffer could be mapped now"
                              : "; no ring buffer could be mapped now"),
          good ? "" : sysctl("perf_event_mlock_kb", "4096"));
    }
    bool may_raise = m_.open_files_hard > m_.open_files_soft;
    bool enough = m_.open_files_hard >= kWantedFiles;
    add("open_files", "open files", enough ? Verdict::kYes : Verdict::kLimited,
        group_thousands(m_.open_files_soft) +
            (may_raise ? ", raised to " + group_thousands(m_.open_files_hard) + " if needed" : ""),
        enough ? "" : "ulimit -Hn 65536   # as root");
  }

  void names() {
    std::string setting = m_.kptr_restrict ? strf("kptr_restrict is %lld", static_cast<long long>(*m_.kptr_restrict))
                                           : "this kernel has no kptr_restrict";
    if (KernelSymbols::read().ok()) {
      add("kernel_symbols", "kernel symbols", Verdict::kYes, setting + "; /proc/kallsyms shows addresses");
    } else {
      // Ordinary users see addresses only when both settings allow it.
      bool pointers = m_.kptr_restrict.value_or(0) > 0, events = m_.perf_event_paranoid.value_or(2) > 1;
      std::string why = setting + (events ? ", " + level() : "") + ": /proc/kallsyms hides its addresses";
      std::string command = "sudo sysctl";
      if (pointers) { command += " kernel.kptr_restrict=0"; }
      if (events) { command += " kernel.perf_event_paranoid=1"; }
      add("kernel_symbols", "kernel symbols", Verdict::kNo, why, pointers || events ? command : "");
    }
  }

  void ptrace() {
    int64_t scope = m_.ptrace_scope.value_or(0);
    std::string setting =
        m_.ptrace_scope ? strf("ptrace_scope is %lld", static_cast<long long>(scope)) : "no Yama (like ptrace_scope 0)";
    bool root = m_.has(Capability::kSysPtrace);
    bool free = scope == 0 || (scope <= 2 && root);
    if (!own_) {
      add("attach", "attaching (-p)", Verdict::kNo, "without perf events, only programs that wick runs can be recorded");
    } else if (free) {
      add("attach", "attaching (-p)", Verdict::kYes,
          setting + (scope == 0 ? "" : ", which CAP_SYS_PTRACE overrides") +
              ": deep stacks of running processes can be read in full");
    } else {
      add("attach", "attaching (-p)", Verdict::kLimited,
          setting + ": recording works; very deep stacks are truncated, since wick may not stop processes that it did not start",
          sysctl("yama.ptrace_scope", "0"));
    }
    int errnum = probe_ptrace();
    if (errnum == 0) { allowed_.push_back(stand_in_); }
    add("ptrace_sampling", "ptrace sampling", errnum == 0 ? Verdict::kYes : Verdict::kNo,
        errnum == 0
            ? "programs that wick runs can be sampled " + (own_ ? "with --engine " + stand_in_.name : "without perf events")
            : "cannot stop a child process: " + error_text(errnum),
        errnum == 0 ? ""
        : scope > 2 ? ""
                    : "docker run --cap-add SYS_PTRACE ...");
  }

  void bpf() {
    int errnum = probe_bpf();
    std::string facts = m_.has_btf ? "BTF found" : "no BTF (/sys/kernel/btf/vmlinux)";
    if (m_.unprivileged_bpf_disabled) {
      facts += strf(", unprivileged_bpf_disabled is %lld", static_cast<long long>(*m_.unprivileged_bpf_disabled));
    }
    bool good = errnum == 0 && m_.has_btf;
    std::string why = errnum == 0 ? "programs can be loaded; " + facts
                                  : (errnum == EPERM || errnum == EACCES ? std::string("needs CAP_BPF and CAP_PERFMON; ")
                                                                         : error_text(errnum) + "; ") +
                                        facts;
    add("bpf", "BPF",
        good          ? Verdict::kYes
        : errnum == 0 ? Verdict::kLimited
                      : Verdict::kNo,
        why + "; wick uses it to sample threads and processes shorter than a sampling period");
  }

  void surroundings() {
    const char* modes[] = {"none", "strict", "filter"};
    std::string mode = m_.seccomp_mode >= 0 && m_.seccomp_mode <= 2 ? modes[m_.seccomp_mode] : "unknown";
    const char* effect = call_ == PerfCall::kFiltered  ? "; blocks perf_event_open"
                         : call_ == PerfCall::kReaches ? "; allows perf_event_open"
                                                       : "; no perf events in this kernel";
    add("seccomp", "seccomp", call_ == PerfCall::kFiltered ? Verdict::kNo : Verdict::kYes, "mode: " + mode + effect,
        call_ == PerfCall::kFiltered ? "docker run --security-opt seccomp=unconfined ..." : "");
    if (!m_.initial_user_namespace) {
      add("user_namespace", "user namespace", Verdict::kLimited,
          "not the initial one (a rootless container?): root here has no perf and BPF privileges");
    }
    add("debuginfod", "debuginfod", Verdict::kInfo,
        !find_debuginfod().empty()
            ? std::string("fetches missing debug files at the end of a recording (--no-fetch to skip)")
            : std::string("wick uses files that debuginfod-find has fetched, but fetches none: ") +
                  (!find_program("debuginfod-find").empty() ? "DEBUGINFOD_URLS is not set" : "debuginfod-find is not installed"));
    std::string cache = expected_cache_dir();
    std::optional<uint64_t> limit = cache_limit_of_user();
    std::string kept = limit == 0u ? "; WICK_CACHE_SIZE is 0, so nothing is kept"
                       : limit     ? ", at most " + human_bytes(*limit)
                                   : ", at most " + human_bytes(kDefaultCacheLimit) + ": WICK_CACHE_SIZE is not a size";
    add("cache", "cache directory",
        cache.empty()          ? Verdict::kNo
        : limit && *limit != 0 ? Verdict::kYes
                               : Verdict::kLimited,
        cache.empty() ? "neither $XDG_CACHE_HOME nor ~/.cache is writable: unwind tables are rebuilt each time" : cache + kept,
        limit ? "" : "export WICK_CACHE_SIZE=2G");
  }

  void conclude() {
    if (allowed_.empty()) {
      out_.conclusions.push_back("Nothing can be recorded; the lines above say why.");
      return;
    }
    const EngineInfo& best = allowed_.front();
    std::string extent = !best.attaches        ? " for programs that wick runs, with " + best.name
                         : best.samples_kernel ? ", kernel included"
                                               : ", user space only";
    out_.conclusions.push_back("Recording works" + extent + ". Try: wick record -- ./app");
  }

  const Machine& m_;
  PerfCall call_;
  bool own_ = false;
  EngineInfo stand_in_ = describe_ptrace_engine({}, m_);  // used if perf events are not available
  std::vector<EngineInfo> allowed_;                       // preferred first
  Diagnosis out_;
};

}  // namespace

Diagnosis diagnose_machine(const Machine& machine) { return Examiner(machine).run(); }

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Each finding comes from a try (an event opened, a ring mapped, a child seized); settings only explain why it went as it did.

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
#include "record/machine_probe.h"
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

  // Why an event was refused: the filter, the kernel's level, or something else.
  std::string refusal(int errnum, int needed) const {
    if (call_ == PerfCall::kFiltered) { return "perf_event_open is refused by a seccomp filter (a container?)"; }
    if (call_ == PerfCall::kNotBuilt) { return "this kernel is built without perf events"; }
    bool rights = errnum == EACCES || errnum == EPERM;
    return rights ? strf("%s, needs %d or CAP_PERFMON", level().c_str(), needed) : error_text(errnum);
  }
  std::string remedy(int errnum, int needed) const {
    bool rights = errnum == EACCES || errnum == EPERM;
    return call_ == PerfCall::kReaches && rights ? sysctl("perf_event_paranoid", std::to_string(needed)) : "";
  }

  void describe() {
    out_.title = "wick doctor: what this machine allows";
    out_.subtitle = strf("%s, Linux %s %s, %s, CPUs %s, %s", m_.host.c_str(), m_.kernel_release.c_str(), arch_name(host_arch()),
                         m_.cpu_model.empty() ? "unknown CPU" : m_.cpu_model.c_str(), format_cpu_list(m_.online_cpus).c_str(),
                         m_.user == 0 ? "as root" : strf("as user %u", m_.user).c_str());
  }

  void perf() {
    EventProbe own = probe_software_clock();
    own_ = own.opened;
    add("own_programs", "your programs", own.opened ? Verdict::kYes : Verdict::kLimited,
        own.opened ? "events open: wick record -- ./app, wick record -p PID"
                   : refusal(own.errnum, 2) + "; what wick launches is sampled by ptrace instead",
        own.opened ? "" : remedy(own.errnum, 2));
    explain_level();

    EventProbe kernel = probe_software_clock(true);
    add("kernel_side", "kernel side", kernel.opened ? Verdict::kYes : Verdict::kNo,
        kernel.opened ? "time in system calls is seen with its stacks"
                      : refusal(kernel.errnum, 1) + "; only user space is seen, and the summary tells how much was not",
        kernel.opened ? "" : remedy(kernel.errnum, 1));

    EventProbe others = probe_process(1);
    add("other_users", "other users' processes", others.opened ? Verdict::kYes : Verdict::kNo,
        others.opened                 ? "an event on process 1 opens"
        : call_ == PerfCall::kReaches ? "needs CAP_PERFMON, at any level"
                                      : refusal(others.errnum, 0),
        others.opened || call_ != PerfCall::kReaches ? "" : "sudo wick record -p PID");

    EventProbe system = probe_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, false, true);
    add("system_wide", "whole system (-a, -C)", system.opened ? Verdict::kYes : Verdict::kNo,
        system.opened ? "an event on all of a CPU opens" : refusal(system.errnum, 0),
        system.opened ? "" : remedy(system.errnum, 0));

    hardware();
    add("software_clock", "software clock", own.opened ? Verdict::kYes : Verdict::kNo,
        own.opened ? "cpu-clock opens: profiles by time on every machine" : refusal(own.errnum, 2));
    tracepoints();
  }

  void explain_level() {
    if (!m_.perf_event_paranoid) {
      add("perf_event_paranoid", "perf_event_paranoid", Verdict::kNo,
          "no such setting: a kernel without perf events, or /proc is hidden");
      return;
    }
    int64_t value = *m_.perf_event_paranoid;
    const char* meaning = value < 0    ? "everything is allowed to everybody"
                          : value == 0 ? "own programs, the kernel side and whole CPUs; no raw tracepoints"
                          : value == 1 ? "own programs and their kernel side"
                          : value == 2 ? "own programs, user side only"
                                       : "nothing for ordinary users (a distribution's own level)";
    bool passes = m_.is_perfmon_capable();
    Verdict verdict = passes || value <= 1 ? Verdict::kYes : value == 2 ? Verdict::kLimited : Verdict::kNo;
    add("perf_event_paranoid", "perf_event_paranoid", verdict,
        strf("is %lld: %s%s", static_cast<long long>(value), meaning, passes ? "; CAP_PERFMON, which you have, passes it" : ""),
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
      add("hardware_counters", "hardware counters", Verdict::kLimited, works + " work; not " + fails);
    } else if (!own_) {
      std::string there = m_.pmu_devices.empty() ? "this machine shows no PMU" : "the PMU " + m_.pmu_devices[0] + " is there";
      add("hardware_counters", "hardware counters", Verdict::kNo, refusal(errnum, 2) + "; " + there);
    } else {
      bool absent = errnum == ENOENT || errnum == EOPNOTSUPP || errnum == ENODEV;
      add("hardware_counters", "hardware counters", Verdict::kNo,
          absent ? "no PMU: this is a virtual machine without one, or its host does not pass it on; cpu-clock is used instead"
                 : refusal(errnum, 2));
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
          hidden    ? "tracefs can only be read by root"
          : !built  ? "this kernel has no tracefs"
          : missing ? "tracefs is not mounted, or not readable"
                    : "sched:sched_switch is not there",
          hidden || (missing && built)
              ? (hidden ? "sudo chmod o+rx /sys/kernel/tracing" : "sudo mount -t tracefs nodev /sys/kernel/tracing")
              : "");
      return;
    }
    EventProbe probe = probe_event(PERF_TYPE_TRACEPOINT, id, true);
    add("tracepoints", "tracepoints", probe.opened ? Verdict::kYes : Verdict::kNo,
        probe.opened ? "sched:sched_switch opens" : refusal(probe.errnum, -1), probe.opened ? "" : remedy(probe.errnum, -1));
  }

  void limits() {
    if (m_.max_sample_rate_hz) {
      uint64_t rate = static_cast<uint64_t>(std::max<int64_t>(0, *m_.max_sample_rate_hz));
      bool enough = rate >= kWantedRate;
      add("sample_rate", "sampling rate", enough ? Verdict::kYes : Verdict::kLimited,
          strf("up to %s a second (perf_event_max_sample_rate)%s", group_thousands(rate).c_str(),
               enough ? "" : "; the kernel lowers it when sampling took too long"),
          enough ? "" : sysctl("perf_event_max_sample_rate", "100000"));
    }
    uint64_t budget = m_.ring_budget_bytes();
    uint64_t ring = own_ ? probe_ring_bytes(kWantedRingBytes) : 0;
    std::string limit = budget == UINT64_MAX
                            ? "no limit"
                            : human_bytes(budget) + " for all of your recordings (perf_event_mlock_kb and ulimit -l)";
    if (!own_) {
      add("locked_memory", "locked memory", Verdict::kInfo, limit + "; rings are not used without events");
    } else {
      bool good = ring >= kWantedRingBytes;
      add("locked_memory", "locked memory",
          good       ? Verdict::kYes
          : ring > 0 ? Verdict::kLimited
                     : Verdict::kNo,
          limit + (good       ? ""
                   : ring > 0 ? "; a ring of " + human_bytes(ring) + " is all that could be mapped now"
                              : "; no ring could be mapped now"),
          good ? "" : sysctl("perf_event_mlock_kb", "4096"));
    }
    bool enough = m_.open_files_hard >= kWantedFiles;
    add("open_files", "open files", enough ? Verdict::kYes : Verdict::kLimited,
        strf("%s, raised to %s when needed", group_thousands(m_.open_files_soft).c_str(),
             group_thousands(m_.open_files_hard).c_str()),
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
    std::string setting = m_.ptrace_scope ? strf("ptrace_scope is %lld", static_cast<long long>(scope))
                                          : "no Yama in this kernel (like ptrace_scope 0)";
    bool root = m_.has(Capability::kSysPtrace);
    bool free = scope == 0 || (scope <= 2 && root);
    if (!own_) {
      add("attach", "attaching (-p)", Verdict::kNo, "without events only programs that wick launches can be recorded");
    } else if (free) {
      add("attach", "attaching (-p)", Verdict::kYes,
          setting + (scope == 0 ? "" : ", which CAP_SYS_PTRACE passes") +
              ": stacks of running processes can be finished from their memory");
    } else {
      add("attach", "attaching (-p)", Verdict::kLimited,
          setting +
              ": recording works; very deep stacks may be cut, since the memory of a process that wick did not start is closed",
          sysctl("yama.ptrace_scope", "0"));
    }
    int errnum = probe_ptrace();
    add("ptrace_sampling", "ptrace sampling", errnum == 0 ? Verdict::kYes : Verdict::kNo,
        errnum == 0 ? std::string("a child was stopped and let go: launched programs can be sampled ") +
                          (own_ ? "also without events (--engine ptrace)" : "without events")
                    : "a child of ours could not be stopped: " + error_text(errnum),
        errnum == 0 ? ""
        : scope > 2 ? ""
                    : "docker run --cap-add SYS_PTRACE ...");
  }

  void bpf() {
    int errnum = probe_bpf();
    std::string facts = m_.has_btf ? "BTF is there" : "no BTF (/sys/kernel/btf/vmlinux)";
    if (m_.unprivileged_bpf_disabled) {
      facts += strf(", unprivileged_bpf_disabled is %lld", static_cast<long long>(*m_.unprivileged_bpf_disabled));
    }
    bool good = errnum == 0 && m_.has_btf;
    std::string why = errnum == 0 ? "a small program was loaded; " + facts
                                  : (errnum == EPERM || errnum == EACCES ? std::string("needs CAP_BPF and CAP_PERFMON; ")
                                                                         : error_text(errnum) + "; ") +
                                        facts;
    add("bpf", "BPF",
        good          ? Verdict::kYes
        : errnum == 0 ? Verdict::kLimited
                      : Verdict::kNo,
        why + "; not needed by this version");
  }

  void surroundings() {
    const char* modes[] = {"none", "strict", "filter"};
    std::string mode = m_.seccomp_mode >= 0 && m_.seccomp_mode <= 2 ? modes[m_.seccomp_mode] : "unknown";
    const char* effect = call_ == PerfCall::kFiltered  ? "; perf_event_open does not get through"
                         : call_ == PerfCall::kReaches ? "; perf_event_open gets through"
                                                       : "; no perf events in this kernel";
    add("seccomp", "seccomp", call_ == PerfCall::kFiltered ? Verdict::kNo : Verdict::kYes, "mode: " + mode + effect,
        call_ == PerfCall::kFiltered ? "docker run --security-opt seccomp=unconfined ..." : "");
    if (!m_.initial_user_namespace) {
      add("user_namespace", "user namespace", Verdict::kLimited,
          "this is one of its own (a rootless container?): being root here gives no rights to perf and BPF");
    }
    add("debuginfod", "debuginfod", Verdict::kInfo,
        !find_debuginfod().empty()
            ? std::string("debug files that are not here are fetched at the end of a recording (--no-fetch: not)")
            : std::string("debug files that debuginfod-find has fetched are used; none are fetched, since ") +
                  (has_program("debuginfod-find") ? "DEBUGINFOD_URLS is not set" : "debuginfod-find is not installed"));
    std::string cache = expected_cache_dir();
    std::optional<uint64_t> limit = cache_limit_of_user();
    std::string kept = limit == 0u ? ", but WICK_CACHE_SIZE is 0: nothing is kept"
                       : limit     ? ", at most " + human_bytes(*limit)
                                   : ", at most " + human_bytes(kDefaultCacheLimit) + ": WICK_CACHE_SIZE is no size";
    add("cache", "cache folder",
        cache.empty()          ? Verdict::kNo
        : limit && *limit != 0 ? Verdict::kYes
                               : Verdict::kLimited,
        cache.empty() ? "neither $XDG_CACHE_HOME nor ~/.cache can be used: unwind tables are made anew each time" : cache + kept,
        limit ? "" : "export WICK_CACHE_SIZE=2G");
  }

  static bool has_program(const std::string& name) {
    const char* path = std::getenv("PATH");
    for (std::string_view folder : split(path ? path : "", ':')) {
      if (!folder.empty() && ::access((std::string(folder) + "/" + name).c_str(), X_OK) == 0) { return true; }
    }
    return false;
  }

  void conclude() {
    bool ptrace = false, kernel = false;
    for (const Finding& f : out_.findings) {
      if (f.name == "ptrace_sampling") { ptrace = f.verdict == Verdict::kYes; }
      if (f.name == "kernel_side") { kernel = f.verdict == Verdict::kYes; }
    }
    out_.conclusions.push_back(
        own_ ? std::string("Recording works here, ") + (kernel ? "the kernel side included." : "user space only.") +
                   " Try: wick record -- ./app"
        : ptrace ? "Recording works here for programs that wick launches, by ptrace. Try: wick record -- ./app"
                 : "Nothing can be recorded here; the lines above say what stands in the way.");
  }

  const Machine& m_;
  PerfCall call_;
  bool own_ = false;
  Diagnosis out_;
};

}  // namespace

Diagnosis diagnose_machine(const Machine& machine) { return Examiner(machine).run(); }

}  // namespace wick

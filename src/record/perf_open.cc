// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/perf_open.h"

#include <pwd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "base/text.h"
#include "capture/perf_registers.h"
#include "os/proc_tasks.h"

namespace wick {
namespace {

constexpr uint64_t kFormatLost = 1u << 4;  // PERF_FORMAT_LOST, missing in older headers

bool is_hardware(const EventSpec& spec) { return spec.type != PERF_TYPE_SOFTWARE && spec.type != PERF_TYPE_TRACEPOINT; }

bool event_works(const EventSpec& spec, bool with_kernel) {
  return probe_event(spec.type, spec.config, with_kernel, false, spec.config1, spec.config2).opened;
}

std::string user_name(uid_t uid) {
  const passwd* entry = ::getpwuid(uid);
  return entry != nullptr ? entry->pw_name : strf("user %u", uid);
}

std::string target_words(const RecordOptions& options, pid_t pid) {
  if (options.system_wide || (pid == -1 && options.cgroup.empty())) { return "the whole system"; }
  if (!options.cgroup.empty()) { return "cgroup " + options.cgroup; }
  if (!options.command.empty()) { return options.command[0]; }
  return strf("pid %d", pid);
}

std::string sudo_line(const RecordOptions& options) {
  if (!options.pids.empty()) { return strf("sudo wick record -p %d", options.pids[0]); }
  if (!options.tids.empty()) { return strf("sudo wick record -t %d", options.tids[0]); }
  if (options.system_wide) { return "sudo wick record -a"; }
  if (!options.cgroup.empty()) { return "sudo wick record --cgroup " + shell_quote(options.cgroup); }
  return "sudo wick record …";
}

}  // namespace

Result<std::vector<EventSpec>> choose_events(const std::vector<EventSpec>& asked, const Machine& machine,
                                             std::vector<std::string>& notes) {
  std::vector<EventSpec> chosen = asked.empty() ? std::vector<EventSpec>{automatic_event()} : asked;
  for (EventSpec& spec : chosen) {
    bool kernel_allowed = machine.allows_kernel();
    if (!kernel_allowed && (spec.kernel_only || spec.kernel_side)) {
      const char* why = spec.kernel_side ? "it occurs only in the kernel" : ":k selects the kernel";
      return Error("cannot sample \"%s\": %s, which perf_event_paranoid %lld hides", spec.name.c_str(), why,
                   static_cast<long long>(machine.perf_event_paranoid.value_or(2)))
          .with_code(Errc::kPermission)
          .with_hint("sudo sysctl kernel.perf_event_paranoid=" + std::string(spec.type == PERF_TYPE_TRACEPOINT ? "-1" : "1"));
    }
    if (!is_hardware(spec) || event_works(spec, kernel_allowed && !spec.user_only) || event_works(spec, false)) { continue; }
    if (!spec.automatic) {
      return Error("cannot count \"%s\": this machine has no such hardware counter", spec.name.c_str())
          .with_code(Errc::kUsage)
          .with_hint("wick record -e cpu-clock …   (or -e auto: cycles where they exist, else cpu-clock)");
    }
    EventSpec clock = default_software_event();
    clock.user_only = spec.user_only;
    clock.kernel_only = spec.kernel_only;
    spec = clock;
    notes.push_back("no hardware counters: sampling CPU time (cpu-clock)");
  }
  return chosen;
}

perf_event_attr sampling_attr(const EventSpec& spec, const RecordOptions& options, const PerfPlan& plan) {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = spec.type;
  attr.config = spec.config;
  attr.config1 = spec.config1;
  attr.config2 = spec.config2;
  if (spec.period != 0) {
    attr.sample_period = spec.period;
  } else {
    attr.freq = 1;
    attr.sample_freq = options.rate_hz;
  }
  attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
  // With PERF_SAMPLE_PERIOD the kernel samples every software event, whatever the period.
  if (spec.period <= 1) { attr.sample_type |= PERF_SAMPLE_PERIOD; }
  bool kernel = plan.with_kernel && !spec.user_only;
  bool user = !spec.kernel_only;
  bool chain_of_frame_pointers = options.unwind == UnwindMode::kFramePointers && user;
  if ((kernel && options.unwind != UnwindMode::kNone) || chain_of_frame_pointers) {
    attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
    attr.exclude_callchain_user = !chain_of_frame_pointers;
    attr.exclude_callchain_kernel = !kernel;
  }
  if (options.unwind == UnwindMode::kDwarf) {
    // Also for samples in the kernel: then these are the registers at kernel entry.
    attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
    attr.sample_regs_user = perf_register_mask(host_arch());
    attr.sample_stack_user = plan.stack_size;
  }
  attr.read_format = plan.with_lost_count ? kFormatLost : 0;
  attr.disabled = 1;
  attr.enable_on_exec = !options.command.empty() && options.start_enabled && !plan.of_cpus;
  attr.inherit = options.inherit && !plan.of_cpus;
  attr.exclude_kernel = !kernel;
  attr.exclude_user = spec.kernel_only;
  attr.exclude_hv = 1;
  attr.exclude_idle = 1;
  attr.precise_ip = spec.precise;
  attr.watermark = 1;  // without a number: wake up when a ring is half full
  attr.use_clockid = 1;
  attr.clockid = CLOCK_MONOTONIC;
  return attr;
}

perf_event_attr output_attr() {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_BPF_OUTPUT;
  attr.sample_period = 1;
  attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME | PERF_SAMPLE_RAW;
  attr.watermark = 1;
  attr.use_clockid = 1;
  attr.clockid = CLOCK_MONOTONIC;
  return attr;
}

perf_event_attr side_attr(const RecordOptions& options, bool whole_cpu) {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = whole_cpu ? PERF_COUNT_SW_DUMMY : PERF_COUNT_SW_TASK_CLOCK;
  attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER;
  attr.sample_id_all = 1;
  attr.mmap = attr.mmap2 = attr.comm = attr.comm_exec = attr.task = 1;
  attr.disabled = 1;
  attr.enable_on_exec = !options.command.empty();
  attr.inherit = options.inherit;
  attr.exclude_kernel = attr.exclude_hv = 1;
  attr.watermark = 1;
  attr.use_clockid = 1;
  attr.clockid = CLOCK_MONOTONIC;
  return attr;
}

perf_event_attr switch_attr(const RecordOptions& options) {
  perf_event_attr attr = side_attr(options, true);
  attr.mmap = attr.mmap2 = attr.comm = attr.comm_exec = attr.task = 0;
  attr.context_switch = 1;
  return attr;
}

PerfLayout layout_of(const perf_event_attr& attr) { return {attr.sample_type, attr.sample_regs_user, host_arch()}; }

Result<Fd> open_perf_event(perf_event_attr& attr, pid_t pid, int cpu, unsigned long flags) {
  long fd = ::syscall(SYS_perf_event_open, &attr, pid, cpu, -1, flags | PERF_FLAG_FD_CLOEXEC);
  if (fd < 0) { return Error::from_errno(errno, "perf_event_open"); }
  return Fd(static_cast<int>(fd));
}

Error explain_refusal(int errnum, const EventSpec& spec, const RecordOptions& options, pid_t pid, const Machine& machine) {
  std::string target = target_words(options, pid);
  long long paranoid = machine.perf_event_paranoid.value_or(2);
  switch (errnum) {
    case ESRCH: return Error("no process or thread %d", pid).with_code(Errc::kNotFound).with_hint("ps -e");
    case EMFILE:
    case ENFILE:
      return Error("cannot record %s: too many open files (limit %llu)", target.c_str(),
                   static_cast<unsigned long long>(machine.open_files_hard))
          .with_hint(
              "sudo prlimit --nofile=1048576 --pid $$   (recording needs about 2 files for each thread and CPU; -C 0,1 records "
              "fewer CPUs)");
    case EINVAL:
      return Error("the kernel rejects the event \"%s\" at %llu Hz for %s", spec.name.c_str(),
                   static_cast<unsigned long long>(options.rate_hz), target.c_str())
          .with_hint("wick record -e cpu-clock …");
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
      return Error("cannot count \"%s\" for %s: not supported on this machine", spec.name.c_str(), target.c_str())
          .with_hint("wick doctor");
    case EACCES:
    case EPERM: break;
    default: return Error::from_errno(errnum, "cannot record %s", target.c_str());
  }
  bool whole = pid == -1;
  if (whole) {
    return Error("cannot record %s: permission denied (perf_event_paranoid is %lld, needs 0 or less, or CAP_PERFMON)",
                 target.c_str(), paranoid)
        .with_code(Errc::kPermission)
        .with_hint(sudo_line(options) + "   (or: sudo sysctl kernel.perf_event_paranoid=0)");
  }
  struct stat owner{};
  bool foreign = ::stat(strf("/proc/%d", pid).c_str(), &owner) == 0 && owner.st_uid != ::geteuid();
  if (foreign) {
    return Error("cannot record pid %d: it belongs to %s", pid, user_name(owner.st_uid).c_str())
        .with_code(Errc::kPermission)
        .with_hint(sudo_line(options));
  }
  if (probe_perf_call() == PerfCall::kFiltered) {
    return Error("cannot record %s: a seccomp filter blocks perf_event_open (a container?)", target.c_str())
        .with_code(Errc::kPermission)
        .with_hint("run the container with --security-opt seccomp=unconfined, or let wick start the program: wick record -- CMD");
  }
  if (paranoid > 2) {
    return Error("cannot record %s: permission denied (perf_event_paranoid is %lld, needs 2)", target.c_str(), paranoid)
        .with_code(Errc::kPermission)
        .with_hint("sudo sysctl kernel.perf_event_paranoid=2");
  }
  return Error("cannot record %s: permission denied (the process may have changed its user, or be protected)", target.c_str())
      .with_code(Errc::kPermission)
      .with_hint(sudo_line(options));
}

}  // namespace wick

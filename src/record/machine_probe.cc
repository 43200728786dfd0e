// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/machine_probe.h"

#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/fd.h"
#include "base/text.h"

namespace wick {
namespace {

Fd open_clock(int pid) {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_CPU_CLOCK;
  attr.disabled = 1;
  attr.sample_period = 1'000'000;
  attr.sample_type = PERF_SAMPLE_IP;
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  return Fd(static_cast<int>(::syscall(SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC)));
}

}  // namespace

int probe_ptrace() {
  pid_t child = ::fork();
  if (child < 0) { return errno; }
  if (child == 0) {
    for (;;) { ::pause(); }
  }
  int error = 0, status = 0;
  if (::ptrace(PTRACE_SEIZE, child, nullptr, nullptr) != 0 || ::ptrace(PTRACE_INTERRUPT, child, nullptr, nullptr) != 0) {
    error = errno;
  } else if (::waitpid(child, &status, __WALL) != child || !WIFSTOPPED(status)) {
    error = ESRCH;
  }
  ::kill(child, SIGKILL);
  while (::waitpid(child, &status, __WALL) == child && !WIFEXITED(status) && !WIFSIGNALED(status)) {}
  return error;
}

uint64_t probe_ring_bytes(uint64_t want) {
  Fd event = open_clock(0);
  if (!event) { return 0; }
  uint64_t page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  for (uint64_t bytes = want; bytes >= page; bytes /= 2) {
    size_t size = static_cast<size_t>(page + bytes);
    void* ring = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, event.get(), 0);
    if (ring == MAP_FAILED) { continue; }
    ::munmap(ring, size);
    return bytes;
  }
  return 0;
}

int probe_bpf() {
  // r0 = 0; exit
  bpf_insn code[2] = {};
  code[0].code = BPF_ALU64 | BPF_MOV | BPF_K;
  code[1].code = BPF_JMP | BPF_EXIT;
  const char license[] = "GPL";
  bpf_attr attr;
  std::memset(&attr, 0, sizeof attr);
  attr.prog_type = BPF_PROG_TYPE_PERF_EVENT;
  attr.insns = reinterpret_cast<uint64_t>(code);
  attr.insn_cnt = 2;
  attr.license = reinterpret_cast<uint64_t>(license);
  Fd program(static_cast<int>(::syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof attr)));
  return program ? 0 : errno;
}

EventProbe probe_process(int pid) {
  Fd event = open_clock(pid);
  return event ? EventProbe{true, 0} : EventProbe{false, errno};
}

uint64_t find_tracepoint(const char* system, const char* name, int& errnum) {
  errnum = ENOENT;
  for (const char* root : {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"}) {
    Result<std::string> text = read_file(strf("%s/events/%s/%s/id", root, system, name), 4096);
    if (text.ok()) {
      if (std::optional<uint64_t> id = parse_u64(trim(*text))) {
        errnum = 0;
        return *id;
      }
    } else if (text.error().code() == Errc::kPermission) {
      errnum = EACCES;
    }
  }
  return 0;
}

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/bpf_program.h"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "record/btf.h"

namespace wick {
namespace {

constexpr ino_t kInitialPidNamespace = 0xeffffffc;  // of /proc/self/ns/pid; the kernel numbers tasks as seen from there

}  // namespace

long bpf_call(int command, bpf_attr& attr) { return ::syscall(SYS_bpf, command, &attr, sizeof attr); }

Result<Fd> create_bpf_table(bpf_map_type type, uint32_t key_size, uint32_t value_size, uint32_t entries) {
  bpf_attr attr{};
  attr.map_type = type;
  attr.key_size = key_size;
  attr.value_size = value_size;
  attr.max_entries = entries;
  Fd fd(static_cast<int>(bpf_call(BPF_MAP_CREATE, attr)));
  if (!fd) { return Error::from_errno(errno, "cannot create a BPF map"); }
  return fd;
}

Result<Fd> attach_bpf(int program, const char* tracepoint) {
  bpf_attr attr{};
  attr.raw_tracepoint.name = bpf_pointer(tracepoint);
  attr.raw_tracepoint.prog_fd = static_cast<uint32_t>(program);
  Fd fd(static_cast<int>(bpf_call(BPF_RAW_TRACEPOINT_OPEN, attr)));
  if (!fd) { return Error::from_errno(errno, "cannot attach to the tracepoint %s", tracepoint); }
  return fd;
}

Status check_bpf_task_ids() {
  struct stat space{};
  if (::stat("/proc/self/ns/pid", &space) != 0 || space.st_ino != kInitialPidNamespace) {
    return Error("process IDs in this container differ from those that BPF programs see").with_code(Errc::kPermission);
  }
  return ok_status();
}

Result<KernelTypes> KernelTypes::load() {
  // It can be mapped since Linux 6.16; reading it returns single pages, which takes milliseconds.
  constexpr char kTypes[] = "/sys/kernel/btf/vmlinux";
  KernelTypes out;
  if (Result<MappedFile> mapped = MappedFile::open(kTypes); mapped.ok()) {
    out.mapped_ = *std::move(mapped);
  } else {
    WICK_LET(out.text_, read_file(kTypes));
  }
  return out;
}

std::optional<uint32_t> KernelTypes::find_member(const char* type, const char* member) const {
  return find_btf_member(mapped_ ? mapped_->bytes() : as_bytes(text_), type, member);
}

Result<Fd> BpfProgram::load_as(bpf_prog_type type) const {
  bpf_attr attr{};
  attr.prog_type = type;
  attr.insns = bpf_pointer(code_.data());
  attr.insn_cnt = static_cast<uint32_t>(code_.size());
  attr.license = bpf_pointer("GPL");  // required by the helpers that read kernel memory
  Fd fd(static_cast<int>(bpf_call(BPF_PROG_LOAD, attr)));
  if (!fd) { return Error::from_errno(errno, "cannot load a BPF program"); }
  return fd;
}

Result<Fd> load_fork_program(int tasks, uint32_t pid_offset, int sums) {
  BpfProgram p;
  p.load(BPF_DW, BPF_REG_7, BPF_REG_1, 8);
  p.call(BPF_FUNC_get_current_pid_tgid);
  p.store(BPF_W, BPF_REG_10, -4, BPF_REG_0);
  p.call_table(tasks, -4, BPF_FUNC_map_lookup_elem);
  p.leave_if_equal(BPF_REG_0, 0);
  p.load(BPF_W, BPF_REG_8, BPF_REG_0, 0);
  p.read_member(pid_offset, 4, -4);
  p.store(BPF_W, BPF_REG_10, -8, BPF_REG_8);
  p.stack_address(BPF_REG_3, -8);
  p.mov_value(BPF_REG_4, BPF_ANY);
  p.call_table(tasks, -4, BPF_FUNC_map_update_elem);
  if (sums >= 0) {
    p.mov_value(BPF_REG_1, 0);
    p.store(BPF_W, BPF_REG_10, -4, BPF_REG_1);
    p.call_table(sums, -4, BPF_FUNC_map_lookup_elem);
    p.leave_if_equal(BPF_REG_0, 0);
    p.mov_value(BPF_REG_1, 1);
    p.add_to_memory(BPF_REG_0, 0, BPF_REG_1);
  }
  p.return_value(0);
  return p.load_as(BPF_PROG_TYPE_RAW_TRACEPOINT);
}

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/task_filter.h"

#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "base/mapped_file.h"
#include "os/bpf_code.h"
#include "record/btf.h"

namespace wick {
namespace {

constexpr uint32_t kMostTasks = 65536, kMostCpus = 4096;
constexpr ino_t kInitialPidNamespace = 0xeffffffc;  // of /proc/self/ns/pid; the kernel numbers tasks as seen from there

long bpf(int command, bpf_attr& attr) { return ::syscall(SYS_bpf, command, &attr, sizeof attr); }

uint64_t pointer(const void* p) { return reinterpret_cast<uintptr_t>(p); }

// Before Linux 5.11, creating maps counts as locked memory. It fails if the limit cannot be raised.
class RaisedLockLimit {
 public:
  RaisedLockLimit() {
    const rlimit raised{RLIM_INFINITY, RLIM_INFINITY};
    is_raised_ = ::getrlimit(RLIMIT_MEMLOCK, &before_) == 0 && ::setrlimit(RLIMIT_MEMLOCK, &raised) == 0;
  }
  RaisedLockLimit(const RaisedLockLimit&) = delete;
  RaisedLockLimit& operator=(const RaisedLockLimit&) = delete;
  ~RaisedLockLimit() {
    if (is_raised_) { ::setrlimit(RLIMIT_MEMLOCK, &before_); }
  }

 private:
  rlimit before_{};
  bool is_raised_ = false;
};

Result<Fd> create_table(bpf_map_type type, uint32_t key_size, uint32_t value_size, uint32_t entries) {
  bpf_attr attr{};
  attr.map_type = type;
  attr.key_size = key_size;
  attr.value_size = value_size;
  attr.max_entries = entries;
  Fd fd(static_cast<int>(bpf(BPF_MAP_CREATE, attr)));
  if (!fd) { return Error::from_errno(errno, "cannot create a BPF map"); }
  return fd;
}

// Assembles a program instruction by instruction. Names follow the kernel's documentation.
class Program {
 public:
  void mov(uint8_t to, uint8_t from) { add(BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0); }
  void mov_value(uint8_t to, int32_t value) { add(BPF_ALU64 | BPF_MOV | BPF_K, to, 0, 0, value); }
  void mov_low(uint8_t to, int32_t value) { add(BPF_ALU | BPF_MOV | BPF_K, to, 0, 0, value); }  // clears the upper half
  void add_value(uint8_t to, int32_t value) { add(BPF_ALU64 | BPF_ADD | BPF_K, to, 0, 0, value); }
  void load(uint8_t size, uint8_t to, uint8_t base, int16_t offset) { add(BPF_LDX | BPF_MEM | size, to, base, offset, 0); }
  void store(uint8_t size, uint8_t base, int16_t offset, uint8_t from) { add(BPF_STX | BPF_MEM | size, base, from, offset, 0); }
  void stack_address(uint8_t to, int16_t offset) {
    mov(to, BPF_REG_10);
    add_value(to, offset);
  }
  void table(uint8_t to, int fd) {
    add(BPF_LD | BPF_DW | BPF_IMM, to, BPF_PSEUDO_MAP_FD, 0, fd);
    add(0, 0, 0, 0, 0);
  }
  void call(int32_t function) { add(BPF_JMP | BPF_CALL, 0, 0, 0, function); }
  void return_value(int32_t value) {
    mov_value(BPF_REG_0, value);
    add(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
  }
  // Returns 0 from the program if the register is (not) equal to the value.
  void leave_if_equal(uint8_t reg, int32_t value) { leave(BPF_JNE, reg, value); }
  void leave_unless_equal(uint8_t reg, int32_t value) { leave(BPF_JEQ, reg, value); }
  // Reads a member of the task in R7 to the stack.
  void read_member(uint32_t offset, int32_t size, int16_t to) {
    stack_address(BPF_REG_1, to);
    mov_value(BPF_REG_2, size);
    mov(BPF_REG_3, BPF_REG_7);
    add_value(BPF_REG_3, static_cast<int32_t>(offset));
    call(BPF_FUNC_probe_read_kernel);
  }
  void call_table(int fd, int16_t key, int32_t function) {
    stack_address(BPF_REG_2, key);
    table(BPF_REG_1, fd);
    call(function);
  }
  Result<Fd> load_as(bpf_prog_type type) const {
    bpf_attr attr{};
    attr.prog_type = type;
    attr.insns = pointer(code_.data());
    attr.insn_cnt = static_cast<uint32_t>(code_.size());
    attr.license = pointer("GPL");  // required by the helpers that read kernel memory
    Fd fd(static_cast<int>(bpf(BPF_PROG_LOAD, attr)));
    if (!fd) { return Error::from_errno(errno, "cannot load a BPF program"); }
    return fd;
  }

 private:
  void add(int code, uint8_t to, uint8_t from, int16_t offset, int32_t value) {
    bpf_insn instruction{};
    instruction.code = static_cast<uint8_t>(code);
    instruction.dst_reg = to & 15;
    instruction.src_reg = from & 15;
    instruction.off = offset;
    instruction.imm = value;
    code_.push_back(instruction);
  }
  void leave(int jump_over, uint8_t reg, int32_t value) {
    add(BPF_JMP | jump_over | BPF_K, reg, 0, 2, value);
    return_value(0);
  }
  std::vector<bpf_insn> code_;
};

// Samples if the current task is in the table with this mode.
Result<Fd> load_filter(int tasks, TaskFilter::Mode mode) {
  Program p;
  p.call(BPF_FUNC_get_current_pid_tgid);
  p.store(BPF_W, BPF_REG_10, -4, BPF_REG_0);
  p.call_table(tasks, -4, BPF_FUNC_map_lookup_elem);
  p.leave_if_equal(BPF_REG_0, 0);
  p.load(BPF_W, BPF_REG_1, BPF_REG_0, 0);
  p.leave_unless_equal(BPF_REG_1, static_cast<int32_t>(mode));
  p.return_value(1);
  return p.load_as(BPF_PROG_TYPE_PERF_EVENT);
}

// sched_process_fork(parent, child), in the parent: the child gets its parent's mode.
Result<Fd> load_fork(int tasks, uint32_t pid_offset) {
  Program p;
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
  p.return_value(0);
  return p.load_as(BPF_PROG_TYPE_RAW_TRACEPOINT);
}

// sched_process_free(task): the task will not run any more.
Result<Fd> load_end(int tasks, int outputs, uint32_t pid_offset, uint32_t tgid_offset, uint32_t run_offset) {
  constexpr int32_t kEndSize = 16;  // without the time, which the record has
  Program p;
  p.mov(BPF_REG_6, BPF_REG_1);
  p.load(BPF_DW, BPF_REG_7, BPF_REG_1, 0);
  p.read_member(pid_offset, 4, -16);
  p.call_table(tasks, -16, BPF_FUNC_map_lookup_elem);
  p.leave_if_equal(BPF_REG_0, 0);
  p.read_member(tgid_offset, 4, -12);
  p.read_member(run_offset, 8, -8);
  p.mov(BPF_REG_1, BPF_REG_6);
  p.table(BPF_REG_2, outputs);
  p.mov_low(BPF_REG_3, -1);  // BPF_F_CURRENT_CPU
  p.stack_address(BPF_REG_4, -16);
  p.mov_value(BPF_REG_5, kEndSize);
  p.call(BPF_FUNC_perf_event_output);
  p.call_table(tasks, -16, BPF_FUNC_map_delete_elem);
  p.return_value(0);
  return p.load_as(BPF_PROG_TYPE_RAW_TRACEPOINT);
}

Result<Fd> attach(int program, const char* tracepoint) {
  bpf_attr attr{};
  attr.raw_tracepoint.name = pointer(tracepoint);
  attr.raw_tracepoint.prog_fd = static_cast<uint32_t>(program);
  Fd fd(static_cast<int>(bpf(BPF_RAW_TRACEPOINT_OPEN, attr)));
  if (!fd) { return Error::from_errno(errno, "cannot attach to the tracepoint %s", tracepoint); }
  return fd;
}

}  // namespace

Result<TaskFilter> TaskFilter::load() {
  struct stat space{};
  if (::stat("/proc/self/ns/pid", &space) != 0 || space.st_ino != kInitialPidNamespace) {
    return Error("process IDs in this container differ from those that BPF programs see").with_code(Errc::kPermission);
  }
  // It can be mapped since Linux 6.16; reading it returns single pages, which takes milliseconds.
  constexpr char kTypes[] = "/sys/kernel/btf/vmlinux";
  Result<MappedFile> mapped = MappedFile::open(kTypes);
  std::string btf;
  if (!mapped.ok()) { WICK_LET(btf, read_file(kTypes)); }
  Bytes types = mapped.ok() ? mapped->bytes() : as_bytes(btf);
  std::optional<uint32_t> pid = find_btf_member(types, "task_struct", "pid"),
                          tgid = find_btf_member(types, "task_struct", "tgid"),
                          entity = find_btf_member(types, "task_struct", "se"),
                          run = find_btf_member(types, "sched_entity", "sum_exec_runtime");
  if (!pid || !tgid || !entity || !run) { return Error("the kernel's type information lacks task_struct"); }
  RaisedLockLimit lock_limit;
  TaskFilter out;
  WICK_LET(out.tasks_, create_table(BPF_MAP_TYPE_HASH, 4, 4, kMostTasks));
  WICK_LET(out.outputs_, create_table(BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, 4, kMostCpus));
  WICK_LET(out.small_, load_filter(out.tasks_.get(), Mode::kSmall));
  WICK_LET(out.large_, load_filter(out.tasks_.get(), Mode::kLarge));
  WICK_LET(out.fork_program_, load_fork(out.tasks_.get(), *pid));
  WICK_LET(out.end_program_, load_end(out.tasks_.get(), out.outputs_.get(), *pid, *tgid, *entity + *run));
  WICK_LET(out.fork_link_, attach(out.fork_program_.get(), "sched_process_fork"));
  WICK_LET(out.end_link_, attach(out.end_program_.get(), "sched_process_free"));
  return out;
}

std::vector<KernelCode> TaskFilter::code() const {
  std::vector<KernelCode> out;
  for (auto [fd, name] : {std::pair{&small_, "[wick: filter]"},
                          {&large_, "[wick: filter]"},
                          {&fork_program_, "[wick: on fork]"},
                          {&end_program_, "[wick: on exit]"}}) {
    for (const CodeRange& range : find_bpf_code(fd->get())) { out.push_back({range.begin, range.end, name}); }
  }
  return out;
}

Status TaskFilter::filter(int event_fd, Mode mode) const {
  int program = mode == Mode::kLarge ? large_.get() : small_.get();
  if (::ioctl(event_fd, PERF_EVENT_IOC_SET_BPF, program) != 0) { return Error::from_errno(errno, "cannot filter an event"); }
  return ok_status();
}

Status TaskFilter::send_ends(int event_fd, uint32_t cpu) const {
  bpf_attr attr{};
  attr.map_fd = static_cast<uint32_t>(outputs_.get());
  attr.key = pointer(&cpu);
  attr.value = pointer(&event_fd);
  if (bpf(BPF_MAP_UPDATE_ELEM, attr) != 0) { return Error::from_errno(errno, "cannot use an event for output"); }
  return ok_status();
}

Status TaskFilter::follow(pid_t tid) const {
  uint32_t mode = static_cast<uint32_t>(Mode::kSmall);
  bpf_attr attr{};
  attr.map_fd = static_cast<uint32_t>(tasks_.get());
  attr.key = pointer(&tid);
  attr.value = pointer(&mode);
  attr.flags = BPF_NOEXIST;  // it may already be known through its parent
  if (bpf(BPF_MAP_UPDATE_ELEM, attr) != 0 && errno != EEXIST) { return Error::from_errno(errno, "cannot follow thread %d", tid); }
  return ok_status();
}

void TaskFilter::forget(pid_t tid) const {
  bpf_attr attr{};
  attr.map_fd = static_cast<uint32_t>(tasks_.get());
  attr.key = pointer(&tid);
  bpf(BPF_MAP_DELETE_ELEM, attr);
}

void TaskFilter::set_mode(pid_t tid, Mode mode) const {
  uint32_t value = static_cast<uint32_t>(mode);
  bpf_attr attr{};
  attr.map_fd = static_cast<uint32_t>(tasks_.get());
  attr.key = pointer(&tid);
  attr.value = pointer(&value);
  attr.flags = BPF_EXIST;  // an ended task stays out
  bpf(BPF_MAP_UPDATE_ELEM, attr);
}

}  // namespace wick

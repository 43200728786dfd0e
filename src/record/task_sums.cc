// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/task_sums.h"

#include <algorithm>
#include <cerrno>

#include "record/bpf_program.h"

namespace wick {
namespace {

constexpr uint32_t kMostTasks = 65536;
enum Sum : int16_t { kStarted, kExited, kFreed, kWait, kSums };
constexpr int16_t kNumber = 8;  // bytes
constexpr int16_t kKey = -4, kWaited = -16;  // on the stack

struct Tables {
  int tasks, exits, sums;
};

// The common part: leaves unless the task is followed. R7: the task; its number is at kKey, and how long it has waited at kWaited.
void begin(BpfProgram& p, const Tables& tables, uint32_t pid_offset, uint32_t wait_offset) {
  p.load(BPF_DW, BPF_REG_7, BPF_REG_1, 0);
  p.read_member(pid_offset, 4, kKey);
  p.call_table(tables.tasks, kKey, BPF_FUNC_map_lookup_elem);
  p.leave_if_equal(BPF_REG_0, 0);
  p.read_member(wait_offset, 8, kWaited);
}

// Adds R8 to the waiting, and 1 to another sum.
void add_to_sums(BpfProgram& p, const Tables& tables, Sum counter) {
  p.mov_value(BPF_REG_1, 0);
  p.store(BPF_W, BPF_REG_10, kKey, BPF_REG_1);
  p.call_table(tables.sums, kKey, BPF_FUNC_map_lookup_elem);
  p.leave_if_equal(BPF_REG_0, 0);
  p.add_to_memory(BPF_REG_0, kWait * kNumber, BPF_REG_8);
  p.mov_value(BPF_REG_1, 1);
  p.add_to_memory(BPF_REG_0, static_cast<int16_t>(counter * kNumber), BPF_REG_1);
  p.return_value(0);
}

// sched_process_exit(task): it runs, and may wait, a little more.
Result<Fd> load_exit(const Tables& tables, uint32_t pid_offset, uint32_t wait_offset) {
  BpfProgram p;
  begin(p, tables, pid_offset, wait_offset);
  p.stack_address(BPF_REG_3, kWaited);
  p.mov_value(BPF_REG_4, BPF_ANY);
  p.call_table(tables.exits, kKey, BPF_FUNC_map_update_elem);
  p.load(BPF_DW, BPF_REG_8, BPF_REG_10, kWaited);
  add_to_sums(p, tables, kExited);
  return p.load_as(BPF_PROG_TYPE_RAW_TRACEPOINT);
}

// sched_process_free(task): adds the rest. It may come late, when the kernel has time.
Result<Fd> load_free(const Tables& tables, uint32_t pid_offset, uint32_t wait_offset) {
  BpfProgram p;
  begin(p, tables, pid_offset, wait_offset);
  p.call_table(tables.exits, kKey, BPF_FUNC_map_lookup_elem);
  p.leave_if_equal(BPF_REG_0, 0);
  p.load(BPF_DW, BPF_REG_9, BPF_REG_0, 0);
  p.load(BPF_DW, BPF_REG_8, BPF_REG_10, kWaited);
  p.subtract(BPF_REG_8, BPF_REG_9);
  p.call_table(tables.exits, kKey, BPF_FUNC_map_delete_elem);
  p.call_table(tables.tasks, kKey, BPF_FUNC_map_delete_elem);
  add_to_sums(p, tables, kFreed);
  return p.load_as(BPF_PROG_TYPE_RAW_TRACEPOINT);
}

}  // namespace

Result<TaskSums> TaskSums::load() {
  WICK_OK(check_bpf_task_ids());
  WICK_LET(KernelTypes types, KernelTypes::load());
  std::optional<uint32_t> pid = types.find_member("task_struct", "pid"), info = types.find_member("task_struct", "sched_info"),
                          delay = types.find_member("sched_info", "run_delay");
  if (!pid || !info || !delay) { return Error("the kernel's type information lacks task_struct"); }
  uint32_t wait = *info + *delay;
  RaisedLockLimit lock_limit;
  TaskSums out;
  WICK_LET(out.tasks_, create_bpf_table(BPF_MAP_TYPE_HASH, 4, 4, kMostTasks));
  WICK_LET(out.exits_, create_bpf_table(BPF_MAP_TYPE_HASH, 4, 8, kMostTasks));
  WICK_LET(out.sums_, create_bpf_table(BPF_MAP_TYPE_ARRAY, 4, kSums * kNumber, 1));
  Tables tables{out.tasks_.get(), out.exits_.get(), out.sums_.get()};
  WICK_LET(out.fork_program_, load_fork_program(tables.tasks, *pid, tables.sums));
  WICK_LET(out.exit_program_, load_exit(tables, *pid, wait));
  WICK_LET(out.free_program_, load_free(tables, *pid, wait));
  WICK_LET(out.fork_link_, attach_bpf(out.fork_program_.get(), "sched_process_fork"));
  WICK_LET(out.exit_link_, attach_bpf(out.exit_program_.get(), "sched_process_exit"));
  WICK_LET(out.free_link_, attach_bpf(out.free_program_.get(), "sched_process_free"));
  return out;
}

Status TaskSums::follow(pid_t tid) {
  uint32_t value = 1;
  bpf_attr attr{};
  attr.map_fd = static_cast<uint32_t>(tasks_.get());
  attr.key = bpf_pointer(&tid);
  attr.value = bpf_pointer(&value);
  attr.flags = BPF_NOEXIST;  // it may already be known through its parent, and is counted there
  if (bpf_call(BPF_MAP_UPDATE_ELEM, attr) == 0) {
    ++followed_;
  } else if (errno != EEXIST) {
    return Error::from_errno(errno, "cannot follow thread %d", tid);
  }
  return ok_status();
}

TaskSums::Ended TaskSums::read() const {
  uint32_t key = 0;
  uint64_t sums[kSums] = {};
  bpf_attr attr{};
  attr.map_fd = static_cast<uint32_t>(sums_.get());
  attr.key = bpf_pointer(&key);
  attr.value = bpf_pointer(sums);
  if (bpf_call(BPF_MAP_LOOKUP_ELEM, attr) != 0) { return {}; }
  uint64_t all = followed_ + sums[kStarted];
  return {sums[kWait], all - std::min(all, sums[kExited]), sums[kExited] - std::min(sums[kExited], sums[kFreed])};
}

}  // namespace wick

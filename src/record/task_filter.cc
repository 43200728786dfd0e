// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/task_filter.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>

#include <cerrno>
#include <vector>

#include "os/bpf_code.h"
#include "record/bpf_program.h"

namespace wick {
namespace {

constexpr uint32_t kMostTasks = 65536, kMostCpus = 4096;

// Samples if the current task is in the table with this mode.
Result<Fd> load_filter(int tasks, TaskFilter::Mode mode) {
  BpfProgram p;
  p.call(BPF_FUNC_get_current_pid_tgid);
  p.store(BPF_W, BPF_REG_10, -4, BPF_REG_0);
  p.call_table(tasks, -4, BPF_FUNC_map_lookup_elem);
  p.leave_if_equal(BPF_REG_0, 0);
  p.load(BPF_W, BPF_REG_1, BPF_REG_0, 0);
  p.leave_unless_equal(BPF_REG_1, static_cast<int32_t>(mode));
  p.return_value(1);
  return p.load_as(BPF_PROG_TYPE_PERF_EVENT);
}

// sched_process_free(task): the task will not run any more.
Result<Fd> load_end(int tasks, int outputs, uint32_t pid_offset, uint32_t tgid_offset, uint32_t run_offset) {
  constexpr int32_t kEndSize = 16;  // without the time, which the record has
  BpfProgram p;
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

}  // namespace

Result<TaskFilter> TaskFilter::load() {
  WICK_OK(check_bpf_task_ids());
  WICK_LET(KernelTypes types, KernelTypes::load());
  std::optional<uint32_t> pid = types.find_member("task_struct", "pid"), tgid = types.find_member("task_struct", "tgid"),
                          entity = types.find_member("task_struct", "se"),
                          run = types.find_member("sched_entity", "sum_exec_runtime");
  if (!pid || !tgid || !entity || !run) { return Error("the kernel's type information lacks task_struct"); }
  RaisedLockLimit lock_limit;
  TaskFilter out;
  WICK_LET(out.tasks_, create_bpf_table(BPF_MAP_TYPE_HASH, 4, 4, kMostTasks));
  WICK_LET(out.outputs_, create_bpf_table(BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, 4, kMostCpus));
  WICK_LET(out.small_, load_filter(out.tasks_.get(), Mode::kSmall));
  WICK_LET(out.large_, load_filter(out.tasks_.get(), Mode::kLarge));
  WICK_LET(out.fork_program_, load_fork_program(out.tasks_.get(), *pid));
  WICK_LET(out.end_program_, load_end(out.tasks_.get(), out.outputs_.get(), *pid, *tgid, *entity + *run));
  WICK_LET(out.fork_link_, attach_bpf(out.fork_program_.get(), "sched_process_fork"));
  WICK_LET(out.end_link_, attach_bpf(out.end_program_.get(), "sched_process_free"));
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
  attr.key = bpf_pointer(&cpu);
  attr.value = bpf_pointer(&event_fd);
  if (bpf_call(BPF_MAP_UPDATE_ELEM, attr) != 0) { return Error::from_errno(errno, "cannot use an event for output"); }
  return ok_status();
}

Status TaskFilter::follow(pid_t tid) const {
  uint32_t mode = static_cast<uint32_t>(Mode::kSmall);
  bpf_attr attr{};
  attr.map_fd = static_cast<uint32_t>(tasks_.get());
  attr.key = bpf_pointer(&tid);
  attr.value = bpf_pointer(&mode);
  attr.flags = BPF_NOEXIST;  // it may already be known through its parent
  if (bpf_call(BPF_MAP_UPDATE_ELEM, attr) != 0 && errno != EEXIST) { return Error::from_errno(errno, "cannot follow thread %d", tid); }
  return ok_status();
}

void TaskFilter::forget(pid_t tid) const {
  bpf_attr attr{};
  attr.map_fd = static_cast<uint32_t>(tasks_.get());
  attr.key = bpf_pointer(&tid);
  bpf_call(BPF_MAP_DELETE_ELEM, attr);
}

void TaskFilter::set_mode(pid_t tid, Mode mode) const {
  uint32_t value = static_cast<uint32_t>(mode);
  bpf_attr attr{};
  attr.map_fd = static_cast<uint32_t>(tasks_.get());
  attr.key = bpf_pointer(&tid);
  attr.value = bpf_pointer(&value);
  attr.flags = BPF_EXIST;  // an ended task stays out
  bpf_call(BPF_MAP_UPDATE_ELEM, attr);
}

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/process_table.h"

#include <utility>

#include "record/perf_targets.h"

namespace wick {

void ProcessTable::apply(const SideEvent& event) {
  std::visit([this](const auto& e) { on(e); }, event);
}

LiveThread& ProcessTable::add_thread(uint32_t tid, std::shared_ptr<LiveProcess> process, const std::string& name,
                                     uint64_t time_ns) {
  auto fresh = std::make_unique<LiveThread>();
  fresh->tid = tid;
  fresh->process = std::move(process);
  fresh->name = name;
  fresh->start_ns = time_ns;
  ++fresh->process->threads;
  std::unique_ptr<LiveThread>& slot = threads_[tid];
  if (slot != nullptr) { ended_.push_back(std::move(slot)); }
  slot = std::move(fresh);
  return *slot;
}

LiveThread& ProcessTable::thread(uint32_t pid, uint32_t tid, uint64_t time_ns) {
  auto found = threads_.find(tid);
  if (found != threads_.end() && found->second->process->pid == pid) { return *found->second; }
  std::shared_ptr<LiveProcess>& process = processes_[pid];
  if (process == nullptr) {
    process = std::make_shared<LiveProcess>();
    process->pid = pid;
    process->start_ns = time_ns;
    process->space = std::make_shared<AddressSpace>();
  }
  return add_thread(tid, process, process->name, time_ns);
}

LiveThread& ProcessTable::sampled_thread(uint32_t pid, uint32_t tid, uint64_t time_ns) {
  if (!processes_.contains(pid) && !open_) {
    // Its beginning was not reported (side records lost, or it is new to us): ask /proc while it lives.
    for (const SideEvent& event : describe_processes({static_cast<pid_t>(pid)}, time_ns)) { apply(event); }
  }
  LiveThread& found = thread(pid, tid, time_ns);
  if (!found.row.valid()) { add_row(found); }
  if (!std::exchange(found.sampled, true)) {
    sampled_tids_.insert(tid);
    sampled_pids_.insert(pid);
  }
  return found;
}

capture::Thread ProcessTable::row_of(const LiveThread& t, uint64_t end_ns) const {
  capture::Thread row;
  row.pid = t.process->pid;
  row.tid = t.tid;
  row.parent_pid = t.process->parent_pid;
  row.process = t.process->row;
  row.name = t.name;
  row.start_ns = t.start_ns;
  row.end_ns = end_ns;
  return row;
}

void ProcessTable::add_row(LiveThread& t) {
  if (t.process->row.valid()) {
    t.row = writer_.add_thread(row_of(t));
    return;
  }
  // The process's own row comes first, that of its first thread, even when only another of its threads was sampled.
  LiveThread leader;
  leader.tid = t.process->pid;
  leader.process = t.process;
  leader.name = t.process->name;
  leader.start_ns = t.process->start_ns;
  bool is_leader = t.tid == t.process->pid;
  t.process->row = writer_.add_thread(row_of(is_leader ? t : leader));
  writer_.update_thread(t.process->row, row_of(is_leader ? t : leader));  // `process` is the row itself, known only now
  if (is_leader) {
    t.row = t.process->row;
    return;
  }
  t.row = writer_.add_thread(row_of(t));
  auto found = threads_.find(t.process->pid);
  if (found != threads_.end() && found->second->process == t.process) { found->second->row = t.process->row; }
}

void ProcessTable::end_thread(uint32_t tid, uint64_t time_ns) {
  auto found = threads_.find(tid);
  if (found == threads_.end()) { return; }
  LiveThread& t = *found->second;
  if (t.row.valid()) { writer_.update_thread(t.row, row_of(t, time_ns)); }
  if (--t.process->threads == 0) {
    auto process = processes_.find(t.process->pid);
    if (process != processes_.end() && process->second == t.process) { processes_.erase(process); }
  }
  ended_.push_back(std::move(found->second));
  threads_.erase(found);
}

// Made now if it is not there yet. The parent's too: it may have made the code without having been looked at since.
std::shared_ptr<JitFiles> ProcessTable::find_jit(LiveProcess& process) {
  if (process.jit != nullptr) { return process.jit; }
  auto parent = process.copy ? processes_.find(process.parent_pid) : processes_.end();
  bool has_parent = parent != processes_.end() && parent->second->start_ns < process.start_ns;
  process.jit =
      std::make_shared<JitFiles>(process.pid, process.start_ns, has_parent ? find_jit(*parent->second) : nullptr, life_);
  return process.jit;
}

void ProcessTable::on(const MmapEvent& e) {
  LiveThread& t = thread(e.pid, e.tid, e.time_ns);
  const LoadedModule* module = open_ ? open_(modules_, e) : modules_.load({e.pid, e.path, e.device, e.inode});
  bool is_dump = JitFiles::is_dump(e.path);
  if (!module->image) { find_jit(*t.process); }
  if (is_dump) { find_jit(*t.process)->add_dump({open_ ? 0 : e.pid, e.path, e.device, e.inode}); }
  t.process->space = t.process->space->with(Mapping{e.start, e.start + e.length, e.file_offset, module});
}

void ProcessTable::on(const MunmapEvent& e) {
  auto process = processes_.find(e.pid);
  if (process == processes_.end()) { return; }
  process->second->space = process->second->space->without(e.start, e.start + e.length);
}

void ProcessTable::on(const ForkEvent& e) {
  if (e.pid == e.parent_pid) {  // a thread
    LiveThread& parent = thread(e.pid, e.parent_tid, e.time_ns);
    add_thread(e.tid, parent.process, parent.name, e.time_ns);
    return;
  }
  auto parent = processes_.find(e.parent_pid);
  auto parent_thread = threads_.find(e.parent_tid);
  auto child = std::make_shared<LiveProcess>();
  child->pid = e.pid;
  child->parent_pid = e.parent_pid;
  child->start_ns = e.time_ns;
  child->space = parent != processes_.end() ? parent->second->space : std::make_shared<AddressSpace>();
  child->name = parent_thread != threads_.end() ? parent_thread->second->name : "";
  child->copy = parent != processes_.end();
  if (child->copy && parent->second->jit != nullptr) { find_jit(*child); }
  processes_[e.pid] = child;
  add_thread(e.tid, child, child->name, e.time_ns);
}

void ProcessTable::on(const ExitEvent& e) { end_thread(e.tid, e.time_ns); }

void ProcessTable::on(const CommEvent& e) {
  if (!e.exec) {
    LiveThread& t = thread(e.pid, e.tid, e.time_ns);
    t.name = e.name;
    if (t.tid == t.process->pid) { t.process->name = e.name; }
    if (t.row.valid()) { writer_.update_thread(t.row, row_of(t)); }
    return;
  }
  // Another program: all other threads are gone, and so is every mapping.
  uint32_t parent_pid = 0;
  auto old = processes_.find(e.pid);
  if (old != processes_.end()) {
    std::shared_ptr<LiveProcess> before = old->second;
    parent_pid = before->parent_pid;
    std::vector<uint32_t> tids;
    for (const auto& [tid, t] : threads_) {
      if (t->process == before) { tids.push_back(tid); }
    }
    for (uint32_t tid : tids) { end_thread(tid, e.time_ns); }
  }
  auto process = std::make_shared<LiveProcess>();
  process->pid = e.pid;
  process->parent_pid = parent_pid;
  process->name = e.name;
  process->start_ns = e.time_ns;
  process->space = std::make_shared<AddressSpace>();
  processes_[e.pid] = process;
  add_thread(e.tid, process, e.name, e.time_ns);
}

}  // namespace wick

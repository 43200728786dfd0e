// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/process_table.h"

#include <algorithm>
#include <utility>

namespace wick {
namespace {
constexpr uint64_t kKeepEndedNs = 2'000'000'000;
constexpr size_t kMostEnded = 100'000;
}  // namespace

void ProcessTable::apply(const SideEvent& event) {
  std::visit([this](const auto& e) { on(e); }, event);
}

ThreadLife& ProcessTable::add_thread(uint32_t tid, std::shared_ptr<ProcessLife> process, const std::string& name,
                                     uint64_t time_ns) {
  auto fresh = std::make_unique<ThreadLife>();
  fresh->tid = tid;
  fresh->process = std::move(process);
  fresh->name = name;
  fresh->start_ns = time_ns;
  ++fresh->process->threads;
  std::unique_ptr<ThreadLife>& slot = threads_[tid];
  if (slot != nullptr) { retire(std::move(slot)); }
  slot = std::move(fresh);
  return *slot;
}

ThreadLife& ProcessTable::thread(uint32_t pid, uint32_t tid, uint64_t time_ns) {
  auto found = threads_.find(tid);
  if (found != threads_.end() && found->second->process->pid == pid) { return *found->second; }
  std::shared_ptr<ProcessLife>& process = processes_[pid];
  if (process == nullptr) {
    process = std::make_shared<ProcessLife>();
    process->pid = pid;
    process->start_ns = time_ns;
    process->space = std::make_shared<AddressSpace>();
  }
  return add_thread(tid, process, process->name, time_ns);
}

ThreadLife* ProcessTable::find_ended(uint32_t pid, uint32_t tid) {
  auto ended = last_ended_.find(tid);
  return ended != last_ended_.end() && ended->second->process->pid == pid ? ended->second : nullptr;
}

ThreadLife& ProcessTable::find_sampled(uint32_t pid, uint32_t tid, uint64_t time_ns) {
  auto living = threads_.find(tid);
  bool lives = living != threads_.end() && living->second->process->pid == pid;
  // Events of CPUs may sample a thread after its reported exit.
  ThreadLife* ended = lives ? nullptr : find_ended(pid, tid);
  if (ended != nullptr) { return *ended; }
  if (!processes_.contains(pid)) {
    // Its start was not reported (side records lost, or the process is new to us).
    for (const SideEvent& event : source_.describe(pid, time_ns)) { apply(event); }
  }
  return thread(pid, tid, time_ns);
}

ThreadLife& ProcessTable::sampled_thread(uint32_t pid, uint32_t tid, uint64_t time_ns) {
  ThreadLife& found = find_sampled(pid, tid, time_ns);
  if (!found.row.valid()) { add_row(found); }
  if (!std::exchange(found.sampled, true)) {
    note_row(found);
    sampled_tids_.insert(tid);
    sampled_pids_.insert(pid);
  }
  return found;
}

capture::Thread ProcessTable::row_of(const ThreadLife& t) const {
  capture::Thread row;
  row.pid = t.process->pid;
  row.tid = t.tid;
  row.parent_pid = t.process->parent_pid;
  row.process = t.process->row;
  row.name = t.name;
  row.start_ns = t.start_ns;
  row.end_ns = t.end_ns;
  row.counted = t.counted;
  row.tail = t.tail;
  row.ready = t.ready;
  row.blocked = t.blocked;
  return row;
}

void ProcessTable::add_row(ThreadLife& t) {
  if (t.process->row.valid()) {
    t.row = writer_.add_thread(row_of(t));
    return;
  }
  // The process's row is that of its first thread and comes first, even if only another thread was sampled.
  ThreadLife leader;
  leader.tid = t.process->pid;
  leader.process = t.process;
  leader.name = t.process->name;
  leader.start_ns = t.process->start_ns;
  bool is_leader = t.tid == t.process->pid;
  t.process->row = writer_.add_thread(row_of(is_leader ? t : leader));
  writer_.update_thread(t.process->row, row_of(is_leader ? t : leader));  // `process` is this row, known only now
  if (is_leader) {
    t.row = t.process->row;
    return;
  }
  t.row = writer_.add_thread(row_of(t));
  auto found = threads_.find(t.process->pid);
  if (found != threads_.end() && found->second->process == t.process) { found->second->row = t.process->row; }
}

void ProcessTable::end_thread(uint32_t tid, uint64_t time_ns, bool execed) {
  auto found = threads_.find(tid);
  if (found == threads_.end()) { return; }
  ThreadLife& t = *found->second;
  t.end_ns = time_ns;
  t.execed = execed;
  if (t.row.valid()) { writer_.update_thread(t.row, row_of(t)); }
  note_row(t);
  if (--t.process->threads == 0) {
    auto process = processes_.find(t.process->pid);
    if (process != processes_.end() && process->second == t.process) { processes_.erase(process); }
  }
  retire(std::move(found->second));
  threads_.erase(found);
}

void ProcessTable::retire(std::unique_ptr<ThreadLife> thread) {
  last_ended_[thread->tid] = thread.get();
  ++fresh_ended_;
  ended_.push_back(std::move(thread));
}

void ProcessTable::drop_ended(uint64_t now_ns) {
  // Their last stacks are no longer needed.
  for (size_t i = ended_.size() - std::min(fresh_ended_, ended_.size()); i < ended_.size(); ++i) {
    ended_[i]->last_addresses = {};
    ended_[i]->last_stacks = {};
  }
  fresh_ended_ = 0;
  while (!ended_.empty() && (ended_.front()->end_ns + kKeepEndedNs < now_ns || ended_.size() > kMostEnded)) {
    auto last = last_ended_.find(ended_.front()->tid);
    if (last != last_ended_.end() && last->second == ended_.front().get()) { last_ended_.erase(last); }
    ended_.pop_front();
  }
}

uint32_t ProcessTable::name_number(const std::string& name) {
  return name_numbers_.try_emplace(name, static_cast<uint32_t>(name_numbers_.size())).first->second;
}

// Stores the current times of the row.
void ProcessTable::note_row(const ThreadLife& t) {
  if (!t.row.valid()) { return; }
  if (times_.size() <= t.row.value) { times_.resize(t.row.value + 1); }
  times_[t.row.value] = {name_number(t.process->name), name_number(t.name),    t.counted, t.tail, t.weight, t.samples,
                         t.end_ns != 0 && !t.execed,   t.tid == t.process->pid};
}

void ProcessTable::add_weight(ThreadLife& thread, uint64_t weight) {
  thread.weight += weight;
  ++thread.samples;
  if (times_.size() <= thread.row.value) { times_.resize(thread.row.value + 1); }
  times_[thread.row.value].sampled = thread.weight;
  times_[thread.row.value].samples = thread.samples;
}

// Thread IDs are reused: finds the thread of that time.
ThreadLife* ProcessTable::find_counted(uint32_t pid, uint32_t tid, uint64_t time_ns) {
  auto living = threads_.find(tid);
  if (living != threads_.end() && living->second->start_ns <= time_ns && living->second->process->pid == pid) {
    return living->second.get();
  }
  return find_ended(pid, tid);
}

void ProcessTable::tell_row(ThreadLife& t) {
  if (!t.row.valid()) {
    add_row(t);
  } else {
    writer_.update_thread(t.row, row_of(t));
  }
  note_row(t);
}

void ProcessTable::on(const CountEvent& e) {
  ThreadLife* t = find_counted(e.pid, e.tid, e.time_ns);
  if (t == nullptr) { return; }
  uint64_t before_exec = std::exchange(t->carried, 0);
  t->counted = t->counted.value_or(0) + e.counted - static_cast<int64_t>(before_exec);
  t->tail += e.tail;
  tell_row(*t);
}

void ProcessTable::on(const WaitCountEvent& e) {
  ThreadLife* t = find_counted(e.pid, e.tid, e.time_ns);
  if (t == nullptr) { return; }
  t->ready = t->ready.value_or(0) + e.ready_ns;
  t->blocked = t->blocked.value_or(0) + e.blocked_ns;
  tell_row(*t);
}

// Created on first use, for the parent as well: it may have generated the code before we looked.
std::shared_ptr<JitFiles> ProcessTable::find_jit(ProcessLife& process) {
  if (process.jit != nullptr) { return process.jit; }
  auto parent = process.copy ? processes_.find(process.parent_pid) : processes_.end();
  bool has_parent = parent != processes_.end() && parent->second->start_ns < process.start_ns;
  process.jit = source_.find_generated(process.pid, process.start_ns, has_parent ? find_jit(*parent->second) : nullptr);
  return process.jit;
}

void ProcessTable::on(const MmapEvent& e) {
  ThreadLife& t = thread(e.pid, e.tid, e.time_ns);
  const LoadedModule* module = source_.find_module(modules_, e);
  bool is_dump = JitFiles::is_dump(e.path);
  if (!module->image) { find_jit(*t.process); }
  if (is_dump) { find_jit(*t.process)->add_dump(source_.mapped_file(e)); }
  AddressSpace::own(t.process->space).map({e.start, e.start + e.length, e.file_offset, module});
}

void ProcessTable::on(const MunmapEvent& e) {
  auto process = processes_.find(e.pid);
  if (process == processes_.end()) { return; }
  AddressSpace::own(process->second->space).unmap(e.start, e.start + e.length);
}

void ProcessTable::on(const ForkEvent& e) {
  if (e.pid == e.parent_pid) {  // a thread
    ThreadLife& parent = thread(e.pid, e.parent_tid, e.time_ns);
    add_thread(e.tid, parent.process, parent.name, e.time_ns);
    return;
  }
  auto parent = processes_.find(e.parent_pid);
  auto parent_thread = threads_.find(e.parent_tid);
  auto child = std::make_shared<ProcessLife>();
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
    ThreadLife& t = thread(e.pid, e.tid, e.time_ns);
    t.name = e.name;
    if (t.tid == t.process->pid) { t.process->name = e.name; }
    if (t.row.valid()) { writer_.update_thread(t.row, row_of(t)); }
    note_row(t);
    return;
  }
  // An exec: all other threads and all mappings are gone.
  uint32_t parent_pid = 0;
  uint64_t carried = 0;
  auto old = processes_.find(e.pid);
  if (old != processes_.end()) {
    std::shared_ptr<ProcessLife> before = old->second;
    parent_pid = before->parent_pid;
    const ThreadLife* caller = nullptr;  // the first thread or, if that has ended, the remaining one
    for (const auto& [tid, t] : threads_) {
      if (t->process == before && (caller == nullptr || tid == e.tid)) { caller = t.get(); }
    }
    if (caller != nullptr && !caller->counted) { carried = caller->carried + caller->weight; }
    std::vector<uint32_t> tids;
    for (const auto& [tid, t] : threads_) {
      if (t->process == before) { tids.push_back(tid); }
    }
    for (uint32_t tid : tids) { end_thread(tid, e.time_ns, caller != nullptr && caller->tid == tid); }
  }
  auto process = std::make_shared<ProcessLife>();
  process->pid = e.pid;
  process->parent_pid = parent_pid;
  process->name = e.name;
  process->start_ns = e.time_ns;
  process->space = std::make_shared<AddressSpace>();
  processes_[e.pid] = process;
  add_thread(e.tid, process, e.name, e.time_ns).carried = carried;
}

}  // namespace wick

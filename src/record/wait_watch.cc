// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/wait_watch.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/clock.h"
#include "base/random.h"
#include "base/text.h"
#include "os/proc_tasks.h"
#include "record/wait_cause.h"

namespace wick {
namespace {

constexpr uint32_t kFirstCopy = 16 << 10, kLongCopy = 64 << 10, kLargestCopy = 8 << 20;
// Of each thread, the copy of a stack is kept while it waits. With more threads than this, they are smaller.
constexpr size_t kManyTasks = 1000;
constexpr uint32_t kSmallCopy = 8 << 10;
constexpr uint64_t kLongPeriods = 2;         // a look comes during such a wait
constexpr uint64_t kMostOfTheTime = 10;      // looks may take a tenth of it
constexpr uint64_t kTellNs = 1'000'000'000;  // of a wait that continues: a killed recorder loses no more
constexpr uint64_t kIdleNs = 50'000'000, kIdleFactor = 8;

std::string load_link(pid_t pid, uint64_t descriptor) {
  char target[4096];
  std::string path = strf("/proc/%d/fd/%llu", pid, static_cast<unsigned long long>(descriptor));
  ssize_t size = ::readlink(path.c_str(), target, sizeof target);
  return size > 0 ? std::string(target, static_cast<size_t>(size)) : std::string();
}

// What is mapped from there on; a stack ends before that.
size_t read_memory(pid_t tid, uint64_t address, std::span<uint8_t> out) {
  iovec local{out.data(), out.size()}, remote{reinterpret_cast<void*>(address), out.size()};
  ssize_t size = ::process_vm_readv(tid, &local, 1, &remote, 1, 0);
  return size > 0 ? static_cast<size_t>(size) : 0;
}

bool is_kernel_thread(pid_t pid) {
  constexpr pid_t kKthreadd = 2;
  std::optional<TaskStat> stat = load_task_stat(pid, pid);
  return pid == kKthreadd || (stat && stat->parent_pid == kKthreadd);
}

}  // namespace

LookResult take_look(pid_t pid, pid_t tid, size_t most_bytes, Fd& call_file, WaitLook& look) {
  if (!call_file) { call_file = open_task_call(pid, tid); }
  if (!call_file) { return errno == EMFILE || errno == ENFILE ? LookResult::kRuns : LookResult::kForbidden; }
  static thread_local std::vector<uint8_t> buffer;  // what it costs to make room is not part of the look
  if (buffer.size() < most_bytes) { buffer.resize(most_bytes); }
  look.begin_ns = now_ns();
  std::optional<TaskCall> call = read_task_call(call_file);
  if (!call) { return LookResult::kRuns; }
  if (call->pc == 0) { return is_kernel_thread(pid) ? LookResult::kKernelThread : LookResult::kRuns; }
  size_t size = read_memory(tid, call->sp, std::span(buffer).first(most_bytes));
  char state = 'S';
  if (depends_on_state(*call)) {
    if (std::optional<TaskStat> stat = load_task_stat(pid, tid)) { state = stat->state; }
  }
  look.end_ns = now_ns();
  look.call = *call;
  look.stack.assign(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(size));
  look.cause = find_wait_cause(*call, state, [&](uint64_t descriptor) { return load_link(pid, descriptor); });
  return LookResult::kSeen;
}

WaitWatch::WaitWatch(Options options, TakeLook take_look)
    : options_(options), take_look_(std::move(take_look)), random_(static_cast<uint32_t>(random_seed())) {}

void WaitWatch::add_due(Task& task, uint32_t tid) {
  if (!std::exchange(task.is_due, true)) { due_.push_back(tid); }
}

WaitWatch::Task& WaitWatch::task(uint32_t pid, uint32_t tid, uint64_t time_ns) {
  auto [found, is_new] = tasks_.try_emplace(tid);
  if (is_new) {
    found->second.pid = pid;
    found->second.since_ns = found->second.told_ns = time_ns;
    found->second.copy_bytes = kFirstCopy;
  }
  return found->second;
}

void WaitWatch::begin(uint32_t pid, uint32_t tid, uint64_t time_ns) {
  Task& known = task(pid, tid, time_ns);
  add_due(known, tid);
}

// A new task waits for its first turn, which a switch may have reported already.
void WaitWatch::on_fork(const ForkEvent& fork) {
  auto found = tasks_.find(fork.tid);
  if (found != tasks_.end() && found->second.since_ns < fork.time_ns) {  // the ID is used again
    tasks_.erase(found);
    found = tasks_.end();
  }
  if (found == tasks_.end()) { task(fork.pid, fork.tid, fork.time_ns).state = State::kReady; }
}

void WaitWatch::leave(Task& left, uint32_t tid, uint64_t time_ns) {
  left.since_ns = left.told_ns = time_ns;
  left.look.reset();
  if (left.state == State::kBlocked) { add_due(left, tid); }
}

void WaitWatch::on_switch(const PerfSwitch& change) {
  last_change_ns_ = change.time_ns;
  bool is_known = tasks_.contains(change.tid);
  Task& switched = task(change.pid, change.tid, change.time_ns);
  if (change.time_ns < switched.since_ns) { return; }
  if (change.out) {
    switched.state = change.preempted ? State::kReady : State::kBlocked;
    leave(switched, change.tid, change.time_ns);
    return;
  }
  uint64_t waited_ns = change.time_ns - switched.since_ns;
  if (switched.state == State::kReady) {
    switched.ready_ns += waited_ns;
  } else if (switched.state == State::kBlocked || (switched.state == State::kUnknown && is_known)) {
    end_wait(switched, change.tid, change.time_ns);
  }
  switched.state = State::kRunning;
  switched.since_ns = switched.told_ns = change.time_ns;
}

void WaitWatch::end_wait(Task& waited, uint32_t tid, uint64_t time_ns) {
  if (waited.is_kernel) { return; }
  uint64_t length_ns = time_ns - waited.told_ns;
  waited.blocked_ns += length_ns;
  bool is_long = time_ns - waited.since_ns >= kLongPeriods * options_.period_ns;
  bool is_chosen = waited.look && waited.look->begin_ns >= waited.since_ns && waited.look->begin_ns <= time_ns;
  bool is_proved = is_chosen && waited.look->end_ns <= time_ns;
  if (!is_proved) { waited.look.reset(); }
  if (is_chosen && !is_proved) { ++missed_; }
  if (is_long) {
    tell(waited, tid, time_ns, length_ns, true);
  } else {
    waited.owed_ns += length_ns;
    if (is_chosen) { tell(waited, tid, time_ns, std::exchange(waited.owed_ns, 0), true); }
  }
  waited.look.reset();
}

void WaitWatch::tell(Task& waited, uint32_t tid, uint64_t time_ns, uint64_t weight_ns, bool has_ended) {
  if (weight_ns == 0) { return; }
  Owned& out = ready_samples_.emplace_back();
  RawSample& sample = out.sample;
  sample.time_ns = time_ns;
  sample.pid = waited.pid;
  sample.tid = tid;
  sample.event = options_.blocked_event;
  sample.weight = weight_ns;
  sample.wait_ns = time_ns - waited.since_ns;
  sample.wait_has_ended = has_ended;
  if (waited.look && waited.look->call.pc != 0) {
    const RegisterNumbers numbers = register_numbers(host_arch());
    sample.ip = waited.look->call.pc;
    sample.user.set(numbers.pc, waited.look->call.pc);
    sample.user.set(numbers.sp, waited.look->call.sp);
    out.cause = waited.look->cause;
    if (has_ended) {
      out.stack = std::move(waited.look->stack);
    } else {
      out.stack = waited.look->stack;
    }
  }
  waited.told_ns = time_ns;
}

// Two separate totals in the units of the events; the ready time has no samples.
void WaitWatch::tell_counts(Task& told, uint32_t tid, uint64_t time_ns) {
  bool has_any = told.ready_ns != 0 || told.blocked_ns != 0;
  if (told.is_kernel || told.is_uncounted || !has_any) { return; }
  counts_.emplace_back(
      WaitCountEvent{time_ns, told.pid, tid, std::exchange(told.ready_ns, 0), std::exchange(told.blocked_ns, 0)});
}

void WaitWatch::on_exec(uint32_t pid, uint32_t tid, uint64_t time_ns) {
  Task& caller = task(pid, tid, time_ns);
  tell_counts(caller, tid, time_ns - 1);  // of the program before
  caller.state = State::kRunning;
  caller.since_ns = caller.told_ns = time_ns;
  caller.look.reset();
  caller.call_file.reset();
  caller.owed_ns = 0;
}

void WaitWatch::on_exit(const ExitEvent& exit) {
  auto found = tasks_.find(exit.tid);
  if (found == tasks_.end() || found->second.pid != exit.pid) { return; }
  tell_counts(found->second, exit.tid, exit.time_ns);
  tasks_.erase(found);
}

// Where every thread is now is unknown: the time until its next switch belongs to nothing, and what is known of it is not all.
void WaitWatch::on_lost() {
  for (auto& [tid, task] : tasks_) {
    task.state = State::kRunning;
    task.is_uncounted = true;
    task.look.reset();
  }
}

void WaitWatch::look_at(Task& looked, uint32_t tid) {
  bool is_long = now_ns() >= looked.since_ns + options_.period_ns;
  uint32_t most_bytes = is_long ? std::max(looked.copy_bytes, kLongCopy) : looked.copy_bytes;
  if (tasks_.size() > kManyTasks) { most_bytes = std::min(most_bytes, kSmallCopy); }
  WaitLook look;
  LookResult result = take_look_(static_cast<pid_t>(looked.pid), static_cast<pid_t>(tid), most_bytes, looked.call_file, look);
  looked.is_forbidden = result == LookResult::kForbidden;
  looked.is_kernel = result == LookResult::kKernelThread;
  if (result != LookResult::kSeen) { return; }
  looked.look = std::move(look);
  ++looks_;
}

// Those that have waited for long first; then others, in random order, as long as there is time.
void WaitWatch::look() {
  uint64_t begin = now_ns(), until = begin + options_.period_ns / kMostOfTheTime;
  std::vector<uint32_t> due = std::exchange(due_, {});
  std::shuffle(due.begin(), due.end(), random_);
  std::partition(due.begin(), due.end(), [&](uint32_t tid) {
    auto found = tasks_.find(tid);
    return found != tasks_.end() && found->second.since_ns + options_.period_ns <= begin;
  });
  for (uint32_t tid : due) {
    auto found = tasks_.find(tid);
    if (found == tasks_.end()) { continue; }
    Task& looked = found->second;
    bool waits = looked.state == State::kBlocked || looked.state == State::kUnknown;
    if (!waits || looked.is_forbidden || looked.is_kernel) {
      looked.is_due = false;
    } else if (now_ns() >= until) {
      due_.push_back(tid);  // next time
    } else {
      looked.is_due = false;
      look_at(looked, tid);
    }
  }
  plan_next(begin);
}

// At random, so that no program is in step with it.
void WaitWatch::plan_next(uint64_t now) {
  uint64_t period = options_.period_ns;
  if (now - std::min(now, last_change_ns_) > kIdleNs && due_.empty()) { period *= kIdleFactor; }
  next_look_ns_ = now + period / 2 + random_() % (period + 1);
}

void WaitWatch::take(uint64_t upto_ns, std::vector<RawSample>& samples, std::vector<SideEvent>& counts) {
  if (upto_ns >= next_long_ns_) {
    next_long_ns_ = upto_ns + kTellNs;
    for (auto& [tid, waiting] : tasks_) {
      bool is_seen = waiting.state == State::kBlocked && waiting.look && waiting.look->begin_ns >= waiting.since_ns &&
                     waiting.look->end_ns <= upto_ns;
      if (!is_seen || upto_ns - waiting.told_ns < kTellNs) { continue; }
      waiting.blocked_ns += upto_ns - waiting.told_ns;
      tell(waiting, tid, upto_ns, upto_ns - waiting.told_ns, false);
    }
  }
  auto later = std::stable_partition(ready_samples_.begin(), ready_samples_.end(),
                                     [&](const Owned& owned) { return owned.sample.time_ns <= upto_ns; });
  taken_.assign(std::make_move_iterator(ready_samples_.begin()), std::make_move_iterator(later));
  ready_samples_.erase(ready_samples_.begin(), later);
  for (Owned& owned : taken_) {
    owned.sample.stack = owned.stack;
    owned.sample.wait = &owned.cause;
    samples.push_back(owned.sample);
  }
  std::move(counts_.begin(), counts_.end(), std::back_inserter(counts));
  counts_.clear();
}

void WaitWatch::on_unwound(const RawSample& sample) {
  auto found = tasks_.find(sample.tid);
  if (found == tasks_.end() || !sample.needs_more || sample.stack.size() < found->second.copy_bytes) { return; }
  found->second.copy_bytes = std::min(found->second.copy_bytes * 4, kLargestCopy);
  found->second.look.reset();
  if (found->second.state == State::kBlocked) { add_due(found->second, sample.tid); }
}

void WaitWatch::finish(uint64_t time_ns) {
  for (auto& [tid, task] : tasks_) {
    bool waits = task.state == State::kBlocked || (task.state == State::kUnknown && task.look);
    if (waits) { end_wait(task, tid, time_ns); }
    if (task.state == State::kReady) { task.ready_ns += time_ns - task.since_ns; }
    // No switch at all: it has been running or waiting since before the recording.
    if (task.state == State::kUnknown && !waits && (task.is_due || task.is_forbidden)) { task.is_uncounted = true; }
    task.state = State::kUnknown;
    tell_counts(task, tid, time_ns);
  }
}

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Samples threads by stopping them briefly (ptrace), reading their complete stack while they are stopped, and resuming them. Used
// for all threads if perf_event_open is denied, and otherwise for threads whose stacks are deeper than any copy.
//
// Each tick interrupts all running threads at once (PTRACE_INTERRUPT); each is sampled when its stop arrives and resumed at once,
// so none waits for another. Sleeping threads are left alone: a stop would end some system calls with EINTR (epoll_wait,
// sigtimedwait) and show where the thread waits instead of where it spends its time. For the same reason, a thread that turns out
// to have had no CPU when interrupted is not sampled if possible: threads lose their CPU in system calls more often than
// elsewhere. ptrace_credit.h determines the CPU time that a look represents.
//
// Rejected: copying the stack and walking it later. Only walking shows how much to copy, and a stack may continue elsewhere (a
// handler on an alternate stack).

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "base/cpu.h"
#include "capture/raw.h"
#include "record/options.h"
#include "record/ptrace_credit.h"
#include "record/ptrace_probe.h"
#include "record/ptrace_registers.h"
#include "record/thread_memory.h"

namespace wick {

struct StoppableThread {
  enum class State {
    kNew,  // attached by the kernel; its first stop has not been seen
    kRunning,
    kListening,  // group-stopped by SIGSTOP and the like: waits for SIGCONT
    kEnded,      // the first thread of a process, until all others have ended
  };

  StoppableThread(pid_t process_id, pid_t thread_id, TaskProbe task_probe, uint64_t period_ns)
      : pid(process_id), tid(thread_id), probe(std::move(task_probe)), credit(period_ns) {}

  pid_t pid, tid;
  State state = State::kNew;
  bool interrupted = false;  // interrupted in order to sample it
  bool was_missed = false;   // it ran when interrupted, and slept before it stopped
  uint64_t interrupted_ns = 0;
  TaskProbe probe;
  SampleCredit credit;
  RunTime asked;                                  // when last queried or stopped
  uint64_t stops = 0, stops_seen = 0;             // each stop gives up the CPU once
  std::optional<uint64_t> given_up_seen = 0;      // traced since its creation; nullopt: unknown
  uint64_t not_before_ns = 0, left_alone_ns = 0;  // a deep stack takes long to read, so it is sampled less often

  unsigned quiet_checks = 0;  // consecutive queries without having run
  bool is_active = false;     // which list it is in, and where
  size_t place = 0;
};

// A tick queries every recently active thread, and only some of the others in turn: hundreds of sleeping threads cost no more
// than a few.
class WatchList {
 public:
  static constexpr size_t kActivePerTick = 64, kIdlePerTick = 16;
  static constexpr unsigned kChecksUntilIdle = 64;

  void add(StoppableThread& thread);
  void remove(StoppableThread& thread);
  // Moves a thread to the right list after it was queried.
  void settle(StoppableThread& thread);
  void pick(std::vector<StoppableThread*>& out);
  size_t active() const { return active_.size(); }

 private:
  static void take(std::vector<StoppableThread*>& list, size_t& cursor, size_t most, std::vector<StoppableThread*>& out);
  static void insert(std::vector<StoppableThread*>& list, StoppableThread& thread);
  static void erase(std::vector<StoppableThread*>& list, StoppableThread& thread);

  std::vector<StoppableThread*> active_, idle_;
  size_t next_active_ = 0, next_idle_ = 0;
};

std::optional<StoppedRegisters> read_stopped_registers(pid_t tid);  // nullopt if it was killed
uint64_t rest_after(uint64_t look_ns);  // how long a thread is left alone after a look that took so much CPU time

// Periods of CPU time that are many for one sample: what the thread did in most of them is not known.
constexpr uint64_t kCoarsePeriods = 4;

class StopSampler {
 public:
  explicit StopSampler(uint64_t rate_hz);

  void watch(StoppableThread& thread) { watch_.add(thread); }
  void forget(StoppableThread& thread) { watch_.remove(thread); }

  void enable(uint64_t now_ns);
  void disable();
  bool is_enabled() const { return enabled_; }
  uint64_t period_ns() const { return period_ns_; }
  uint64_t next_tick_ns() const { return next_tick_ns_; }

  // Interrupts the running threads. `woke_ns`: when the caller woke up. Returns the threads that vanished.
  const std::vector<StoppableThread*>& tick(uint64_t now_ns, uint64_t woke_ns);

  // An interrupted thread has stopped. Returns its sample, if it is to be taken, without its time; it must be passed on before
  // the thread resumes. The sample's `memory` is the thread's until the next call. Its weight is the CPU time that the look
  // represents, which may be zero. `go_on` resumes the thread: called as soon as its stack was walked, or by finish().
  // `check_code`: for use when side events do not report all mappings.
  std::optional<RawSample> look(StoppableThread& thread, UnwindMode unwind, std::function<void()> go_on,
                                StoppedMemory::CheckCode check_code = {});
  // Whether the last sample was taken in a system call.
  bool in_system_call() const { return in_system_call_; }
  // Call after passing the sample on or dropping it.
  void finish() { memory_.finish(); }

  // Whether the thread gave up its CPU voluntarily since the last call, other than to stop for us.
  static bool has_slept(StoppableThread& thread);

  // Counts the CPU time of a stopped or ended thread. A stopped thread that resumes is not interrupted until it has run.
  void count(StoppableThread& thread);

  uint64_t cpu_ns() const { return cpu_ns_; }          // counted CPU time
  uint64_t late_ns() const { return late_ns_; }        // of that, too long before a look for it to represent
  uint64_t coarse() const { return coarse_; }          // samples that represent kCoarsePeriods or more
  uint64_t on_time_ns() const { return on_time_ns_; }  // elapsed before ticks that came on time

 private:
  struct Standing {
    bool kept_cpu = true, put_off_by_us = false;
  };
  void ask(StoppableThread& thread, uint64_t now_ns);
  static void notice_end(StoppableThread& thread, uint64_t now_ns);
  void schedule_tick(uint64_t now_ns);
  Standing count_standing(StoppableThread& thread);
  void add_time(StoppableThread& thread, const RunTime& time);
  void follow_frame_pointers(const Registers& registers);

  uint64_t period_ns_ = 0, tick_ns_ = 0;
  bool enabled_ = false;
  WatchList watch_;
  std::vector<StoppableThread*> asked_, vanished_;
  uint64_t next_tick_ns_ = UINT64_MAX;
  std::minstd_rand random_;
  uint64_t tick_woke_ns_ = 0;
  bool tick_is_late_ = false, in_system_call_ = false;
  uint64_t tick_length_ns_ = 0, on_time_ns_ = 0;
  unsigned idle_ticks_ = 0;
  StoppedMemory memory_;
  std::vector<uint8_t> stack_;
  std::vector<uint64_t> chain_;
  uint64_t cpu_ns_ = 0, late_ns_ = 0, coarse_ = 0;
};

}  // namespace wick

// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where threads wait, for any user. Records of context switches tell when each thread left a CPU, why (preempted or not), and
// when it was back: its times are exact. The records have no stacks. But a thread that waits does not move: its registers are in
// /proc/PID/task/TID/syscall and its stack can be read at leisure. So from time to time this looks at threads that wait, and a
// look belongs to a wait if no switch record lies between them: then the stack is exact, for however long the thread waits.
//
// Waits of two periods or more are all looked at, once, and count with their length. Of shorter ones, a look meets each kind in
// proportion to its time, and counts with the time of all short waits of this thread since the last look. A look that ends after
// its wait proves nothing: that time has no stack, and is counted.
//
// One kind of short wait is met too rarely: a sleep. If the timer for a look interrupts a CPU up to 50 us before a sleeping
// thread is due there (timer slack), the kernel ends the sleep at once, so looks never meet the ends of sleeps. Next to sleeps of
// 0.3 ms, those of 0.1 ms had 20 to 27% of the time instead of 31%. Rejected: choosing the wait at the planned moment instead of
// that at the look (half of these had ended before the look), and staying awake until a moment without a timer (this keeps the
// threads of the same CPU from running, and the error was larger).
//
// Rejected: stopping the thread (it interrupts some system calls, and changes who gets a lock), taking a stack of another wait in
// the same place (its callers may differ), and reading the registers that /proc does not show from memory below the stack.

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <unordered_map>
#include <vector>

#include "base/fd.h"
#include "capture/perf_records.h"
#include "capture/raw.h"
#include "os/task_call.h"

namespace wick {

// What a look has found, and when it began and ended.
struct WaitLook {
  uint64_t begin_ns = 0, end_ns = 0;
  TaskCall call;
  capture::WaitCause cause;
  std::vector<uint8_t> stack;
};
enum class LookResult : uint8_t { kSeen, kRuns, kForbidden, kKernelThread };
// Looks at a thread and at most so much of its stack. `call_file` is kept for the next look at it.
using TakeLook = std::function<LookResult(pid_t pid, pid_t tid, size_t most_bytes, Fd& call_file, WaitLook& look)>;
LookResult take_look(pid_t pid, pid_t tid, size_t most_bytes, Fd& call_file, WaitLook& look);

class WaitWatch {
 public:
  struct Options {
    uint64_t period_ns = 0;
    uint32_t blocked_event = 0;  // of the samples
  };
  explicit WaitWatch(Options options, TakeLook take_look = wick::take_look);

  // In the order of time, all of a round before look() and take().
  void begin(uint32_t pid, uint32_t tid, uint64_t time_ns);  // existed before
  void on_fork(const ForkEvent& fork);
  void on_switch(const PerfSwitch& change);
  void on_exec(uint32_t pid, uint32_t tid, uint64_t time_ns);
  void on_exit(const ExitEvent& exit);
  void on_lost();  // switches were lost

  // Looks at threads that wait, for a limited time.
  void look();
  uint64_t next_look_ns() const { return next_look_ns_; }

  // Appends the samples known since the last call, up to that time; they refer to this object's memory until the next call. Long
  // waits that continue are reported up to that time.
  void take(uint64_t upto_ns, std::vector<RawSample>& samples, std::vector<SideEvent>& counts);
  // After a sample was unwound: whether its stack needs a larger copy.
  void on_unwound(const RawSample& sample);
  // The recording ends then; take() has the rest.
  void finish(uint64_t time_ns);

  uint64_t looks() const { return looks_; }
  uint64_t missed() const { return missed_; }  // waits that ended before they had been read

 private:
  enum class State : uint8_t { kUnknown, kRunning, kReady, kBlocked };
  struct Task {
    uint32_t pid = 0;
    State state = State::kUnknown;
    bool is_due = false;                    // in due_
    bool is_kernel = false;                 // a thread of the kernel, which waits for work most of its life: left out
    bool is_forbidden = false;              // may not be looked at
    bool is_uncounted = false;              // it is not known what it did at some time
    uint64_t since_ns = 0;                  // in this state
    uint64_t told_ns = 0;                   // the wait up to then is in samples
    uint64_t ready_ns = 0, blocked_ns = 0;  // not reported yet
    uint64_t owed_ns = 0;                   // of short waits, not in samples yet
    uint32_t copy_bytes = 0;
    Fd call_file;
    std::optional<WaitLook> look;
  };
  struct Owned {
    RawSample sample;
    capture::WaitCause cause;
    std::vector<uint8_t> stack;
  };

  Task& task(uint32_t pid, uint32_t tid, uint64_t time_ns);
  void leave(Task& task, uint32_t tid, uint64_t time_ns);
  void end_wait(Task& task, uint32_t tid, uint64_t time_ns);
  void tell(Task& task, uint32_t tid, uint64_t time_ns, uint64_t weight_ns, bool has_ended);
  void tell_counts(Task& task, uint32_t tid, uint64_t time_ns);
  void look_at(Task& task, uint32_t tid);
  void add_due(Task& task, uint32_t tid);
  void plan_next(uint64_t now_ns);

  Options options_;
  TakeLook take_look_;
  std::unordered_map<uint32_t, Task> tasks_;
  std::vector<uint32_t> due_;
  std::vector<Owned> ready_samples_, taken_;
  std::vector<SideEvent> counts_;
  std::minstd_rand random_;
  uint64_t next_look_ns_ = 0, last_change_ns_ = 0, next_long_ns_ = 0;
  uint64_t looks_ = 0, missed_ = 0;
};

}  // namespace wick

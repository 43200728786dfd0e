// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Threads whose stacks no copy can hold: deeper than 64 kB, beyond a frame of 120 kB, or with a handler on its own stack. Such a
// thread is traced and gets a clock of its own that stops it at each sample (stop_clock.h); its stack is read while it is
// stopped. These samples replace those of the other events, all of them, since the clocks differ.
//
// If a thread cannot have such a clock (it blocks the signals), ptrace stops it at each tick. Its events then sample one moment
// and the tick another, and using the stack of one for the other would move time from deep phases to shallow ones: so a look has
// the weight of the samples that the thread's events produced shortly before it.
//
// Only these threads are stopped, and only while they run. A thread whose stacks have become shallow is released.

#include <sys/types.h>

#include <functional>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "base/fd.h"
#include "record/stop_clock.h"
#include "record/stop_sampler.h"

namespace wick {

class DeepThreads {
 public:
  using StartClock = std::function<std::unique_ptr<StopClock>(pid_t pid, pid_t tid)>;
  // The events copy stacks up to `enough_bytes`. `child`: a process whose end is left for its parent to collect; -1: none.
  DeepThreads(uint64_t rate_hz, uint64_t enough_bytes, pid_t child, StartClock start_clock);
  ~DeepThreads();

  // False if it may not be stopped (or has ended).
  bool add(pid_t pid, pid_t tid);
  bool holds(uint32_t tid) const { return threads_.contains(static_cast<pid_t>(tid)); }
  bool empty() const { return threads_.empty(); }
  size_t refused() const { return refused_.size(); }  // processes that may not be stopped

  // A sample of a held thread. Its clock's samples replace it, or else the next look, unless the thread ends first or the look
  // comes too late. False if it is too late already: wick itself had no CPU, or the thread slept. The sample then represents
  // itself, although it may be truncated.
  bool replace(const RawSample& sample);

  int fd() const { return sigchld_fd_.get(); }  // readable: a thread has stopped
  uint64_t next_tick_ns() const { return threads_.empty() ? UINT64_MAX : std::min(sampler_.next_tick_ns(), next_check_ns_); }

  // The process runs another program from that time on: pending samples of its threads belong to the old one.
  void on_exec(uint32_t pid, uint64_t time_ns);

  using HandOver = std::function<void(RawSample& sample)>;
  // Samples the stopped threads and resumes them. Calls `catch_up`, which processes everything until then, before it determines
  // the weight of a look.
  void answer_stops(const std::function<void()>& catch_up, const HandOver& hand_over);
  // Interrupts the running threads.
  void tick(uint64_t now_ns, uint64_t woke_ns);
  void release_all();
  // Samples that no look replaced in time: the last of each thread's, with the weight of all. To be used before anything that
  // happened later.
  void take_unexamined(const HandOver& hand_over);

  uint64_t unreplaced() const { return unreplaced_; }  // samples that replace() took and that represent themselves after all
  uint64_t looks() const { return looks_; }
  uint64_t in_kernel() const { return in_kernel_; }  // in system calls, whose kernel functions are unknown
  uint64_t coarse() const { return coarse_; }        // looks in place of kCoarsePeriods samples or more
  uint64_t late() const { return late_; }            // samples that were given up, since no look came in time

 private:
  // Its spans point to its own memory.
  struct OwnedSample {
    RawSample sample;
    std::vector<uint8_t> stack;
    std::vector<uint64_t> kernel_chain;
  };
  struct Held : StoppableThread {
    using StoppableThread::StoppableThread;
    uint64_t pending = 0;  // weight of the samples since the last look
    uint64_t pending_samples = 0;
    uint64_t first_ns = 0;       // when the first sample since the last look was taken; 0: none
    OwnedSample last;            // the last of them
    uint64_t exec_ns = 0;        // earlier samples belong to another program
    unsigned useless_stops = 0;  // in a row: a copy would have sufficed, or even the memory did not

    std::unique_ptr<StopClock> clock;
    bool by_ticks = false;    // without a clock, or it is off; then a signal of it may still arrive
    uint64_t stopped_ns = 0;  // when the clock last stopped it
    uint64_t usual_wait_ns = 0;
    unsigned since_stop = 0;  // samples of other events since then
  };

  void answer(Held& held, int status, const std::function<void()>& catch_up, const HandOver& hand_over);
  void read_stack(Held& held, std::function<void()> go_on, const std::function<void()>& catch_up, const HandOver& hand_over);
  void judge_depth(Held& held, const RawSample& sample);
  void watch_by_ticks(Held& held);
  void keep(const RawSample& sample, OwnedSample& out);
  void give_up(Held& held);
  void forget(pid_t tid);

  StopSampler sampler_;
  uint64_t enough_bytes_;
  pid_t child_;
  StartClock start_clock_;
  StoppedMemory memory_;
  std::vector<uint8_t> stack_;
  uint64_t next_check_ns_ = UINT64_MAX;
  std::unordered_map<pid_t, uint64_t> released_ns_;  // threads that had a clock until then
  Fd sigchld_fd_;
  std::unordered_map<pid_t, std::unique_ptr<Held>> threads_;
  std::unordered_set<pid_t> refused_;  // processes
  std::vector<pid_t> gone_;
  std::vector<OwnedSample> unexamined_;
  uint64_t unreplaced_ = 0, looks_ = 0, coarse_ = 0, late_ = 0, in_kernel_ = 0;
};

}  // namespace wick

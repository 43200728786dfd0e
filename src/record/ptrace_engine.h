// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sampling by ptrace, for where perf_event_open is refused: a launched command, its threads and children.
//
// At each tick the threads that are found running are asked to stop (PTRACE_INTERRUPT) all at once; each is sampled when its
// stop arrives and goes on at once, so that none waits for another. A thread that sleeps is left alone: a stop would end some
// system calls with EINTR (epoll_wait, sigtimedwait) and would show where it waits instead of where it spent its time. For the
// same reason a thread that turns out to have had no CPU when it was asked is not sampled, if that can be helped: threads are
// put off their CPU in system calls more than elsewhere. What CPU time a look stands for: ptrace_credit.h. What is mapped
// where: ptrace_maps.h.
//
// Refused: PTRACE_ATTACH (sends SIGSTOP, which races with real ones), PTRACE_O_EXITKILL (the target must outlive a killed wick),
// SIGPROF timers in the target (change what its system calls return), and stopping all threads to look at them together.

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/fd.h"
#include "record/engine.h"
#include "record/launch.h"
#include "record/ptrace_batch.h"
#include "record/ptrace_tasks.h"
#include "record/recorder_state.h"

namespace wick {

// Fails with a hint when the options ask for what ptrace cannot do (a running process, whole CPUs).
Result<std::unique_ptr<Engine>> make_ptrace_engine(const RecordOptions& options);

// All calls must come from one thread (ptrace belongs to the thread that attached), which must not wait for children of its own
// meanwhile. Threads that the program starts before start() should have SIGCHLD blocked, or stops may be noticed only at the
// next tick.
class PtraceEngine final : public Engine {
 public:
  explicit PtraceEngine(RecordOptions options);
  ~PtraceEngine() override;

  Status start(const sigset_t& child_signal_mask) override;
  void enable() override;
  Result<TargetState> pump(RawSink& sink, int wake_fd, uint64_t deadline_ns) override;
  void stop(RawSink& sink) override;

  pid_t launched_pid() const override { return launched_pid_; }
  std::optional<int> exit_status() const override { return exit_status_; }
  std::vector<EngineCounter> counters() const override;
  std::vector<std::string> notes() const override { return notes_; }

 private:
  // ptrace_engine.cc: the life of the target
  Status take_sigchld();
  Status wait_for_exec(Launch& launch);
  void answer_stops();
  void answer(pid_t tid, int status);
  void answer_stop(TracedThread& thread, int status);
  void resume(TracedThread& thread, int signal_number);
  TracedThread& add_thread(pid_t tid, TracedProcess& process);
  TracedProcess& add_process(pid_t pid);
  void erase_thread(pid_t tid);
  void on_new_task(TracedThread& parent, pid_t tid);
  void on_exec(TracedThread& thread);
  void on_exit_stop(TracedThread& thread);
  void on_death(pid_t tid, int status);
  void adopt_orphans(uint64_t now);
  bool wait_for_events(int wake_fd, uint64_t timeout_ns);
  void hand_over(RawSink& sink);

  // ptrace_detach.cc: letting go
  void detach_all();
  void detach_stopped(pid_t tid, int status);

  // ptrace_sampling.cc: ticks and samples
  void tick(uint64_t now);
  void ask(TracedThread& thread);
  void schedule_tick(uint64_t now);
  void sample(TracedThread& thread);
  struct Standing {
    bool kept_cpu = true, put_off_by_us = false;
  };
  Standing count_standing(TracedThread& thread);
  void count(TracedThread& thread, const RunTime& time);
  static bool has_slept(TracedThread& thread);
  void emit(TracedThread& thread, const Registers& registers, size_t count);
  size_t copy_stack(const TracedThread& thread, uint64_t sp);
  void follow_frame_pointers(pid_t tid, const Registers& registers);
  void read_name(TracedThread& thread);
  uint64_t stamp();

  RecordOptions options_;
  uint64_t period_ns_ = 0, tick_ns_ = 0;
  pid_t launched_pid_ = -1;
  std::optional<int> exit_status_;
  std::vector<std::string> notes_;
  bool has_schedstat_ = true, enabled_ = false, stopped_ = false;

  Fd sigchld_fd_;
  bool unblock_sigchld_ = false;  // on the way out
  std::optional<DefaultSigchld> sigchld_;
  std::optional<RaisedFileLimit> file_limit_;
  std::optional<PromptScheduling> scheduling_;

  std::unordered_map<pid_t, std::unique_ptr<TracedProcess>> processes_;
  std::unordered_map<pid_t, std::unique_ptr<TracedThread>> threads_;
  // Stopped at their birth, before the stop that tells who their parent is; with the time.
  struct Orphan {
    int status = 0;
    uint64_t time_ns = 0;
  };
  std::unordered_map<pid_t, Orphan> orphans_;
  std::unordered_set<pid_t> let_go_;  // detached while their parent's stop was still to come
  size_t most_kept_open_ = 0;         // threads whose files stay open

  WatchList watch_;
  std::vector<TracedThread*> asked_;  // of this tick
  std::vector<pid_t> vanished_;
  uint64_t next_tick_ns_ = UINT64_MAX, random_ = 0;
  uint64_t woke_ns_ = 0, tick_woke_ns_ = 0;  // when we last woke up, and when for the last tick
  bool tick_is_late_ = false;
  unsigned idle_ticks_ = 0;

  SampleBatch batch_;
  std::vector<uint64_t> chain_, times_;
  uint64_t last_stamp_ns_ = 0, handed_over_ns_ = 0;

  uint64_t stops_ = 0, samples_ = 0, late_ = 0, cpu_ns_ = 0;
};

}  // namespace wick
